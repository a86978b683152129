import * as THREE from "three";
import type { Joint } from "../data/header";
import type { Run } from "../data/run";
import type { Palette } from "../theme";
import { freeAxis } from "./axes";
import { Axes, Links } from "./lines";
import { matrixOf, type Poses } from "./poses";
import { ballOf, Signs, slidingOf, turningOf } from "./signs";

const MOST_COILS = 400;

export interface Drawn {
  joint: Joint;
  index: number;
  a: number;
  b: number;
  X_A: THREE.Matrix4;
  X_B: THREE.Matrix4;
  /** Frames in the world. */
  A: THREE.Matrix4;
  B: THREE.Matrix4;
  /** False once it has broken or derailed. */
  holds: boolean;
}

const LETS_GO = /^(break|derail|open end)$/;

/** Joints: a ball, their free axes, what spans from A to B, and on demand the frames. All of a kind are drawn at once. */
export class Joints {
  readonly group = new THREE.Group();
  private readonly drawn: Drawn[] = [];
  private readonly byIndex = new Map<number, Drawn>();
  private balls: Signs | null = null; // what is drawn is made when it is first to be seen
  private readonly signs: Signs[] = [];
  private links: Links | null = null;
  private axes: Axes | null = null;
  private framesOn = false;
  private selected = -1;

  constructor(
    private readonly run: Run,
    private readonly poses: Poses,
    private readonly size: number,
    private palette: Palette,
  ) {
    const hidden = new Set(run.header.bodies.filter((b) => b.hidden).map((b) => b.name));
    run.header.joints.forEach((joint, index) => {
      if (joint.type === "coupling" || joint.a === joint.b) return; // of one body: its strain
      if (hidden.has(joint.b)) return;
      const at = { a: poses.find(joint.a), b: poses.find(joint.b), X_A: matrixOf(joint.frame_a), X_B: matrixOf(joint.frame_b) };
      const item: Drawn = { joint, index, ...at, A: new THREE.Matrix4(), B: new THREE.Matrix4(), holds: true };
      this.drawn.push(item);
      this.byIndex.set(index, item);
    });
  }

  private make(): void {
    const { drawn, size } = this;
    const many = drawn.length > MOST_COILS;
    this.balls = new Signs(ballOf(size, many ? 6 : 12), drawn.map((d) => ({ frame: d.B })));
    const turning: { frame: THREE.Matrix4; local: THREE.Matrix4 }[] = [];
    const sliding: typeof turning = [];
    for (const d of drawn) {
      if (d.joint.track !== "" || d.joint.free.length > 4) continue; // all or nearly all is free
      for (const free of d.joint.free) {
        const found = freeAxis(free.row);
        if (!found) continue;
        const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), found.axis);
        const local = new THREE.Matrix4().makeRotationFromQuaternion(turn);
        (found.turns ? turning : sliding).push({ frame: found.frame === "a" ? d.A : d.B, local });
      }
    }
    if (turning.length > 0) this.signs.push(new Signs(turningOf(size), turning));
    if (sliding.length > 0) this.signs.push(new Signs(slidingOf(size), sliding));
    this.links = new Links(drawn, this.run, size, !many);
    this.group.add(this.balls.mesh, ...this.signs.map((s) => s.mesh), this.links.lines);
    this.recolour(this.palette);
  }

  recolour(palette: Palette): void {
    this.palette = palette;
    for (const s of this.signs) s.colour(palette.joint);
    this.balls?.tint(palette.joint);
    this.links?.material.color.set(palette.joint);
    this.select(this.selected);
  }
  showFrames(on: boolean): void {
    this.framesOn = on;
    if (this.axes) this.axes.lines.visible = on;
  }
  select(index: number): void {
    this.selected = index;
    const [plain, chosen] = [new THREE.Color(this.palette.joint), new THREE.Color(this.palette.selected)];
    this.balls?.paint((k) => (this.drawn[k]!.index === index ? chosen : plain));
  }

  update(): void {
    if (!this.group.visible || this.drawn.length === 0) return;
    if (!this.balls) this.make();
    for (const d of this.drawn) this.place(d);
    for (const d of this.drawn) d.holds = true;
    for (const e of this.run.header.events) if (e.t <= this.poses.time && LETS_GO.test(e.kind)) this.lose(e.subject);
    for (const s of [this.balls!, ...this.signs]) s.update();
    this.links!.update();
    if (!this.framesOn) return;
    if (!this.axes) this.group.add((this.axes = new Axes(this.drawn, 2.2 * this.size)).lines);
    this.axes.update();
  }
  private lose(name: string): void {
    for (const d of this.drawn) if (d.joint.name === name) d.holds = false;
  }
  private place(d: Drawn): void {
    d.A.multiplyMatrices(this.poses.matrix(d.a), d.X_A);
    d.B.multiplyMatrices(this.poses.matrix(d.b), d.X_B);
  }

  /** Frame B of a joint in the world, as drawn; for couplings none. */
  frameB(index: number): THREE.Matrix4 | undefined {
    const d = this.byIndex.get(index);
    if (d) this.place(d);
    return d?.B;
  }
  pick(ray: THREE.Raycaster): { joint: number; distance: number } {
    const out = { joint: -1, distance: Infinity };
    if (!this.group.visible) return out;
    const at = new THREE.Vector3();
    for (const d of this.drawn) {
      at.setFromMatrixPosition(d.B);
      if (ray.ray.distanceToPoint(at) > 0.28 * this.size) continue;
      const distance = at.distanceTo(ray.ray.origin);
      if (distance < out.distance) Object.assign(out, { joint: d.index, distance });
    }
    return out;
  }
}

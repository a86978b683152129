import * as THREE from "three";
import type { Joint } from "../data/header";
import type { Run } from "../data/run";
import type { Palette } from "../theme";
import { freeAxis } from "./axes";
import { matrixOf, type Poses } from "./poses";

const MOST_GLYPHS = 400; // joints with axes of their own; beyond it they are points
const COILS = 8;

interface Drawn {
  joint: Joint;
  index: number;
  a: number;
  b: number;
  X_A: THREE.Matrix4;
  X_B: THREE.Matrix4;
  atA: THREE.Group;
  atB: THREE.Group;
  link?: THREE.Line | undefined;
}

/** Joints: a ball, their free axes, what spans from A to B, and on demand the frames. */
export class Joints {
  readonly group = new THREE.Group();
  private readonly drawn: Drawn[] = [];
  private readonly frames: THREE.Object3D[] = [];
  private readonly material = new THREE.MeshStandardMaterial({ roughness: 0.5 });
  private readonly line = new THREE.LineBasicMaterial();
  private readonly chosen = new THREE.MeshBasicMaterial();
  private readonly balls: THREE.Mesh[] = [];
  private readonly sphere: THREE.SphereGeometry;

  constructor(run: Run, private readonly poses: Poses, size: number, palette: Palette) {
    this.sphere = new THREE.SphereGeometry(0.28 * size, 12, 8);
    const glyphs = run.header.joints.length <= MOST_GLYPHS;
    run.header.joints.forEach((joint, index) => {
      if (joint.type === "coupling" || joint.a === joint.b) return; // of one body: its strain
      const item: Drawn = {
        joint,
        index,
        a: poses.find(joint.a),
        b: poses.find(joint.b),
        X_A: matrixOf(joint.frame_a),
        X_B: matrixOf(joint.frame_b),
        atA: still(new THREE.Group()),
        atB: still(new THREE.Group()),
      };
      if (glyphs) this.glyph(item, size);
      else item.atB.add(this.ball(item));
      this.span(item, run, size);
      this.group.add(item.atA, item.atB);
      if (glyphs) {
        for (const at of [item.atA, item.atB]) {
          const axes = new THREE.AxesHelper(2.2 * size);
          axes.visible = false;
          at.add(axes);
          this.frames.push(axes);
        }
      }
      this.drawn.push(item);
    });
    this.recolour(palette);
  }

  recolour(palette: Palette): void {
    this.material.color.set(palette.joint);
    this.line.color.set(palette.joint);
    this.chosen.color.set(palette.selected);
  }
  showFrames(on: boolean): void {
    for (const f of this.frames) f.visible = on;
  }
  select(index: number): void {
    for (const b of this.balls)
      b.material = b.userData.joint === index ? this.chosen : this.material;
  }

  private ball(item: Drawn): THREE.Mesh {
    const out = new THREE.Mesh(this.sphere, this.material);
    out.userData.joint = item.index;
    this.balls.push(out);
    return out;
  }

  private glyph(item: Drawn, size: number): void {
    const onTrack = item.joint.track !== "";
    item.atB.add(this.ball(item));
    if (onTrack || item.joint.free.length > 4) return; // all or nearly all is free
    for (const free of item.joint.free) {
      const found = freeAxis(free.row);
      if (!found) continue;
      const at = found.frame === "a" ? item.atA : item.atB;
      const part = found.turns ? this.turning(size) : this.sliding(size);
      part.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), found.axis);
      at.add(part);
    }
  }

  private turning(size: number): THREE.Object3D {
    const out = new THREE.Group();
    const pin = new THREE.CylinderGeometry(0.07 * size, 0.07 * size, 2.4 * size, 8);
    out.add(new THREE.Mesh(pin.rotateX(Math.PI / 2), this.material));
    out.add(new THREE.Mesh(new THREE.TorusGeometry(0.6 * size, 0.06 * size, 6, 28), this.material));
    return out;
  }
  private sliding(size: number): THREE.Object3D {
    const out = new THREE.Group();
    const bar = new THREE.BoxGeometry(0.1 * size, 0.1 * size, 3.2 * size);
    out.add(new THREE.Mesh(bar, this.material));
    for (const end of [-1, 1]) {
      const tip = new THREE.ConeGeometry(0.2 * size, 0.5 * size, 10);
      tip.rotateX((end * Math.PI) / 2).translate(0, 0, end * 1.7 * size);
      out.add(new THREE.Mesh(tip, this.material));
    }
    return out;
  }

  /** A line from A to B where they may be apart: a coil where a spring or damper acts on the length. */
  private span(item: Drawn, run: Run, size: number): void {
    const spans = item.joint.free.some((f) => f.name === "length");
    if (!spans && !/^(distance|prismatic|cylindrical|point-on-line)$/.test(item.joint.type)) return;
    const laws = run.header.laws.filter((l) => l.joint === item.joint.name);
    const coil = laws.some((l) => l.coordinate === "length" && /spring|formula/.test(l.type));
    const points: THREE.Vector3[] = [];
    const n = coil ? COILS * 16 : 1;
    for (let i = 0; i <= n; i++) {
      const part = i / n;
      const r = coil && part > 0.1 && part < 0.9 ? 0.35 * size : 0;
      const angle = part * COILS * 2 * Math.PI;
      points.push(new THREE.Vector3(r * Math.cos(angle), r * Math.sin(angle), part));
    }
    item.link = still(new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), this.line));
    item.link.frustumCulled = false;
    this.group.add(item.link);
  }

  update(): void {
    if (!this.group.visible) return;
    const A = new THREE.Vector3();
    const B = new THREE.Vector3();
    for (const d of this.drawn) {
      d.atA.matrix.multiplyMatrices(this.poses.matrix(d.a), d.X_A);
      d.atB.matrix.multiplyMatrices(this.poses.matrix(d.b), d.X_B);
      d.atA.matrixWorldNeedsUpdate = d.atB.matrixWorldNeedsUpdate = true;
      if (!d.link) continue;
      A.setFromMatrixPosition(d.atA.matrix);
      B.setFromMatrixPosition(d.atB.matrix).sub(A);
      const length = B.length();
      d.link.visible = length > 1e-9;
      if (!d.link.visible) continue;
      const turn = new THREE.Quaternion().setFromUnitVectors(Z, B.divideScalar(length));
      d.link.matrix.compose(A, turn, new THREE.Vector3(1, 1, length));
      d.link.matrixWorldNeedsUpdate = true;
    }
  }

  /** Frame B of a joint in the world, as drawn; for couplings none. */
  frameB(index: number): THREE.Matrix4 | undefined {
    return this.drawn.find((d) => d.index === index)?.atB.matrix;
  }
  pick(ray: THREE.Raycaster): { joint: number; distance: number } {
    if (!this.group.visible) return { joint: -1, distance: Infinity };
    const hit = ray.intersectObjects(this.balls, false)[0];
    return hit
      ? { joint: hit.object.userData.joint as number, distance: hit.distance }
      : { joint: -1, distance: Infinity };
  }
}

const Z = new THREE.Vector3(0, 0, 1);

function still<T extends THREE.Object3D>(object: T): T {
  object.matrixAutoUpdate = false;
  return object;
}

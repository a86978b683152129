import * as THREE from "three";
import { Camera, type Mode, type Subject, type View } from "../camera/rigs";
import type { Run } from "../data/run";
import { round125 } from "../data/units";
import type { Palette } from "../theme";
import { Arrows } from "./arrows";
import { Bodies } from "./bodies";
import { ContactArrows } from "./contact_arrows";
import { extentOf, type Extent } from "./extent";
import { Joints } from "./joints";
import { LawArrows } from "./law_arrows";
import { Poses } from "./poses";
import { Scenery } from "./scenery";
import { Stage, withoutCard } from "./stage";
import { Tracks } from "./tracks";
import { Trails } from "./trails";

const HEAVY = 2000; // bodies

export type Picked = { kind: "body" | "joint" | "law" | "track"; index: number } | null;

/** The moving picture of a run. */
export class Picture {
  readonly poses: Poses;
  readonly extent: Extent;
  readonly camera: Camera;
  readonly bodies: Bodies;
  readonly scenery: Scenery;
  readonly joints: Joints;
  readonly tracks: Tracks;
  readonly arrows: Arrows;
  readonly laws: LawArrows;
  readonly contacts: ContactArrows;
  readonly trails: Trails;
  readonly coms: THREE.InstancedMesh;
  private readonly stage: Stage;
  private readonly up: THREE.Vector3;
  private view: View;
  private t = NaN;
  private jumped = true;
  subject = -1;

  constructor(
    private readonly run: Run,
    canvas: HTMLCanvasElement,
    public palette: Palette,
    /** Of movies: every picture is drawn, and as finely as can be. */
    always = false,
  ) {
    this.poses = new Poses(run);
    const g = new THREE.Vector3(...(run.header.gravity as [number, number, number]));
    this.up = g.length() > 0 ? g.normalize().negate() : new THREE.Vector3(0, 0, 1);
    this.extent = extentOf(run, this.poses, this.up);
    const { size } = this.extent;
    const cell = round125(0.6 * Math.max(size, 0.12 * this.extent.radius));
    const quick = !always && (this.poses.names.length > HEAVY || withoutCard());
    this.stage = new Stage(canvas, this.up, size, cell, palette, { quick, always });
    this.stage.floor.setHeight(this.extent.floor);
    const sign = Math.min(0.16 * size, 0.05 * this.extent.radius);
    this.bodies = new Bodies(run, this.poses, 0.9 * sign, palette, quick);
    this.scenery = new Scenery(run, 0.9 * sign, palette);
    this.joints = new Joints(run, this.poses, sign, palette);
    this.tracks = new Tracks(run, this.poses, size, palette);
    const arrow = round125(Math.max(size, 0.3 * this.extent.radius));
    this.arrows = new Arrows(run, this.poses, arrow, palette);
    this.laws = new LawArrows(run, this.poses, arrow, palette);
    this.contacts = new ContactArrows(run, arrow, palette);
    this.trails = new Trails(run, Math.max(0.25 * sign, 0.003 * this.extent.radius), this.up);
    for (const part of [this.bodies, this.scenery, this.joints, this.tracks, this.arrows, this.laws, this.contacts, this.trails])
      this.stage.scene.add(part.group);
    this.coms = this.makeComs(0.5 * sign, palette);
    this.camera = new Camera(this.up, size);
    this.subject = heaviest(run, this.poses);
    this.camera.frame(this.extent.centre, this.fit(this.extent.radius));
    if (this.extent.travels) {
      this.camera.mode = "follow";
      const radius = this.extent.radii[this.subject] || size;
      this.camera.frame(this.extent.centre, this.fit(2.4 * radius), -0.9 + Math.PI, 0.35);
    }
    this.setTime(run.start, true);
    this.view = this.camera.step(1, this.subjectNow(), true);
  }

  /** So that a ball of a radius has some room about it, in a narrow picture too. */
  private fit(radius: number): number {
    const { clientWidth: w, clientHeight: h } = this.stage.canvas;
    return 1.12 * radius * (w > 0 ? Math.max(1, (0.95 * h) / w) : 1);
  }
  private makeComs(radius: number, palette: Palette): THREE.InstancedMesh {
    const ball = new THREE.SphereGeometry(radius, 12, 8);
    const paint = new THREE.MeshBasicMaterial({ color: palette.selected, depthTest: false });
    const out = new THREE.InstancedMesh(ball, paint, Math.max(1, this.poses.names.length));
    out.renderOrder = 2;
    out.frustumCulled = false;
    out.visible = false;
    this.stage.scene.add(out);
    return out;
  }

  /** `jumped`: not by playing on. */
  setTime(t: number, jumped: boolean): void {
    this.jumped ||= jumped;
    if (t === this.t) return;
    this.t = t;
    this.poses.set(t);
    this.refresh();
  }
  refresh(): void {
    this.poses.set(this.t);
    this.bodies.update();
    this.joints.update();
    this.tracks.update();
    this.arrows.update(this.t);
    this.laws.update(this.t);
    this.contacts.update(this.t);
    this.stage.touch();
    if (!this.coms.visible) return;
    const [m, at] = [new THREE.Matrix4(), new THREE.Vector3()];
    this.poses.names.forEach((_, i) => {
      at.copy(this.extent.centres[i]!).applyMatrix4(this.poses.matrix(i));
      this.coms.setMatrixAt(i, m.makeTranslation(at));
    });
    this.coms.instanceMatrix.needsUpdate = true;
  }

  private subjectNow(): Subject | null {
    const i = this.subject;
    if (i < 0) return null;
    const series = this.seriesOf("/bodies/velocity");
    const velocity = new THREE.Vector3(
      ...[0, 1, 2].map((column) => (series >= 0 ? this.run.at({ series, item: i, column }, this.t) : 0)),
    );
    const matrix = this.poses.matrix(i).clone();
    const centre = this.extent.centres[i]!.clone().applyMatrix4(matrix);
    return { matrix, centre, velocity, radius: this.extent.radii[i] || this.extent.size };
  }
  private seriesOf(path: string): number {
    return this.run.header.series.findIndex((s) => s.path === path);
  }

  /** The camera goes on, nothing is drawn. */
  settle(dt: number): void {
    this.view = this.camera.step(dt, this.subjectNow(), this.jumped && this.camera.needsSubject);
    this.jumped = false;
  }
  /** Draws what has changed by now; false: nothing has. */
  draw(dt: number): boolean {
    this.settle(dt);
    const { draw, moved } = this.stage.aim(this.view, dt);
    if (!draw) return false;
    this.bodies.place(this.stage.eye, moved);
    this.stage.render(this.view);
    return true;
  }
  /** Numbers of what was drawn last, for tests. */
  get drawn(): { calls: number; pictures: number; pieces: number; dots: number } {
    return { calls: this.stage.calls, pictures: this.stage.pictures, ...this.bodies.shown };
  }
  setMode(mode: Mode): void {
    this.camera.setMode(mode, this.view);
    this.jumped = true;
  }
  /** Of a run that goes on: bodies that by now have gone far are gone along with. */
  reconsider(): void {
    const { travels } = this.extent;
    Object.assign(this.extent, extentOf(this.run, this.poses, this.up));
    this.stage.floor.setHeight(this.extent.floor);
    if (this.extent.travels && !travels && this.camera.mode === "orbit") this.setMode("follow");
  }
  frameAll(): void {
    const box = new THREE.Box3();
    this.poses.names.forEach((_, i) => {
      const at = this.extent.centres[i]!.clone().applyMatrix4(this.poses.matrix(i));
      const r = this.extent.radii[i] || this.extent.size;
      box.union(new THREE.Box3().setFromCenterAndSize(at, new THREE.Vector3().setScalar(2 * r)));
    });
    const radius = this.extent.travels ? box.getSize(new THREE.Vector3()).length() / 2 : this.extent.radius;
    const centre = this.extent.travels ? box.getCenter(new THREE.Vector3()) : this.extent.centre;
    this.camera.frame(centre, this.fit(radius));
  }
  recolour(palette: Palette): void {
    this.palette = palette;
    for (const part of [this.stage, this.bodies, this.scenery, this.joints, this.tracks, this.arrows, this.laws, this.contacts])
      part.recolour(palette);
  }

  close(): void {
    this.stage.close();
  }

  /** What is at a point of the canvas. */
  pick(x: number, y: number): Picked {
    const ray = this.stage.ray(x, y);
    const joint = this.joints.pick(ray);
    const body = this.bodies.pick(ray, 4 / (this.stage.canvas.clientHeight || 1)); // some pixels at the least
    const track = this.tracks.pick(ray);
    // a joint's ball is in the body mostly, and arrows begin in it: they may be picked through it
    const through = body.distance + this.extent.size;
    const [force, law] = [this.arrows.pick(ray), this.laws.pick(ray)];
    const found = (
      [
        ["law", law.index, law.distance],
        ["joint", force.index, force.distance],
        ["joint", joint.joint, joint.distance],
      ] as const
    )
      .filter(([, index, distance]) => index >= 0 && distance < Math.min(through, track.distance + this.extent.size))
      .sort((a, b) => a[2] - b[2])[0];
    if (found) return { kind: found[0], index: found[1] };
    if (track.index >= 0 && track.distance < body.distance) return { kind: "track", index: track.index };
    return body.body >= 0 ? { kind: "body", index: body.body } : null;
  }
  /** Where a body's middle is on the canvas [pixels]. */
  onCanvas(body: number): [number, number] {
    const at = this.extent.centres[body]!.clone().applyMatrix4(this.poses.matrix(body));
    at.project(this.stage.camera);
    const box = this.stage.canvas.getBoundingClientRect();
    return [((at.x + 1) / 2) * box.width, ((1 - at.y) / 2) * box.height];
  }
}

function heaviest(run: Run, poses: Poses): number {
  let [most, out] = [-1, poses.names.length > 0 ? 0 : -1];
  for (const b of run.header.bodies) {
    const i = poses.find(b.name);
    if (i >= 0 && (b.mass ?? 0) > most) [most, out] = [b.mass ?? 0, i];
  }
  return out;
}

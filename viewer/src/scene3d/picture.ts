import * as THREE from "three";
import { Camera, type Mode, type Subject, type View } from "../camera/rigs";
import type { Run } from "../data/run";
import { round125 } from "../data/units";
import type { Palette } from "../theme";
import { Arrows } from "./arrows";
import { Bodies } from "./bodies";
import { ContactArrows } from "./contact_arrows";
import { extentOf, type Extent } from "./extent";
import { fit } from "./fit";
import { Joints } from "./joints";
import { LawArrows } from "./law_arrows";
import { motionOf, type Motion } from "./motion";
import { Poses } from "./poses";
import { Scenery } from "./scenery";
import { Stage, withoutCard } from "./stage";
import { Tracks } from "./tracks";
import { Trails } from "./trails";

const HEAVY = 2000; // bodies
const SHADOWS = 300; // bodies, up to which they throw shadows
const FAR = 25; // sizes

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
    this.stage = new Stage(canvas, this.up, size, cell, palette, { quick, always, shadows: this.poses.names.length <= SHADOWS });
    this.stage.floor.setHeight(this.extent.floor);
    const sign = Math.min(0.16 * size, 0.05 * this.extent.radius);
    this.bodies = new Bodies(run, this.poses, 0.9 * sign, palette, quick);
    this.scenery = new Scenery(run, 0.9 * sign, palette);
    this.joints = new Joints(run, this.poses, sign, palette);
    this.tracks = new Tracks(run, this.poses, size, this.up, palette);
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
    const motion = motionOf(run, this.poses, this.bodies.bounds);
    this.setFloor(motion);
    this.poses.set(run.start);
    this.frameFirst(motion);
    this.setTime(run.start, true);
    this.view = this.camera.step(1, this.subjectNow(), true);
  }

  /** The first picture: what moves over the run; what goes far is gone along with. */
  private frameFirst(motion: Motion): void {
    if (!this.extent.travels) return this.frame([...motion.moving, ...this.groundJoints(), ...this.sceneryNear(motion.moving)]);
    this.camera.mode = "follow";
    const near = new THREE.Box3().setFromPoints(motion.start).getSize(new THREE.Vector3()).length() < FAR * this.extent.size;
    const box = this.bodies.bounds[this.subject];
    const own = box && !box.isEmpty() ? [box.min, box.max].map((p) => p.clone().applyMatrix4(this.poses.matrix(this.subject))) : [];
    this.frame(near ? motion.start : own, this.subjectNow()?.centre, -0.9 + Math.PI, 0.35);
  }
  /** Looks from where all points are in the picture; in another direction if it is given. */
  private frame(points: readonly THREE.Vector3[], centre?: THREE.Vector3, azimuth?: number, elevation?: number): void {
    const { clientWidth: w, clientHeight: h } = this.stage.canvas;
    const tan = Math.tan(THREE.MathUtils.degToRad(this.stage.camera.fov / 2));
    const found = fit(points, this.camera.directions(azimuth, elevation), tan, w > 0 && h > 0 ? w / h : 1, centre);
    this.camera.look(found.centre, Math.max(found.distance, 2 * this.extent.size), azimuth, elevation);
  }
  /** Points of the ground that joints hold bodies at. */
  private groundJoints(): THREE.Vector3[] {
    const found = this.run.header.joints.filter((j) => this.poses.find(j.a) < 0 && this.poses.find(j.b) >= 0 && !j.track && j.type !== "coupling" && j.free.length < 5);
    return found.map((j) => new THREE.Vector3(j.frame_a[0], j.frame_a[1], j.frame_a[2]));
  }
  /** Corners of the scenery, unless it is much larger than what is seen besides, as grounds are. */
  private sceneryNear(points: readonly THREE.Vector3[]): THREE.Vector3[] {
    const { bounds } = this.scenery;
    const size = (box: THREE.Box3) => (box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length());
    if (bounds.isEmpty() || size(bounds) > 2 * size(new THREE.Box3().setFromPoints([...points]))) return [];
    return corners(bounds);
  }
  /** As low as bodies, tracks and scenery go. */
  private setFloor(motion: Motion): void {
    const { bounds } = this.scenery;
    const low = (points: readonly THREE.Vector3[]) => points.reduce((least, p) => Math.min(least, p.dot(this.up)), Infinity);
    const least = Math.min(low(motion.all), low(bounds.isEmpty() ? [] : corners(bounds)), this.tracks.lowest(this.up));
    if (Number.isFinite(least)) this.extent.floor = least;
    this.stage.floor.setHeight(this.extent.floor);
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
    this.stage.floor.setHeight(this.tracks.groundNear((this.camera.needsSubject && this.subjectNow()?.centre) || this.view.target, this.up, this.extent.size) ?? this.extent.floor);
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
    this.setFloor(motionOf(this.run, this.poses, this.bodies.bounds));
    this.poses.set(this.t);
    if (this.extent.travels && !travels && this.camera.mode === "orbit") this.setMode("follow");
  }
  /** All bodies at this time, all tracks, and what stands about. */
  frameAll(): void {
    const bodies = this.bodies.bounds.flatMap((box, k) => (box && !box.isEmpty() ? corners(box).map((p) => p.applyMatrix4(this.poses.matrix(k))) : []));
    const points = [...bodies, ...this.tracks.points(), ...this.groundJoints()];
    this.frame([...points, ...this.sceneryNear(points)]);
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

function corners({ min, max }: THREE.Box3): THREE.Vector3[] {
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new THREE.Vector3(x, y, z))));
}

function heaviest(run: Run, poses: Poses): number {
  let [most, out] = [-1, poses.names.length > 0 ? 0 : -1];
  for (const b of run.header.bodies) {
    const i = poses.find(b.name);
    if (i >= 0 && (b.mass ?? 0) > most) [most, out] = [b.mass ?? 0, i];
  }
  return out;
}

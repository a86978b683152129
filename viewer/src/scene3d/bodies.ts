import * as THREE from "three";
import type { Run } from "../data/run";
import { strainColour, type Palette } from "../theme";
import { Batch, type Level, type Looks } from "./batch";
import { Dots } from "./dots";
import type { Eye } from "./eye";
import type { Poses } from "./poses";
import { boxOf, piecesOf, type Piece } from "./shapes";
import { veil } from "./veil";

const MANY = 200; // bodies: beyond it those far away are drawn by fewer corners
const FEW_LEVELS: Level[] = [{ round: 32, pixels: 0 }];
const LEVELS: Level[] = [
  { round: 24, pixels: 40 },
  { round: 12, pixels: 7 },
  { round: 6, pixels: 0 },
];
const DOT = 1.6; // pixels of radius, below which a body is a dot

export class Bodies {
  readonly group = new THREE.Group();
  readonly bounds: THREE.Box3[] = []; // of each body, in its axes
  private readonly balls: Float32Array; // about them: middle and radius
  private readonly batches: Batch[] = [];
  private readonly of: { batch: Batch; instance: number }[][] = [];
  private readonly many: boolean;
  private readonly dots: Dots | null;
  private readonly own: (string | undefined)[] = [];
  private readonly looks: Looks;
  private stale = true;

  constructor(
    run: Run,
    private readonly poses: Poses,
    point: number,
    palette: Palette,
    quick: boolean,
  ) {
    const n = poses.names.length;
    this.many = n > MANY;
    this.dots = this.many ? new Dots(n) : null;
    if (this.dots) this.group.add(this.dots.points);
    this.looks = { pixels: new Float32Array(n), colours: new Float32Array(3 * n), tints: new Map(), selected: -1, chosen: [], strained: null };
    for (const { piece, bodies, locals } of this.gather(run, point)) this.add(piece, bodies, locals, quick);
    this.balls = balls(this.bounds, n);
    this.recolour(palette);
  }

  private gather(run: Run, point: number): Iterable<{ piece: Piece; bodies: number[]; locals: THREE.Matrix4[] }> {
    const joints = jointPlaces(run);
    const pieces: Piece[][] = this.poses.names.map(() => []);
    for (const body of run.header.bodies) {
      const i = this.poses.find(body.name);
      if (i < 0) continue;
      this.own[i] = body.color;
      this.bounds[i] = new THREE.Box3();
      if (body.hidden) continue;
      pieces[i] = piecesOf(body, run.packed, joints.get(body.name) ?? [], point);
      for (const p of pieces[i]!) this.bounds[i]!.union(boxOf(p).clone().applyMatrix4(p.local));
    }
    if (!this.many) veil(pieces, this.bounds, this.poses, run.start);
    const out = new Map<string, { piece: Piece; bodies: number[]; locals: THREE.Matrix4[] }>();
    pieces.forEach((list, i) => {
      for (const piece of list) {
        const key = `${piece.look} ${piece.key} ${piece.colour ?? ""}`;
        let entry = out.get(key);
        if (!entry) out.set(key, (entry = { piece, bodies: [], locals: [] }));
        entry.bodies.push(i);
        entry.locals.push(piece.local);
      }
    });
    return out.values();
  }
  private add(piece: Piece, bodies: number[], locals: THREE.Matrix4[], quick: boolean): void {
    const batch = new Batch(piece, bodies, locals, this.many ? LEVELS : FEW_LEVELS, quick);
    this.batches.push(batch);
    this.group.add(batch.group);
    if (piece.colour) this.looks.tints.set(piece.colour, new THREE.Color(piece.colour).toArray());
    bodies.forEach((body, instance) => (this.of[body] ??= []).push({ batch, instance }));
  }

  /** Poses or colours are others: the next picture is to show them. */
  update(): void {
    this.stale = true;
  }
  /** Gets ready for a picture; `moved`: the camera did. */
  place(eye: Eye, moved: boolean): void {
    if (!this.stale && !(moved && this.many)) return;
    this.stale = false;
    if (this.looks.strained) this.strain();
    const { pixels } = this.looks;
    if (!this.dots) pixels.fill(1e3);
    else this.measure(eye, this.dots);
    for (const batch of this.batches) batch.fill(this.poses, this.looks);
  }
  /** How large each is on the screen; those that are too small become dots. */
  private measure(eye: Eye, dots: Dots): void {
    const { pixels, colours } = this.looks;
    dots.begin();
    for (let i = 0; i < pixels.length; i++) {
      const e = this.poses.matrix(i).elements;
      const [x, y, z, r] = [this.balls[4 * i]!, this.balls[4 * i + 1]!, this.balls[4 * i + 2]!, this.balls[4 * i + 3]!];
      const wx = e[0]! * x + e[4]! * y + e[8]! * z + e[12]!;
      const wy = e[1]! * x + e[5]! * y + e[9]! * z + e[13]!;
      const wz = e[2]! * x + e[6]! * y + e[10]! * z + e[14]!;
      pixels[i] = eye.pixels(wx, wy, wz, r);
      if (pixels[i]! < 0 || pixels[i]! > DOT) continue;
      pixels[i] = -1;
      if (!this.bounds[i] || this.bounds[i]!.isEmpty()) continue; // nothing of it is drawn
      dots.add(wx, wy, wz, i === this.looks.selected ? this.looks.chosen : colours.subarray(3 * i, 3 * i + 3));
    }
    dots.end();
  }

  recolour(palette: Palette): void {
    this.looks.tints.set("hole", new THREE.Color(palette.hole).toArray());
    this.looks.chosen = new THREE.Color(palette.selected).toArray();
    this.poses.names.forEach((_, i) =>
      new THREE.Color(this.own[i] ?? palette.bodies[i % palette.bodies.length]!).toArray(this.looks.colours, 3 * i),
    );
    this.stale = true;
  }
  select(body: number): void {
    this.looks.selected = body;
    this.stale = true;
  }
  seeThrough(on: boolean): void {
    for (const batch of this.batches) batch.seeThrough(on ? 0.35 : 1);
  }
  /** Colours affine bodies by their strain instead. */
  showStrain(on: boolean, palette: Palette): void {
    const all = this.poses.names.map((_, i) => i).filter((i) => this.poses.isAffine(i));
    this.looks.strained = on ? new Set(all) : null;
    this.recolour(palette);
  }
  private strain(): void {
    for (const i of this.looks.strained!) strainColour(this.poses.strain(i)).toArray(this.looks.colours, 3 * i);
  }
  /** What of it is drawn at the moment, for tests. */
  get shown(): { pieces: number; dots: number } {
    return { pieces: this.batches.reduce((n, b) => n + b.shown, 0), dots: this.dots?.count ?? 0 };
  }

  /** The body that a ray meets first; -1: none. What is smaller than `least` at a distance of 1 is taken as large. */
  pick(ray: THREE.Raycaster, least = 0): { body: number; distance: number } {
    let out = { body: -1, distance: Infinity };
    const middle = new THREE.Vector3();
    for (let i = 0; i < this.poses.names.length; i++) {
      middle.fromArray(this.balls, 4 * i).applyMatrix4(this.poses.matrix(i));
      const far = middle.distanceTo(ray.ray.origin);
      const r = this.balls[4 * i + 3]! * 1.2; // affine ones are larger at times
      const off = ray.ray.distanceToPoint(middle);
      if (off > Math.max(r, least * far) || far - r > out.distance) continue;
      const small = r < least * far;
      const d = small ? far : Math.min(Infinity, ...(this.of[i] ?? []).map((p) => p.batch.meets(ray, this.poses, p.instance)));
      if (d < out.distance) out = { body: i, distance: d };
    }
    return out;
  }
}

function balls(bounds: readonly THREE.Box3[], n: number): Float32Array {
  const out = new Float32Array(4 * n);
  const ball = new THREE.Sphere();
  for (let i = 0; i < n; i++) {
    if (!bounds[i] || bounds[i]!.isEmpty()) continue;
    bounds[i]!.getBoundingSphere(ball);
    out.set([...ball.center.toArray(), ball.radius], 4 * i);
  }
  return out;
}

/** Where joints are on each body, in its axes. */
function jointPlaces(run: Run): Map<string, THREE.Vector3[]> {
  const out = new Map<string, THREE.Vector3[]>();
  const add = (body: string, pose: number[]) => {
    const list = out.get(body) ?? [];
    list.push(new THREE.Vector3(pose[0], pose[1], pose[2]));
    out.set(body, list);
  };
  for (const j of run.header.joints) {
    if (j.type === "coupling" || j.a === j.b) continue;
    if (!j.track) add(j.a, j.frame_a);
    add(j.b, j.frame_b);
  }
  return out;
}

import { Box3, Vector3 } from "three";
import type { Body, Shape } from "../data/header";
import type { Run } from "../data/run";
import { matrixOf, type Poses } from "./poses";

/** How large things are, from which sizes of signs, of arrows and of the first view follow. */
export interface Extent {
  /** Half the size of a usual body [m]. */
  size: number;
  radii: number[];
  centres: Vector3[]; // of bodies, in their axes
  /** What the first view frames. */
  centre: Vector3;
  radius: number;
  /** Bodies go far beyond what can be framed. */
  travels: boolean;
  floor: number; // along `up`
}

/** From the centre of mass to the farthest point of a shape, or a little more. */
function reachOf(shape: Shape, com: number[], run: Run): number {
  const at = Math.hypot(...com.map((c, k) => shape.pose[k]! - c));
  const [a = 0, b = 0] = shape.size ?? [];
  if (shape.kind === "mesh") {
    const points = run.packed.floats(shape.triangles!);
    let most = 0;
    for (let i = 0; i < points.length; i += 3)
      most = Math.max(most, Math.hypot(...com.map((c, k) => points[i + k]! - c)));
    return most;
  }
  if (shape.kind === "box") return at + Math.hypot(...(shape.size ?? [])) / 2;
  if (shape.kind === "sphere") return at + a;
  if (shape.kind === "ellipsoid") return at + Math.max(...(shape.size ?? []));
  if (shape.kind === "rod") return at + a / 2;
  if (shape.kind === "capsule") return at + a + b / 2;
  return at + Math.hypot(a, b / 2);
}

/** Where joints are on each body, in its axes. */
function placesOn(run: Run): Map<string, number[][]> {
  const out = new Map<string, number[][]>();
  for (const j of run.header.joints) {
    if (j.type === "coupling") continue;
    for (const [name, pose, at] of [
      [j.a, j.frame_a, !j.track],
      [j.b, j.frame_b, true],
    ] as const) {
      if (!at) continue;
      const list = out.get(name);
      if (list) list.push(pose);
      else out.set(name, [pose]);
    }
  }
  return out;
}

function reach(body: Body, run: Run, places: readonly number[][]): number {
  let most = 0;
  const com = body.com.map((x) => x ?? 0);
  for (const shape of body.shapes) most = Math.max(most, reachOf(shape, com, run));
  if (body.shapes.length > 0) return most;
  for (const pose of places) most = Math.max(most, Math.hypot(...com.map((c, k) => pose[k]! - c)));
  const [xx, yy, zz] = body.inertia;
  if (body.mass && xx && yy && zz) most = Math.max(most, Math.sqrt((1.2 * (xx + yy + zz)) / body.mass));
  return most;
}

function median(values: number[]): number {
  const sorted = values.filter((x) => x > 0).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

const SAMPLES = 40;
const FAR = 25; // sizes

export function extentOf(run: Run, poses: Poses, up: Vector3): Extent {
  const byName = new Map(run.header.bodies.map((b) => [b.name, b]));
  const bodies = poses.names.map((n) => byName.get(n));
  const samples = bodies.length > 2000 ? 6 : SAMPLES;
  const places = placesOn(run);
  const radii = bodies.map((b) => (b && !b.hidden ? reach(b, run, places.get(b.name) ?? []) : 0));
  const centres = bodies.map((b) => new Vector3(...((b?.com ?? []).map((x) => x ?? 0) as [])));
  const [first, all] = [new Box3(), new Box3()];
  let floor = Infinity;
  for (let i = 0; i < samples && run.frames > 0; i++) {
    const frame = Math.floor(((run.frames - 1) * i) / (samples - 1));
    poses.set(run.time[frame]!);
    poses.names.forEach((_, k) => {
      if (bodies[k]?.hidden) return;
      const at = centres[k]!.clone().applyMatrix4(poses.matrix(k));
      if (!Number.isFinite(at.x + at.y + at.z)) return;
      floor = Math.min(floor, at.dot(up) - radii[k]!);
      const ball = new Box3().setFromCenterAndSize(at, new Vector3().setScalar(2 * radii[k]!));
      if (i === 0) first.union(ball);
      all.union(ball);
    });
  }
  for (const j of run.header.joints) // on the ground, those of tracks left out
    if (poses.find(j.a) < 0 && !byName.get(j.b)?.hidden && !j.track && j.type !== "coupling" && j.free.length < 5) {
      const at = new Vector3(...(j.frame_a.slice(0, 3) as [number, number, number]));
      for (const box of [first, all]) box.expandByPoint(at);
    }
  const whole = (box: Box3) => (box.isEmpty() ? 1 : box.getSize(new Vector3()).length() / 2 || 1);
  let size = median(radii);
  if (!(size > 0)) size = 0.1 * whole(all);
  size = Math.min(Math.max(size, 0.01 * whole(first)), whole(first));
  for (const track of run.header.tracks) floor = Math.min(floor, lowest(run, track, poses, up, size));
  // of a run that goes on its tracks say how far it may go
  const reached = Math.max(whole(all), run.header.live ? wayOf(run) / 2 : 0);
  const travels = reached > FAR * Math.max(size, 0.4 * whole(first));
  const box = travels ? first : all;
  const centre = box.isEmpty() ? new Vector3() : box.getCenter(new Vector3());
  if (!Number.isFinite(floor)) floor = 0;
  return { size, radii, centres, centre, radius: Math.max(whole(box), size), travels, floor };
}

/** The longest of the tracks. */
function wayOf(run: Run): number {
  const lengths = run.header.tracks.map((t) => {
    const points = run.packed.floats(t.points);
    return points.length >= 20 ? points[points.length - 10]! - points[0]! : 0;
  });
  return Math.max(0, ...lengths);
}

function lowest(run: Run, track: Run["header"]["tracks"][number], poses: Poses, up: Vector3, size: number): number {
  const points = run.packed.floats(track.points);
  const X = matrixOf(track.pose).premultiply(poses.matrix(poses.find(track.body)));
  let out = Infinity;
  for (let i = 0; i < points.length; i += 10) {
    const p = new Vector3(points[i + 1], points[i + 2], points[i + 3]).applyMatrix4(X);
    out = Math.min(out, p.dot(up));
  }
  return out - 0.4 * size;
}

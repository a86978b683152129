import { Box3, Vector3 } from "three";
import type { Run } from "../data/run";
import type { Poses } from "./poses";

const MOST_SAMPLES = 40;
const LEAST_SAMPLES = 6;
const BUDGET = 4000; // bodies times samples
const MOVES = 1e-3; // of the size of all, by which a corner moves of what is said to move

/** Corners of the boxes about bodies, in the world. */
export interface Motion {
  /** Of the bodies that move, over the run; of all where none does. */
  moving: Vector3[];
  /** The same at the start. */
  start: Vector3[];
  /** Of all bodies over the run. */
  all: Vector3[];
}

function cornersOf(box: Box3): Vector3[] {
  const { min, max } = box;
  return [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
}

/** Where bodies are over the run, and which of them move. */
export function motionOf(run: Run, poses: Poses, bounds: readonly (Box3 | undefined)[]): Motion {
  const shown = bounds.map((b, i) => ({ i, corners: b && !b.isEmpty() ? cornersOf(b) : [] })).filter((b) => b.corners.length > 0);
  const wanted = Math.round(BUDGET / Math.max(1, shown.length));
  const samples = Math.min(run.frames, Math.max(LEAST_SAMPLES, Math.min(MOST_SAMPLES, wanted)));
  const way: Vector3[][] = shown.map(() => []); // of each body, all its corners at one time after the other
  for (let k = 0; k < samples; k++) {
    poses.set(run.time[Math.floor(((run.frames - 1) * k) / Math.max(1, samples - 1))]!);
    shown.forEach(({ i, corners }, n) => {
      const placed = corners.map((c) => c.clone().applyMatrix4(poses.matrix(i)));
      if (placed.every((p) => Number.isFinite(p.x + p.y + p.z))) way[n]!.push(...placed);
    });
  }
  const all = way.flat();
  const least = MOVES * new Box3().setFromPoints(all).getSize(new Vector3()).length();
  const moved = way.filter((points) => points.some((p, k) => p.distanceTo(points[k % 8]!) > least));
  const used = moved.length > 0 ? moved : way;
  return { moving: used.flat(), start: used.flatMap((points) => points.slice(0, 8)), all };
}

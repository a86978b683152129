import { Matrix4, Quaternion, Vector3 } from "three";
import type { Pose7 } from "../data/header";
import type { Run } from "../data/run";

export function matrixOf(pose: Pose7): Matrix4 {
  const [x = 0, y = 0, z = 0, qw = 1, qx = 0, qy = 0, qz = 0] = pose;
  return new Matrix4().compose(
    new Vector3(x, y, z),
    new Quaternion(qx, qy, qz, qw),
    new Vector3(1, 1, 1),
  );
}

/** Where bodies are, as matrices from body axes to the world; of affine bodies with their strain. */
export class Poses {
  readonly names: string[];
  readonly matrices: Matrix4[];
  private readonly index = new Map<string, number>();
  private readonly p: Float32Array[][] = [];
  private readonly q: Float32Array[][] = [];
  private readonly affine: (Float32Array[] | undefined)[] = [];
  private readonly fixed = new Matrix4();

  constructor(private readonly run: Run) {
    const position = run.series("/bodies/position");
    this.names = position?.items ?? [];
    this.matrices = this.names.map(() => new Matrix4());
    const affine = run.series("/bodies/affine");
    const columns = (path: string, item: number, n: number) =>
      Array.from({ length: n }, (_, c) => run.column(path, item, c)!);
    this.names.forEach((name, i) => {
      this.index.set(name, i);
      this.p.push(columns("/bodies/position", i, 3));
      this.q.push(columns("/bodies/orientation", i, 4));
      const k = affine ? affine.items.indexOf(name) : -1;
      this.affine.push(k < 0 ? undefined : columns("/bodies/affine", k, 9));
    });
  }

  /** The number of a body; -1: the ground, or none. */
  find(name: string): number {
    return this.index.get(name) ?? -1;
  }
  /** That of the ground for -1. */
  matrix(body: number): Matrix4 {
    return this.matrices[body] ?? this.fixed;
  }
  isAffine(body: number): boolean {
    return this.affine[body] !== undefined;
  }
  /** |A^T A - 1| at the frame of the last `set`: zero of what is not strained. */
  strain(body: number): number {
    if (!this.affine[body]) return 0;
    const m = this.matrices[body]!.elements;
    let sum = 0;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        let g = i === j ? -1 : 0;
        for (let k = 0; k < 3; k++) g += m[4 * i + k]! * m[4 * j + k]!;
        sum += g * g;
      }
    return Math.sqrt(sum);
  }

  /** Moves all to time t: straight between frames, turns at a uniform rate. */
  set(t: number): void {
    const { frame, part } = this.run.place(t);
    const next = part > 0 ? frame + 1 : frame;
    for (let i = 0; i < this.names.length; i++) this.setBody(i, frame, next, part);
  }

  private setBody(i: number, frame: number, next: number, part: number): void {
    const mix = (v: Float32Array) => v[frame]! + part * (v[next]! - v[frame]!);
    const [px, py, pz] = this.p[i]!;
    const place = new Vector3(mix(px!), mix(py!), mix(pz!));
    const A = this.affine[i];
    if (A) {
      const a = A.map(mix);
      // prettier-ignore
      this.matrices[i]!.set(
        a[0]!, a[1]!, a[2]!, place.x, a[3]!, a[4]!, a[5]!, place.y,
        a[6]!, a[7]!, a[8]!, place.z, 0, 0, 0, 1);
      return;
    }
    const [w, x, y, z] = this.q[i]!;
    const turn = new Quaternion(x![frame]!, y![frame]!, z![frame]!, w![frame]!);
    if (part > 0)
      turn.slerp(new Quaternion(x![next]!, y![next]!, z![next]!, w![next]!), part);
    this.matrices[i]!.compose(place, turn, ONE);
  }

  /** x, y, z of every body frame at t: what is drawn. */
  positions(t: number): Float32Array {
    this.set(t);
    const out = new Float32Array(3 * this.names.length);
    this.matrices.forEach((m, i) => out.set(m.elements.slice(12, 15), 3 * i));
    return out;
  }
}

const ONE = new Vector3(1, 1, 1);

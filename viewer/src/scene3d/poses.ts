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
  private readonly affine: (number | undefined)[] = []; // items of /bodies/affine
  private readonly fixed = new Matrix4();
  /** Of the last `set`. */
  time = 0;

  constructor(private readonly run: Run) {
    const position = run.series("/bodies/position");
    this.names = position?.items ?? [];
    this.matrices = this.names.map(() => new Matrix4());
    const affine = run.series("/bodies/affine");
    this.names.forEach((name, i) => {
      this.index.set(name, i);
      const k = affine ? affine.items.indexOf(name) : -1;
      this.affine.push(k < 0 ? undefined : k);
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
    if (this.affine[body] === undefined) return 0;
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
    this.time = t;
    const places = this.run.table("/bodies/position");
    const turns = this.run.table("/bodies/orientation");
    if (!places || !turns || this.run.frames === 0) return;
    const { frame, part } = this.run.place(t);
    const next = part > 0 ? frame + 1 : frame;
    const affine = this.run.table("/bodies/affine");
    for (let i = 0; i < this.names.length; i++) {
      const item = this.affine[i];
      mix(places, i, 3, frame, next, part, P);
      if (item !== undefined && affine) this.setAffine(i, mix(affine, item, 9, frame, next, part, A));
      else this.setRigid(i, turns, frame, next, part);
    }
  }

  private setAffine(i: number, a: Float64Array): void {
    // prettier-ignore
    this.matrices[i]!.set(
      a[0]!, a[1]!, a[2]!, P[0]!, a[3]!, a[4]!, a[5]!, P[1]!,
      a[6]!, a[7]!, a[8]!, P[2]!, 0, 0, 0, 1);
  }
  private setRigid(i: number, turns: Table, frame: number, next: number, part: number): void {
    quaternion(turns, i, frame, TURN);
    if (part > 0) TURN.slerp(quaternion(turns, i, next, NEXT), part);
    this.matrices[i]!.compose(PLACE.set(P[0]!, P[1]!, P[2]!), TURN, ONE);
  }

  /** x, y, z of every body frame at t: what is drawn. */
  positions(t: number): Float32Array {
    this.set(t);
    const out = new Float32Array(3 * this.names.length);
    this.matrices.forEach((m, i) => out.set(m.elements.slice(12, 15), 3 * i));
    return out;
  }
}

type Table = NonNullable<ReturnType<Run["table"]>>;
const ONE = new Vector3(1, 1, 1);
const [PLACE, TURN, NEXT] = [new Vector3(), new Quaternion(), new Quaternion()];
const [P, A] = [new Float64Array(3), new Float64Array(9)];

/** The n numbers of an item between two frames. */
function mix(of: Table, item: number, n: number, frame: number, next: number, part: number, out: Float64Array): Float64Array {
  const { values, stride } = of;
  for (let c = 0, at = item * n * stride; c < n; c++, at += stride) {
    const a = values[at + frame]!;
    out[c] = a + part * (values[at + next]! - a);
  }
  return out;
}
function quaternion(of: Table, item: number, frame: number, out: Quaternion): Quaternion {
  const { values, stride } = of;
  const at = item * 4 * stride + frame;
  return out.set(values[at + stride]!, values[at + 2 * stride]!, values[at + 3 * stride]!, values[at]!);
}

import { Matrix3, Matrix4, Vector3 } from "three";

/** Eigenvalues and vectors of a symmetric 3 x 3 matrix, by Jacobi's turns. */
export function principal(I: readonly number[]): { values: number[]; axes: number[][] } {
  const [xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0] = I;
  const a = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < 30; sweep++)
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      if (Math.abs(a[p]![q]!) < 1e-300) continue;
      const theta = Math.atan2(2 * a[p]![q]!, a[q]![q]! - a[p]![p]!) / 2;
      const [c, s] = [Math.cos(theta), Math.sin(theta)];
      for (const row of [...a, ...v]) {
        const [rp, rq] = [row[p]!, row[q]!];
        row[p] = c * rp - s * rq;
        row[q] = s * rp + c * rq;
      }
      for (let k = 0; k < 3; k++) {
        const [ap, aq] = [a[p]![k]!, a[q]![k]!];
        a[p]![k] = c * ap - s * aq;
        a[q]![k] = s * ap + c * aq;
      }
    }
  return { values: [a[0]![0]!, a[1]![1]!, a[2]![2]!], axes: v };
}

/** A uniform solid: a ball, a cylinder along its z axis, a box. */
export interface Equivalent {
  kind: "sphere" | "cylinder" | "box";
  size: [number, number, number];
  axes: Matrix4;
}

const ALIKE = 1e-6;

/** The ball, cylinder or box of that mass and inertia, the roundest there is; null: there is none. */
export function equivalentSolid(
  mass: number | null,
  inertia: readonly (number | null)[],
): Equivalent | null {
  const box = equivalentBox(mass, inertia);
  if (!box) return null;
  const { values } = principal(inertia as number[]);
  const alike = (i: number, j: number) =>
    Math.abs(values[i]! - values[j]!) < ALIKE * Math.max(...values);
  if (alike(0, 1) && alike(1, 2)) {
    const r = Math.sqrt((2.5 * values[0]!) / mass!);
    return { kind: "sphere", size: [r, 0, 0], axes: box.axes };
  }
  for (const k of [0, 1, 2]) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const r2 = (2 * values[k]!) / mass!;
    const h2 = (12 * values[i]!) / mass! - 3 * r2;
    if (!alike(i, j) || h2 < -ALIKE * r2 || !(r2 > 0)) continue;
    const r = Math.sqrt(r2);
    const h = Math.max(Math.sqrt(Math.max(0, h2)), 0.02 * r);
    const column = (n: number) => new Vector3().setFromMatrixColumn(box.axes, n);
    const axes = new Matrix4().makeBasis(column(i), column(j), column(i).cross(column(j)));
    return { kind: "cylinder", size: [Math.max(r, 0.01 * h), h, 0], axes };
  }
  return { kind: "box", size: box.edges, axes: box.axes };
}

/** Edges and axes of the uniform box of that mass and inertia; null: there is none. */
export function equivalentBox(
  mass: number | null,
  inertia: readonly (number | null)[],
): { edges: [number, number, number]; axes: Matrix4 } | null {
  if (!mass || !(mass > 0) || inertia.some((x) => x === null)) return null;
  const { values, axes } = principal(inertia as number[]);
  const sum = values[0]! + values[1]! + values[2]!;
  if (!(sum > 0)) return null;
  const edge = (i: number) => Math.sqrt(Math.max(0, (6 * (sum - 2 * values[i]!)) / mass));
  const edges: [number, number, number] = [edge(0), edge(1), edge(2)];
  const least = 0.02 * Math.max(...edges);
  const R = new Matrix3().fromArray(axes.flat()).transpose();
  const out = new Matrix4().setFromMatrix3(R);
  if (out.determinant() < 0) out.multiply(new Matrix4().makeScale(1, 1, -1));
  return { edges: edges.map((e) => Math.max(e, least)) as [number, number, number], axes: out };
}

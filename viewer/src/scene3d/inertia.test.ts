import { expect, it } from "vitest";
import { Matrix4, Vector3 } from "three";
import { equivalentBox } from "./inertia";

it("finds the box again from its inertia, turned about an axis", () => {
  const [m, a, b, c] = [3, 0.4, 1.2, 0.7];
  const D = [(b * b + c * c) * m / 12, (a * a + c * c) * m / 12, (a * a + b * b) * m / 12];
  const R = new Matrix4().makeRotationAxis(new Vector3(1, 2, -1).normalize(), 0.8);
  const r = (i: number, j: number) => R.elements[4 * j + i]!;
  const I = (i: number, j: number) => [0, 1, 2].reduce((s, k) => s + r(i, k) * D[k]! * r(j, k), 0);
  const box = equivalentBox(m, [I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)])!;
  expect([...box.edges].sort()).toEqual([a, c, b].map((x) => expect.closeTo(x, 10)));
  // its longest edge lies along the turned y axis
  const k = box.edges.indexOf(Math.max(...box.edges));
  const along = new Vector3().setFromMatrixColumn(box.axes, k);
  expect(Math.abs(along.dot(new Vector3().setFromMatrixColumn(R, 1)))).toBeCloseTo(1, 10);
  expect(box.axes.determinant()).toBeCloseTo(1, 10);
});

it("has no box for a point", () => {
  expect(equivalentBox(1, [0, 0, 0, 0, 0, 0])).toBeNull();
  expect(equivalentBox(null, [1, 1, 1, 0, 0, 0])).toBeNull();
});

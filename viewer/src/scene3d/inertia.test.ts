import { expect, it } from "vitest";
import { Matrix4, Vector3 } from "three";
import { equivalentBox, equivalentSolid } from "./inertia";

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

it("finds discs, rods and balls", () => {
  const disc = equivalentSolid(2, [0.25 * 2 * 0.09, 0.5 * 2 * 0.09, 0.25 * 2 * 0.09, 0, 0, 0])!;
  expect(disc.kind).toBe("cylinder");
  expect(disc.size[0]).toBeCloseTo(0.3, 9);
  expect(disc.size[1]).toBeCloseTo(0.006, 9); // flat: as thin as is drawn
  expect(Math.abs(new Vector3().setFromMatrixColumn(disc.axes, 2).y)).toBeCloseTo(1, 9);
  const ball = equivalentSolid(5, [0.2, 0.2, 0.2, 0, 0, 0])!;
  expect([ball.kind, ball.size[0]]).toEqual(["sphere", expect.closeTo(Math.sqrt(0.1), 9)]);
  // two alike, but no cylinder: flatter than a disc can be
  expect(equivalentSolid(1, [1, 1, 1.99, 0, 0, 0])!.kind).toBe("cylinder");
  expect(equivalentSolid(1, [1, 2, 2.5, 0, 0, 0])!.kind).toBe("box");
});

it("has no box for a point", () => {
  expect(equivalentBox(1, [0, 0, 0, 0, 0, 0])).toBeNull();
  expect(equivalentBox(null, [1, 1, 1, 0, 0, 0])).toBeNull();
});

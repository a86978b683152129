import { Vector3 } from "three";
import { expect, it } from "vitest";
import { fit } from "./fit";

const d = { out: new Vector3(0, -1, 0), right: new Vector3(1, 0, 0), above: new Vector3(0, 0, 1) };
const [tan, aspect] = [Math.tan((20 * Math.PI) / 180), 1.5];
const box = (x: number, y: number, z: number, at = new Vector3()) =>
  [-1, 1].flatMap((a) => [-1, 1].flatMap((b) => [-1, 1].map((c) => new Vector3(a * x, b * y, c * z).add(at))));

/** How much of the picture's width and height points fill. */
function filled(points: Vector3[], { centre, distance }: { centre: Vector3; distance: number }): [number, number] {
  const at = points.map((p) => p.clone().sub(centre)).map((r) => {
    const depth = distance - r.dot(d.out);
    return [Math.abs(r.x) / (depth * tan * aspect), Math.abs(r.z) / (depth * tan)] as const;
  });
  return [Math.max(...at.map((a) => a[0])), Math.max(...at.map((a) => a[1]))];
}

it("fills the picture with what is long, flat or high, wherever it is", () => {
  for (const size of [[20, 1, 1], [1, 1, 9], [3, 8, 2], [1e-3, 1e-3, 1e-3]] as [number, number, number][]) {
    const points = box(...size, new Vector3(7, -3, 1e-2));
    const [w, h] = filled(points, fit(points, d, tan, aspect));
    expect(Math.max(w, h)).toBeGreaterThan(0.8);
    expect(Math.max(w, h)).toBeLessThan(1);
  }
});

it("keeps a centre that is given", () => {
  const centre = new Vector3(5, 0, 0);
  const points = box(1, 1, 1);
  const found = fit(points, d, tan, aspect, centre);
  expect(found.centre).toEqual(centre);
  expect(Math.max(...filled(points, found))).toBeLessThan(1);
});

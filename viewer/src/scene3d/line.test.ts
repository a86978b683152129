import { Vector3 } from "three";
import { expect, it } from "vitest";
import { Line } from "./line";

const R = 50;
/** A circle to the left in a plane that rises by `grade`, canted by `cant`. */
function circle(n: number, cant = 0, grade = 0): Line {
  const points: number[] = [];
  const slope = Math.atan(grade);
  for (let i = 0; i < n; i++) {
    const s = (i / (n - 1)) * 2 * Math.PI * R;
    const a = (s * Math.cos(slope)) / R;
    const t = new Vector3(Math.cos(a) * Math.cos(slope), Math.sin(a) * Math.cos(slope), Math.sin(slope));
    const level = new Vector3(-Math.sin(a), Math.cos(a), 0);
    const above = t.clone().cross(level);
    const left = level.multiplyScalar(Math.cos(cant)).addScaledVector(above, Math.sin(cant));
    points.push(s, R * Math.sin(a), R * (1 - Math.cos(a)), s * Math.sin(slope), ...t.toArray(), ...left.toArray());
  }
  return new Line(Float32Array.from(points), grade === 0);
}
const up = new Vector3(0, 0, 1);

it("tells the curvature, gradient and cant of a line from its points", () => {
  const shape = circle(400, 0.1, 0.03).shape(up);
  for (const i of [0, 1, 200, 399]) {
    expect(shape.curvature[i]).toBeCloseTo(1 / R, 4);
    expect(shape.gradient[i]).toBeCloseTo(0.03, 5);
    expect(shape.cant[i]).toBeCloseTo(0.1, 5);
  }
});

it("has the frame at any s, round and round where it is closed", () => {
  const line = circle(400, 0.1);
  const s = 0.25 * line.length;
  for (const at of [s, s + 3 * line.length, s - line.length]) {
    const e = line.frame(at).elements;
    expect([e[0], e[1], e[2]].map((x) => Math.round(x! * 1e3) / 1e3 + 0)).toEqual([0, 1, 0]);
    expect(e[4]).toBeCloseTo(-Math.cos(0.1), 3);
    expect(e[6]).toBeCloseTo(Math.sin(0.1), 3);
    expect(e[10]).toBeCloseTo(Math.cos(0.1), 3);
    expect([e[12]! / R, e[13]! / R].map((x) => Math.round(x * 100) / 100)).toEqual([1, 1]);
  }
});

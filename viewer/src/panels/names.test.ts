import { expect, it } from "vitest";
import { anglesOf, groupName } from "./names";

it("names groups for people", () => {
  expect(groupName("/bodies/position")).toBe("position");
  expect(groupName("/solver/least_residual")).toBe("least residual");
});

it("gives yaw, pitch and roll of a turn", () => {
  const [a, b, c] = [0.7, -0.4, 1.2]; // z, then y, then x
  const [ca, sa, cb, sb, cc, sc] = [a, b, c].flatMap((v) => [Math.cos(v / 2), Math.sin(v / 2)]) as [number, number, number, number, number, number];
  const q = [ca * cb * cc + sa * sb * sc, ca * cb * sc - sa * sb * cc, ca * sb * cc + sa * cb * sc, sa * cb * cc - ca * sb * sc] as const;
  const { yaw, pitch, roll } = anglesOf(...q);
  expect([yaw, pitch, roll].map((v) => v.toFixed(12))).toEqual([a, b, c].map((v) => v.toFixed(12)));
  expect(anglesOf(Math.SQRT1_2, 0, 0, Math.SQRT1_2).yaw).toBeCloseTo(Math.PI / 2, 12);
});

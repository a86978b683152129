import { expect, it } from "vitest";
import type { Run } from "../data/run";
import { peaksOf, sentence } from "./overview";

it("tells events in plain words", () => {
  const e = { t: 1, kind: "impact", subject: "front", text: "the curvature jumps at s = 3 m", value: 0.8858, unit: "J" };
  expect(sentence(e)).toBe("impulse at front: the curvature jumps at s = 3 m (885.8 mJ)");
  expect(sentence({ ...e, kind: "note", subject: "", value: null })).toBe("note: the curvature jumps at s = 3 m");
});

it("reads the peaks of a summary, and does without", () => {
  const run = (summary: string) => ({ header: { summary } }) as Run;
  const peak = { name: "ride.lateral", value: -0.5, unit: "m/s^2", t: 65.9 };
  expect(peaksOf(run(JSON.stringify({ extremes: [peak, { name: "x" }] })))).toEqual([peak]);
  expect(peaksOf(run(""))).toEqual([]);
  expect(peaksOf(run("no JSON"))).toEqual([]);
});

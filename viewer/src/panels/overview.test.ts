import { expect, it } from "vitest";
import type { Run } from "../data/run";
import { impulsesOf, peaksOf, sentence } from "./overview";

it("tells events in plain words", () => {
  const e = { t: 1, kind: "impact", subject: "front", text: "the curvature jumps at s = 3 m", value: 0.8858, unit: "J" };
  expect(sentence(e)).toBe("impulse at front: the curvature jumps at s = 3 m (885.8 mJ)");
  expect(sentence({ ...e, kind: "note", subject: "", value: null })).toBe("note: the curvature jumps at s = 3 m");
});

it("reads the peaks of a summary, and does without", () => {
  const run = (summary: string) => ({ header: { summary } }) as Run;
  const peak = { name: "ride.lateral", value: -0.5, unit: "m/s^2", t: 65.9 };
  expect(peaksOf(run(JSON.stringify({ extremes: [peak, { name: "x" }] })))).toEqual([peak]);
  const force = (element: string, column: string, ratio: number) => {
    const name = `${element}.reaction.${column}`;
    return { name, element, value: 10 * ratio, unit: "N", t: 1, ratio, compared_with: "weight" };
  };
  const forces = [force("a", "fx", 0.5), force("b", "fy", 2), force("a", "fz", 3), peak];
  expect(peaksOf(run(JSON.stringify({ extremes: forces }))).map((p) => p.name)).toEqual(["ride.lateral", "a.reaction.fz", "b.reaction.fy"]);
  const blow = { kind: "joint", element: "a", value: 3, unit: "N s", t: 2, count: 4 };
  expect(impulsesOf(run(JSON.stringify({ impulses: [blow, { ...blow, element: "b", value: -5 }] }))).map((p) => p.name)).toEqual(["b", "a"]);
  expect(peaksOf(run(""))).toEqual([]);
  expect(peaksOf(run("no JSON"))).toEqual([]);
});

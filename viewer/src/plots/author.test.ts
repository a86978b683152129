import { expect, it } from "vitest";
import { Packed } from "../data/decode";
import { packed } from "../data/fake";
import { Run } from "../data/run";
import { LIGHT } from "../theme";
import { authorFigures } from "./author";

function runWith(plots: object[]): Run {
  const series = [{ path: "/joints/coordinates", quantity: "", items: ["front.s", "front.turn"], columns: [""], units: ["m", "rad"], values: 1 }];
  const header = { format: "trammel-report", version: 1, time: 0, series, plots, bodies: [], joints: [], laws: [], events: [] };
  return new Run(new Packed(packed(header, [new Float64Array([0, 1]), new Float32Array([5, 6, 7, 8])])));
}

it("draws the author's plots: a figure for each panel and unit, over time or a channel", () => {
  const figures = authorFigures(runWith([{ name: "a", title: "Ride", x: "front.s", y: ["front.s, front.turn", "front.turn"] }]), LIGHT);
  expect(figures.map((f) => f.lines.map((l) => l.name))).toEqual([["front.s"], ["front.turn"], ["front.turn"]]);
  expect(figures[0]!.title).toBe("Ride: front.s");
  expect(Array.from(figures[1]!.x.values)).toEqual([5, 6]);
  expect(Array.from(figures[1]!.lines[0]!.values)).toEqual([7, 8]);
});

it("leaves out what the page has not, and needs no plots", () => {
  expect(authorFigures(runWith([{ name: "a", title: "", x: "gone", y: ["front.s"] }]), LIGHT)).toEqual([]);
  expect(authorFigures(runWith([{ name: "a", title: "", x: "time", y: ["gone", "front.s"] }]), LIGHT).map((f) => f.title)).toEqual(["a"]);
  expect(authorFigures(runWith([]), LIGHT)).toEqual([]);
});

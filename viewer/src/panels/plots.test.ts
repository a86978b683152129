import { expect, it } from "vitest";
import { matching } from "./plots";

it("finds channels by parts of names, with * for anything", () => {
  const all = ["a.speed", "b.speed", "b.speed.x", "c(1).w"].map((name) => ({ name, unit: "", series: 0, item: 0, column: 0 }));
  const found = (text: string) => matching(all, text).map((c) => c.name);
  expect(found("speed")).toEqual(["a.speed", "b.speed", "b.speed.x"]);
  expect(found(" B.*x ")).toEqual(["b.speed.x"]);
  expect(found("c(1)")).toEqual(["c(1).w"]);
  expect(found("")).toEqual(all.map((c) => c.name));
});

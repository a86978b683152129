import { expect, it } from "vitest";
import type { Verified } from "../data/verify";
import { LIGHT } from "../theme";
import { convergence } from "./convergence";
import { toSvg } from "./svg";

const level = (step: number, m: number) => ({ run: "", step, accuracy: null, error: { m, rad: 0 } });
const series = (name: string, observed_order: number | null, levels: ReturnType<typeof level>[]) =>
  ({ name, nominal_order: 2, observed_order, failure: "", note: "", levels, error: { m: 0, rad: 0 }, uncertainty: { m: 0, rad: 0 }, chaotic_beyond: null });
const verified = { series: [series("a", 2, [level(1e-3, 4e-6), level(5e-4, 1e-6), level(2.5e-4, 0)]), series("b", null, [level(0.01, 1e-9)])] } as unknown as Verified;

it("draws the errors of every series over its own steps, with its order", () => {
  const figure = convergence(verified, LIGHT, "m")!;
  expect(figure.x.values).toEqual([2.5e-4, 5e-4, 1e-3, 0.01]);
  expect(figure.lines.map((l) => l.name)).toEqual(["a (order 2.00)", "b (no order seen)"]);
  expect(figure.lines[0]!.values).toEqual([NaN, 1e-6, 4e-6, NaN]);
  expect(figure.lines[1]!.values).toEqual([NaN, NaN, NaN, 1e-9]);
  expect(convergence(verified, LIGHT, "rad")).toBeNull();
});

it("draws them on logarithmic axes, as one line through gaps", () => {
  const svg = toSvg(convergence(verified, LIGHT, "m")!);
  expect(svg.match(/<circle/g)!.length).toBe(3);
  expect(svg).toContain("10⁻⁹");
  const [, a, b] = /d="M([\d.]+) [\d.]+L([\d.]+) [\d.]+" fill="none"/.exec(svg)!.map(Number);
  expect((b! - a!) / (860 - 84 - 20)).toBeCloseTo(Math.log10(2) / Math.log10(40), 3);
});

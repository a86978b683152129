import type { Verified, VerifiedSeries } from "../data/verify";
import type { Palette } from "../theme";
import type { Figure } from "./figure";

/** The order in words, for the legend. */
export function orderOf(s: VerifiedSeries): string {
  if (s.observed_order !== null) return `order ${s.observed_order.toFixed(2)}`;
  return s.nominal_order > 0 ? "no order seen" : "by accuracy";
}

/** Errors of all runs over their steps; null: none has any. */
export function convergence(v: Verified, palette: Palette, unit: "m" | "rad"): Figure | null {
  const steps = [...new Set(v.series.flatMap((s) => s.levels.map((l) => l.step)))].filter((h) => h > 0).sort((a, b) => a - b);
  const lines = v.series.map((s, i) => ({
    name: `${s.name} (${orderOf(s)})`,
    unit,
    colour: palette.lines[i % palette.lines.length]!,
    values: steps.map((h) => s.levels.find((l) => l.step === h && l.error[unit])?.error[unit] ?? NaN),
  }));
  const shown = lines.filter((l) => l.values.some((e) => e > 0));
  if (shown.length === 0) return null;
  const what = unit === "m" ? "places" : "turns";
  return { title: `Error of ${what} over the step`, x: { name: "step", unit: "s", values: steps }, lines: shown, log: true, logX: true, dots: true, marks: () => [] };
}

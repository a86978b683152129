import type { Run } from "../data/run";
import type { Palette } from "../theme";
import type { Figure } from "./figure";

/** Lines of the solver's channels by name; null: none of them says anything. */
function figure(run: Run, palette: Palette, title: string, names: string[], again: () => Figure | null): Figure | null {
  const lines = names.flatMap((name, i) => {
    const channel = run.find(`solver.${name}`);
    if (!channel) return [];
    const values = run.values(channel);
    return values.some((v) => v !== 0) ? [{ name, unit: channel.unit, values, colour: palette.lines[i]! }] : [];
  });
  return lines.length === 0 ? null : { title, x: { name: "time", unit: "s", values: run.time }, lines, again };
}

/** How far rows were from being met. */
export function residuals(run: Run, palette: Palette): Figure | null {
  const out = figure(run, palette, "Solver: residuals", ["gap", "angle", "row_speed", "merit"], () => residuals(run, palette));
  return out && { ...out, log: true };
}
export function iterations(run: Run, palette: Palette): Figure | null {
  return figure(run, palette, "Solver: iterations of the last step", ["iterations", "fallback"], () => iterations(run, palette));
}

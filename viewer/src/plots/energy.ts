import type { Run } from "../data/run";
import type { Palette } from "../theme";
import type { Figure, Line } from "./figure";

/** Values above their least: a potential's zero is anybody's choice, and areas can be stacked. */
function aboveLeast(values: ArrayLike<number>): number[] {
  let least = Infinity;
  for (let i = 0; i < values.length; i++) if (values[i]! < least) least = values[i]!;
  return Array.from(values, (v) => v - (Number.isFinite(least) ? least : 0));
}

function matters(values: ArrayLike<number>): boolean {
  return Array.from(values).some((v) => Number.isFinite(v) && v !== 0);
}

/** Where energy is: kinetic, potential and stored, one above the other. */
export function stores(run: Run, palette: Palette): Figure | null {
  const lines: Line[] = [];
  for (const name of ["kinetic", "gravity", "stored"]) {
    const channel = run.find(`energy.${name}`);
    if (!channel) continue;
    const values = name === "kinetic" ? run.values(channel) : aboveLeast(run.values(channel));
    if (!matters(values)) continue;
    const label = name === "kinetic" ? name : `${name}, above its minimum`;
    lines.push({ name: label, unit: "J", values, colour: palette.lines[lines.length]! });
  }
  if (lines.length === 0) return null;
  return { title: "Energy", x: { name: "time", unit: "s", values: run.time }, lines, stacked: true };
}

/** What brought it in and took it out. */
export function works(run: Run, palette: Palette): Figure | null {
  const ledger = run.header.series.findIndex((s) => s.path === "/ledger/work");
  const all = ledger < 0 ? [] : run.header.series[ledger]!.items.flatMap((_, item) => run.channelsOf(ledger, item));
  const channels = all.filter((c) => c.name.endsWith(".work") && matters(run.values(c)));
  const greatest = (values: Float32Array) => values.reduce((m, v) => Math.max(m, Math.abs(v) || 0), 0);
  channels.sort((a, b) => greatest(run.values(b)) - greatest(run.values(a)));
  const lines = channels.slice(0, palette.lines.length).map((c, i) => ({
    name: c.name.replace(/\.work$/, ""),
    unit: c.unit,
    values: run.values(c),
    colour: palette.lines[i]!,
  }));
  if (lines.length === 0) return null;
  return { title: "Work since the start", x: { name: "time", unit: "s", values: run.time }, lines };
}

/** The energy residual: what the energy balance leaves unexplained. */
export function imbalance(run: Run, palette: Palette): Figure | null {
  const channel = run.find("energy.imbalance");
  if (!channel) return null;
  const line = { name: "imbalance", unit: "J", values: run.values(channel), colour: palette.lines[1]! };
  return { title: "Energy residual", x: { name: "time", unit: "s", values: run.time }, lines: [line] };
}

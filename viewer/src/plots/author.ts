import type { AuthorPlot } from "../data/header";
import type { Channel, Run } from "../data/run";
import type { Palette } from "../theme";
import type { Figure } from "./figure";

/** Groups of channels of one unit each: what may share an axis. */
export function byUnit(channels: readonly Channel[]): Channel[][] {
  const out = new Map<string, Channel[]>();
  for (const c of channels) out.set(c.unit, [...(out.get(c.unit) ?? []), c]);
  return [...out.values()];
}

/** A figure of channels over another one, or over time. */
export function figureOf(run: Run, palette: Palette, title: string, channels: readonly Channel[], over: Channel | undefined): Figure {
  const lines = channels.slice(0, palette.lines.length).map((c, i) => ({ name: c.name, unit: c.unit, values: run.values(c), colour: palette.lines[i]! }));
  const x = over ? { name: over.name, unit: over.unit, values: run.values(over) } : { name: "time", unit: "s", values: run.time };
  return { title, x, lines, again: () => figureOf(run, palette, title, channels, over) };
}

/** The figures of one of the author's plots; channels that the page was too small for are left out. */
function figuresOf(run: Run, palette: Palette, plot: AuthorPlot): Figure[] {
  const over = plot.x === "time" ? undefined : run.find(plot.x);
  if (plot.x !== "time" && !over) return [];
  const panels = plot.y.flatMap((y) => byUnit(y.split(",").map((name) => run.find(name.trim())).filter((c) => c !== undefined)));
  const title = plot.title || plot.name;
  return panels.map((channels) => figureOf(run, palette, panels.length > 1 ? `${title}: ${channels.map((c) => c.name).join(", ")}` : title, channels, over));
}

/** What the scene's author wants to see of a run. */
export function authorFigures(run: Run, palette: Palette): Figure[] {
  return (run.header.plots ?? []).flatMap((plot) => figuresOf(run, palette, plot));
}

import { Vector3 } from "three";
import type { Run } from "../data/run";
import { quantity } from "../data/units";
import type { Figure } from "../plots/figure";
import { Line } from "../scene3d/line";
import type { Palette } from "../theme";

const MOST_POINTS = 4000;

function lineOf(run: Run, name: string): Line | null {
  const track = run.header.tracks.find((t) => t.name === name);
  return track ? new Line(run.packed.floats(track.points), track.closed) : null;
}
export function upOf(run: Run): Vector3 {
  const g = new Vector3(...(run.header.gravity as [number, number, number]));
  return g.length() > 0 ? g.normalize().negate() : new Vector3(0, 0, 1);
}

function greatest(values: ArrayLike<number>): number {
  let out = 0;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]!) > Math.abs(out)) out = values[i]!;
  return out;
}

/** What a track is, in words. */
export function trackFacts(run: Run, name: string): [string, string][] {
  const line = lineOf(run, name);
  const track = run.header.tracks.find((t) => t.name === name);
  if (!line || !track) return [];
  const { curvature, gradient, cant } = line.shape(upOf(run));
  const tightest = greatest(curvature);
  const joints = run.header.joints.filter((j) => j.track === name).map((j) => j.name);
  return [
    ["length", quantity(line.length, "m") + (line.closed ? ", closed" : "")],
    ["from, to", `${quantity(line.first, "m")}, ${quantity(line.last, "m")}`],
    ["carried by", track.body || "the ground"],
    ["tightest radius", Math.abs(tightest) > 1e-6 ? `${quantity(1 / Math.abs(tightest), "m")}, to the ${tightest > 0 ? "left" : "right"}` : "straight"],
    ["steepest gradient", `${(100 * greatest(gradient)).toFixed(3)} %`],
    ["greatest cant", quantity(greatest(cant), "rad")],
    ["joints along it", joints.join(", ") || "none"],
  ];
}

/** Curvature, gradient and cant along a track; marks where joints are on it now. */
export function trackFigures(run: Run, name: string, palette: Palette, now: () => number): Figure[] {
  const line = lineOf(run, name);
  if (!line) return [];
  const shape = line.shape(upOf(run));
  const skip = Math.max(1, Math.ceil(line.count / MOST_POINTS));
  const thin = (values: Float64Array, factor = 1) => Array.from(values.filter((_, i) => i % skip === 0), (v) => v * factor);
  const channels = run.header.joints.filter((j) => j.track === name).flatMap((j) => run.find(`${j.name}.s`) ?? []);
  const wrap = (s: number) => (line.closed ? line.first + ((((s - line.first) % line.length) + line.length) % line.length) : s);
  const marks = () => channels.map((c) => wrap(run.at(c, now())));
  const x = { name: "s", unit: "m", values: thin(shape.s) };
  const figure = (title: string, unit: string, values: number[], k: number): Figure => ({
    title: `${title} of ${name}`,
    x,
    lines: [{ name: title, unit, values, colour: palette.lines[k]! }],
    marks,
  });
  return [
    figure("curvature", "1/m", thin(shape.curvature), 0),
    figure("gradient", "%", thin(shape.gradient, 100), 2),
    figure("cant", "°", thin(shape.cant, 180 / Math.PI), 1),
  ];
}

/** Channels of what runs along it. */
export function trackChannels(run: Run, name: string): ReturnType<Run["channelsNamed"]> {
  const own = run.header.joints.filter((j) => j.track === name);
  return own.flatMap((j) => {
    const s = run.find(`${j.name}.s`);
    const running = run.channelsNamed(j.name).filter((c) => run.header.series[c.series]!.path === "/tracks/running");
    return [...(s ? [s] : []), ...running];
  });
}

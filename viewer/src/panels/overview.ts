import type { RunEvent } from "../data/header";
import type { Run } from "../data/run";
import { number, quantity } from "../data/units";
import { el, replace } from "../dom";

/** Paths of summary.json that a person wants to see first, with their unit. */
const FIRST: [string, string, string][] = [
  ["simulated_s", "simulated", "s"],
  ["step_s", "step", "s"],
  ["steps", "steps", ""],
  ["degrees_of_freedom", "degrees of freedom", ""],
  ["redundant_rows", "redundant constraints", ""],
  ["max_drift_m", "joint drift, translation", "m"],
  ["max_drift_rad", "joint drift, rotation", "rad"],
  ["energy_residual_J", "energy residual", "J"],
  ["energy_residual_rel", "relative energy residual", ""],
  ["momentum_residual_rel", "relative momentum residual", ""],
  ["numerical_damping_rel", "relative numerical damping", ""],
  ["wall_s", "wall time", "s"],
  ["waited_s", "waiting, not counted", "s"],
  ["speed_factor", "real-time factor", ""],
];

function summaryOf(run: Run): Record<string, unknown> {
  try {
    return JSON.parse(run.header.summary || "{}") as Record<string, unknown>;
  } catch {
    return {};
  }
}

function row(name: string, value: string): HTMLElement {
  return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value));
}

/** Warnings first. */
export function warnings(run: Run): HTMLElement | null {
  const list = run.header.events.filter((e) => e.kind === "warning" || e.kind === "failure");
  if (list.length === 0) return null;
  return el(
    "div",
    { class: "warnings", role: "alert" },
    el("h3", {}, `${list.length} warning${list.length > 1 ? "s" : ""} of the run`),
    el("ul", {}, ...list.map((e) => el("li", {}, el("b", {}, e.subject ? `${e.subject}: ` : ""), e.text))),
  );
}

/** What the page does not show of the run, in words; empty: nothing. */
export function leftOut(run: Run): string[] {
  const { thinning, no_shapes, events_left_out } = run.header;
  const out: string[] = [];
  if (thinning.every > 1)
    out.push(
      run.header.live
        ? `The run is long: of its first frames each ${thinning.every}th is kept in this page.`
        : `${run.frames} of ${thinning.frames_of_run} frames are in this page (each ${thinning.every}th), ` +
            `so that it stays below ${number(thinning.most_bytes / 1e6)} MB.`,
    );
  if (thinning.left_out.length > 0) out.push(`Left out for the same reason: ${thinning.left_out.join(", ")}.`);
  if (no_shapes) out.push(`The scene could not be read again, shapes and tracks are missing: ${no_shapes}`);
  if (events_left_out > 0) out.push(`${events_left_out} further events are not listed.`);
  return out;
}

const MOST_EVENTS = 500;

function factsOf(run: Run): HTMLElement {
  const { header } = run;
  const summary = summaryOf(run);
  const rows = [
    row("ended", header.live && header.ending === "open" ? "not yet" : header.ending),
    row("formulation", [header.formulation, summary.scheme].filter((x) => x).join(", ")),
    row("bodies, joints, laws", [header.bodies, header.joints, header.laws].map((l) => l.length).join(", ")),
    row("frames", `${run.frames}, ${quantity(run.start, "s")} to ${quantity(run.end, "s")}`),
    ...FIRST.filter(([key]) => typeof summary[key] === "number").map(([key, name, unit]) =>
      row(name, quantity(summary[key] as number, unit)),
    ),
    row("Trammel", header.trammel),
  ];
  if (header.overrides) rows.push(row("changed by hand", header.overrides));
  return el("table", { class: "facts" }, el("tbody", {}, ...rows));
}

interface Peak {
  name: string;
  value: number;
  unit: string;
  t: number;
  element?: string;
  ratio?: number;
  compared_with?: string;
}

function isPeak(p: Partial<Peak>): p is Peak {
  return typeof p.name === "string" && typeof p.value === "number" && typeof p.t === "number" && typeof p.unit === "string";
}

function listOf<T>(run: Run, key: string): Partial<T>[] {
  const list = summaryOf(run)[key];
  return Array.isArray(list) ? (list as Partial<T>[]) : [];
}

const MOST_FORCES = 10;

/**
 * The greatest values of channels as the summary has them, each with the time when it was reached: of forces those
 * of the elements with the largest ratios to their strength or to the weight, each by its largest channel.
 */
export function peaksOf(run: Run): Peak[] {
  const all = listOf<Peak>(run, "extremes").filter(isPeak);
  const seen = new Set<string>();
  const forces = all
    .filter((p) => p.compared_with)
    .sort((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0))
    .filter((p) => !seen.has(p.element ?? p.name) && seen.add(p.element ?? p.name));
  return [...all.filter((p) => !p.compared_with), ...forces.slice(0, MOST_FORCES)];
}

/** The greatest impulses of impacts, the largest first; each is named after its element. */
export function impulsesOf(run: Run): Peak[] {
  return listOf<Peak & { count: number }>(run, "impulses")
    .map((p): Partial<Peak> => ({ ...p, name: p.element, compared_with: p.count === 1 ? "1 impact" : `${p.count} impacts` }))
    .filter(isPeak)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, MOST_FORCES);
}

/** A click on a time goes there. */
function tableOf(title: string, peaks: Peak[], last: string, setTime: (t: number) => void): HTMLElement[] {
  if (peaks.length === 0) return [];
  const beside = (p: Peak) => [p.ratio === undefined ? "" : `${number(p.ratio)} ×`, p.compared_with ?? ""].join(" ").trim();
  const line = (p: Peak) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, p.name),
      el("td", {}, quantity(p.value, p.unit)),
      el("td", {}, el("button", { class: "link", title: `Go to ${quantity(p.t, "s")}`, onclick: () => setTime(p.t) }, quantity(p.t, "s"))),
      el("td", {}, beside(p)),
    );
  const head = el("thead", {}, el("tr", {}, ...["", "greatest", "at", last].map((text) => el("th", { scope: "col" }, text))));
  return [el("h3", {}, title), el("div", { class: "wide" }, el("table", { class: "facts columns peaks" }, head, el("tbody", {}, ...peaks.map(line))))];
}

const EVENTS: Record<string, string> = { impact: "impulse", "open end": "left the track at its end", derail: "derailed", break: "broke", input: "input" };

/** An event in plain words: "impulse at front: the curvature … jumps (885.8 mJ)". */
export function sentence(e: RunEvent): string {
  const kind = EVENTS[e.kind] ?? e.kind;
  const what = e.subject ? `${kind} ${e.kind === "impact" ? "at " : ""}${e.subject}` : kind;
  const size = e.value !== null && e.unit ? ` (${quantity(e.value, e.unit)})` : "";
  return `${what}${e.text ? `: ${e.text}` : ""}${size}`;
}

/** The last ones, where there are many. */
function eventsOf(run: Run, setTime: (t: number) => void): HTMLElement[] {
  const events = run.header.events.filter((e) => e.kind !== "warning" && e.kind !== "failure");
  const title = el("h3", {}, `Events (${events.length})`);
  if (events.length === 0) return [title, el("p", { class: "muted" }, "none")];
  const item = (e: RunEvent) =>
    el(
      "li",
      {},
      el("button", { class: "link", onclick: () => setTime(e.t) }, quantity(e.t, "s")),
      ` ${sentence(e)}`,
    );
  const shown = run.header.live ? events.slice(-MOST_EVENTS) : events.slice(0, MOST_EVENTS);
  return [title, el("ol", { class: "events" }, ...shown.map(item))];
}

/** How the run went, and what happened in it. */
export class Overview {
  readonly element: HTMLElement;
  private readonly head = el("div", {});
  private readonly events = el("div", {});
  private known = "";

  constructor(
    private readonly run: Run,
    private readonly setTime: (t: number) => void,
  ) {
    const scene = el("details", {}, el("summary", {}, "The scene"), el("pre", { tabindex: 0 }, run.header.scene_text));
    this.element = el("div", {}, this.head, this.events, scene);
    this.refill();
  }
  /** What there is by now. */
  refill(): void {
    const { run } = this;
    const missing = leftOut(run);
    replace(
      this.head,
      ...[warnings(run)].filter((x) => x !== null),
      ...(missing.length > 0 ? [el("div", { class: "note" }, ...missing.map((m) => el("p", {}, m)))] : []),
      factsOf(run),
      ...tableOf("Peaks", peaksOf(run), "compared with", this.setTime),
      ...tableOf("Impulses of impacts", impulsesOf(run), "of", this.setTime),
    );
    const { events } = run.header;
    const known = `${events.length} ${events[events.length - 1]?.t}`;
    if (this.known === known) return;
    this.known = known;
    replace(this.events, ...eventsOf(run, this.setTime));
    const list = this.events.querySelector("ol");
    if (list && run.header.live) list.scrollTop = list.scrollHeight;
  }
}

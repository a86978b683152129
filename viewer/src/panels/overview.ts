import type { Run } from "../data/run";
import { number, quantity } from "../data/units";
import { el } from "../dom";

/** Paths of summary.json that a person wants to see first, with their unit. */
const FIRST: [string, string, string][] = [
  ["simulated_s", "simulated", "s"],
  ["step_s", "step", "s"],
  ["steps", "steps", ""],
  ["degrees_of_freedom", "degrees of freedom", ""],
  ["redundant_rows", "redundant rows", ""],
  ["max_drift_m", "greatest gap of joints", "m"],
  ["max_drift_rad", "greatest misalignment", "rad"],
  ["energy_residual_J", "energy not accounted for", "J"],
  ["energy_residual_rel", "… of what moved", ""],
  ["momentum_residual_rel", "momentum not accounted for, of its most", ""],
  ["numerical_damping_rel", "numerical damping, of what moved", ""],
  ["wall_s", "time it took", "s"],
  ["speed_factor", "times real time", ""],
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
  if (run.frames < thinning.frames_of_run)
    out.push(
      `${run.frames} of ${thinning.frames_of_run} frames are in this page (each ${thinning.every}th), ` +
        `so that it stays below ${number(thinning.most_bytes / 1e6)} MB.`,
    );
  if (thinning.left_out.length > 0) out.push(`Left out for the same reason: ${thinning.left_out.join(", ")}.`);
  if (no_shapes) out.push(`The scene could not be read again, shapes and tracks are missing: ${no_shapes}`);
  if (events_left_out > 0) out.push(`${events_left_out} further events are not listed.`);
  return out;
}

export function overview(run: Run, setTime: (t: number) => void): HTMLElement {
  const { header } = run;
  const summary = summaryOf(run);
  const rows = [
    row("ended", header.ending),
    row("formulation", [header.formulation, summary.scheme].filter((x) => x).join(", ")),
    row("bodies, joints, laws", [header.bodies, header.joints, header.laws].map((l) => l.length).join(", ")),
    row("frames", `${run.frames}, ${quantity(run.start, "s")} to ${quantity(run.end, "s")}`),
    ...FIRST.filter(([key]) => typeof summary[key] === "number").map(([key, name, unit]) =>
      row(name, quantity(summary[key] as number, unit)),
    ),
    row("Trammel", header.trammel),
  ];
  if (header.overrides) rows.push(row("changed by hand", header.overrides));
  const missing = leftOut(run);
  const events = header.events.filter((e) => e.kind !== "warning" && e.kind !== "failure");
  return el(
    "div",
    {},
    ...[warnings(run)].filter((x) => x !== null),
    ...(missing.length > 0 ? [el("div", { class: "note" }, ...missing.map((m) => el("p", {}, m)))] : []),
    el("table", { class: "facts" }, el("tbody", {}, ...rows)),
    el("h3", {}, `Events (${events.length})`),
    events.length > 0
      ? el(
          "ol",
          { class: "events" },
          ...events.slice(0, 500).map((e) =>
            el(
              "li",
              {},
              el("button", { class: "link", onclick: () => setTime(e.t) }, quantity(e.t, "s")),
              ` ${e.kind} ${e.subject} ${e.text} ${e.value !== null && e.unit ? quantity(e.value, e.unit) : ""}`,
            ),
          ),
        )
      : el("p", { class: "muted" }, "none"),
    el("details", {}, el("summary", {}, "The scene"), el("pre", { tabindex: 0 }, header.scene_text)),
  );
}

import type { Run } from "../data/run";
import { number, quantity } from "../data/units";
import type { Distance, Verified } from "../data/verify";
import { el } from "../dom";
import { Charts } from "../plots/charts";
import { convergence, orderOf } from "../plots/convergence";
import type { Palette } from "../theme";
import type { Clock } from "../timeline/clock";

const VERDICTS: Record<string, string> = {
  agrees: "All ways of solving agree.",
  disagrees: "Ways of solving disagree, or the results show an error.",
  "ill-posed": "Forces are not determined though something depends on them.",
  "not resolved": "A way of solving is not resolved from some time on; what is resolved agrees.",
  unfinished: "Not finished: there is no verdict.",
};

function both(d: Distance): string {
  return [quantity(d.m ?? NaN, "m"), d.rad === null ? "–" : `${number(d.rad, 3)} rad`].join(", ");
}
function list(title: string, items: string[], kind: string): HTMLElement[] {
  if (items.length === 0) return [];
  return [el("div", { class: kind, ...(kind === "warnings" ? { role: "alert" } : {}) }, el("h3", {}, title), el("ul", {}, ...items.map((x) => el("li", {}, x))))];
}
function table(head: string[], rows: string[][]): HTMLElement {
  const th = (text: string, scope: string) => el("th", { scope }, text);
  return el(
    "div",
    { class: "wide", tabindex: 0, role: "group", "aria-label": head.join(", ") },
    el(
      "table",
      { class: "facts columns" },
      el("thead", {}, el("tr", {}, ...head.map((h) => th(h, "col")))),
      el("tbody", {}, ...rows.map(([first, ...rest]) => el("tr", {}, th(first!, "row"), ...rest.map((x) => el("td", {}, x))))),
    ),
  );
}

/** What `trammel verify` found: the verdict, findings, how each way of solving tends to its limit. */
export class Verify {
  readonly element: HTMLElement;
  private readonly charts: Charts;

  constructor(run: Run, clock: Clock, palette: Palette, v: Verified) {
    this.charts = new Charts(run, clock, palette, false);
    for (const unit of ["m", "rad"] as const) {
      const figure = convergence(v, palette, unit);
      if (figure) this.charts.add(figure);
    }
    const good = v.status === "agrees";
    const residuals = v.independent?.residuals ?? [];
    this.element = el(
      "div",
      {},
      el("p", { class: `verdict ${good ? "good" : "bad"}`, role: "status" }, el("b", {}, v.status), ` ${VERDICTS[v.status] ?? ""}`),
      el("p", { class: "muted" }, `${quantity(v.horizon, "s")} of ${quantity(v.duration, "s")}, step ${quantity(v.step, "s")}, size ${quantity(v.size, "m")}; up to ${both(v.distance)} apart.`),
      ...list("Findings", v.findings, "warnings"),
      ...list("Ill-posed", v.ill_posed, "warnings"),
      ...list("Not resolved", (v.not_resolved ?? []).map((u) => `${u.series} from ${quantity(u.from, "s")} on: ${u.why}`), "warnings"),
      ...list("Unfinished", v.unfinished, "warnings"),
      this.charts.element,
      el("h3", {}, "Ways of solving"),
      table(["way", "order", "error", "uncertain"], v.series.map((s) => [s.name, orderOf(s), both(s.error), both(s.uncertainty)])),
      ...list("Notes", v.series.flatMap((s) => [s.failure, s.note].filter((x) => x).map((x) => `${s.name}: ${x}`)), "note"),
      ...list("Not compared", v.not_compared.map((n) => `${n.name}: ${n.why}`), "note"),
      ...(residuals.length > 0
        ? [
            el("h3", {}, "From the results alone"),
            table(
              ["what", "worst", "allowed", ""],
              residuals.map((r) => [
                r.what,
                `${number(r.worst ?? NaN, 2)} ${r.unit}`,
                r.judged ? number(r.allowed ?? NaN, 2) : "not judged",
                r.ok ? "✓" : `✗ ${r.subject} at ${quantity(r.t ?? NaN, "s")}`,
              ]),
            ),
          ]
        : []),
      ...list("Not checked", v.independent?.not_checked ?? [], "note"),
    );
  }
  update(): void {
    this.charts.update();
  }
  recolour(palette: Palette): void {
    this.charts.recolour(palette);
  }
}

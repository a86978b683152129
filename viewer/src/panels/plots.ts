import type { Channel, Run } from "../data/run";
import { el } from "../dom";
import { Charts } from "../plots/charts";
import { authorFigures, byUnit, figureOf } from "../plots/author";
import { rises } from "../plots/figure";
import { iterations, residuals } from "../plots/solver";
import type { Palette } from "../theme";
import type { Clock } from "../timeline/clock";
import { VirtualList } from "./virtual";

/** Ways along tracks and the like, that only rise: what is often wanted along x. */
function ways(run: Run): Channel[] {
  return run.header.series
    .flatMap((s, series) => s.items.flatMap((name, item) => (name.endsWith(".s") ? run.channelsOf(series, item) : [])))
    .filter((c) => c.unit === "m" && rises(run.values(c)))
    .slice(0, 40);
}

/** What is looked for: "*" stands for anything. */
export function matching(channels: Channel[], text: string): Channel[] {
  const pattern = new RegExp(text.trim().toLowerCase().replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*"));
  return channels.filter((c) => pattern.test(c.name.toLowerCase()));
}

const MOST_LINES = 8;
const ANOTHER = "another";

/** Plots of any channels. */
export class Plots {
  readonly element: HTMLElement;
  private readonly charts: Charts;
  private readonly x: HTMLSelectElement;
  private readonly other: HTMLInputElement;
  private readonly filter: HTMLInputElement;
  private readonly all = el("button", { class: "small strong", onclick: () => this.add(this.found) });
  private readonly list: VirtualList;
  private readonly ways: Channel[];
  private found: Channel[] = [];

  constructor(
    private readonly run: Run,
    clock: Clock,
    private palette: Palette,
  ) {
    this.charts = new Charts(run, clock, palette, true);
    this.ways = ways(run);
    this.x = el("select", { "aria-label": "Along x", onchange: () => this.chooseX() }, el("option", { value: "" }, "over time"));
    for (const c of this.ways) this.x.append(el("option", { value: c.name }, `over ${c.name}`));
    this.x.append(el("option", { value: ANOTHER }, "over another channel"));
    this.other = el("input", { type: "search", placeholder: "Channel along x, by its full name", "aria-label": "Channel along x", hidden: true, oninput: () => this.checkX() });
    this.filter = el("input", {
      type: "search",
      placeholder: `Find among ${run.width} channels, e.g. *.speed`,
      "aria-label": "Find channels",
      oninput: () => this.search(),
    });
    this.list = new VirtualList("Channels found", "channel", (i) => ({ text: this.found[i]!.name, note: this.found[i]!.unit }), (i) => this.add([this.found[i]!]));
    const solver = run.series("/solver") ? [el("button", { class: "small", title: "Iterations and residuals of the solver", onclick: () => this.solver() }, "Solver")] : [];
    this.element = el(
      "div",
      {},
      el("div", { class: "row" }, this.filter, this.x),
      el("div", { class: "row" }, this.other),
      this.list.element,
      el("div", { class: "row tools" }, ...solver, this.all),
      this.charts.element,
    );
    this.all.hidden = true;
    this.list.show(0);
    for (const figure of authorFigures(run, palette)) this.charts.add(figure);
  }

  /** The panel was opened. */
  open(): void {
    if (this.found.length === 0) this.search();
  }
  private search(): void {
    this.found = matching(this.run.channels, this.filter.value);
    this.list.show(this.found.length);
    this.all.hidden = !this.filter.value || this.found.length < 2 || this.found.length > MOST_LINES;
    this.all.textContent = `plot all ${this.found.length}`;
  }
  private chooseX(): void {
    this.other.hidden = this.x.value !== ANOTHER;
    if (!this.other.hidden) this.other.focus();
  }
  private checkX(): void {
    this.other.setAttribute("aria-invalid", String(!this.run.find(this.other.value.trim())));
  }

  add(channels: Channel[]): void {
    const way = this.run.find(this.x.value === ANOTHER ? this.other.value.trim() : this.x.value);
    if (this.x.value === ANOTHER && !way) return this.checkX();
    for (const group of byUnit(channels)) this.charts.add(figureOf(this.run, this.palette, titleOf(group), group.slice(0, MOST_LINES), way));
  }
  private solver(): void {
    for (const figure of [residuals(this.run, this.palette), iterations(this.run, this.palette)]) if (figure) this.charts.add(figure);
  }
  refill(): void {
    this.charts.refill();
  }
  update(): void {
    this.charts.update();
  }
  recolour(palette: Palette): void {
    this.palette = palette;
    this.charts.recolour(palette);
  }
}

function titleOf(group: Channel[]): string {
  return group.length === 1 ? group[0]!.name : `${group[0]!.name} … ${group[group.length - 1]!.name}`;
}

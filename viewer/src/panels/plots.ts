import type { Channel, Run } from "../data/run";
import { el } from "../dom";
import { Chart } from "../plots/chart";
import { imbalance, stores, works } from "../plots/energy";
import type { Figure } from "../plots/figure";
import type { Palette } from "../theme";
import type { Clock } from "../timeline/clock";

function rises(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (!(values[i]! >= values[i - 1]!)) return false;
  return values.length > 1;
}

/** What may lie along x: the time, and ways that only rise. */
function abscissas(run: Run): Channel[] {
  return run.header.series
    .flatMap((s, series) => s.items.flatMap((name, item) => (name.endsWith(".s") ? run.channelsOf(series, item) : [])))
    .filter((c) => c.unit === "m" && rises(run.values(c)));
}

/** Groups of lines of one unit each: what may share an axis. */
function byUnit(channels: Channel[]): Channel[][] {
  const out = new Map<string, Channel[]>();
  for (const c of channels) out.set(c.unit, [...(out.get(c.unit) ?? []), c]);
  return [...out.values()];
}

/** A list of charts that are kept through a change of colours. */
class Charts {
  readonly element = el("div", { class: "charts" });
  private charts: Chart[] = [];
  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    private palette: Palette,
    private readonly removable: boolean,
  ) {}

  add(figure: Figure): void {
    const chart: Chart = new Chart(
      figure,
      this.run,
      this.clock,
      this.palette,
      this.removable ? () => this.remove(chart) : undefined,
    );
    this.charts.push(chart);
    this.element.append(chart.element);
  }
  /** Others in the place of all; `alike`: they have the same lines. */
  show(figures: Figure[], alike: boolean): void {
    if (alike) return this.charts.forEach((c, i) => c.refill(figures[i]!));
    for (const c of this.charts) c.close();
    this.charts = [];
    for (const f of figures) this.add(f);
  }
  private remove(chart: Chart): void {
    this.charts = this.charts.filter((c) => c !== chart);
    chart.close();
  }
  get figures(): Figure[] {
    return this.charts.map((c) => c.figure);
  }
  /** The frames that there are by now. */
  refill(): void {
    for (const chart of this.charts) {
      const now = chart.figure.again?.();
      if (now) chart.refill(now);
    }
  }
  update(): void {
    for (const c of this.charts) c.update();
  }
  recolour(palette: Palette): void {
    const old = this.palette.lines;
    this.palette = palette;
    const figures = this.figures;
    for (const c of this.charts) c.close();
    this.charts = [];
    for (const f of figures) {
      for (const line of f.lines) line.colour = palette.lines[old.indexOf(line.colour)] ?? line.colour;
      this.add(f);
    }
  }
}

const MOST_FOUND = 60;
const MOST_LINES = 8;

/** Plots of any channels. */
export class Plots {
  readonly element: HTMLElement;
  private readonly charts: Charts;
  private readonly x: HTMLSelectElement;
  private readonly filter: HTMLInputElement;
  private readonly found = el("div", { class: "found", role: "group", "aria-label": "Channels found" });
  private readonly ways: Channel[];

  constructor(
    private readonly run: Run,
    clock: Clock,
    private palette: Palette,
  ) {
    this.charts = new Charts(run, clock, palette, true);
    this.ways = abscissas(run);
    this.x = el("select", { "aria-label": "Along x" }, el("option", { value: -1 }, "over time"));
    this.ways.forEach((c, i) => this.x.append(el("option", { value: i }, `over ${c.name}`)));
    this.filter = el("input", {
      type: "search",
      placeholder: `Find among ${run.width} channels, e.g. *.speed`,
      "aria-label": "Find channels",
      oninput: () => this.search(),
    });
    this.element = el("div", {}, el("div", { class: "row" }, this.filter, this.x), this.found, this.charts.element);
    this.search();
  }

  private search(): void {
    const text = this.filter.value.trim().toLowerCase();
    const pattern = new RegExp(text.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*"));
    const hits = this.run.channels.filter((c) => pattern.test(c.name.toLowerCase()));
    const shown = hits.slice(0, MOST_FOUND);
    const all =
      text && shown.length > 1 && shown.length <= MOST_LINES
        ? [el("button", { class: "small strong", onclick: () => this.add(shown) }, `all ${shown.length}`)]
        : [];
    this.found.replaceChildren(
      ...all,
      ...shown.map((c) => el("button", { class: "small", onclick: () => this.add([c]) }, c.name)),
      ...(hits.length > shown.length ? [el("span", { class: "muted" }, ` and ${hits.length - shown.length} more`)] : []),
    );
  }

  add(channels: Channel[]): void {
    const way = this.ways[Number(this.x.value)];
    for (const group of byUnit(channels)) this.charts.add(this.figure(group, way));
  }
  private figure(group: Channel[], way: Channel | undefined): Figure {
    const lines = group.slice(0, MOST_LINES).map((c, i) => ({
      name: c.name,
      unit: c.unit,
      values: this.run.values(c),
      colour: this.palette.lines[i]!,
    }));
    const x = way
      ? { name: way.name, unit: way.unit, values: this.run.values(way) }
      : { name: "time", unit: "s", values: this.run.time };
    return { title: titleOf(group), x, lines, again: () => this.figure(group, way) };
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

/** The balance of energy. */
export class Energy {
  readonly element: HTMLElement;
  private readonly charts: Charts;
  private lines = "";
  constructor(
    private readonly run: Run,
    clock: Clock,
    private palette: Palette,
  ) {
    this.charts = new Charts(run, clock, palette, false);
    this.refill();
    this.element = el(
      "div",
      {},
      el("p", { class: "muted" }, "What is kinetic, potential and stored, what laws and loads did, and what the accounts do not explain."),
      this.charts.element,
    );
  }
  update(): void {
    this.charts.update();
  }
  /** The frames that there are by now; lines that begin to matter come in. */
  refill(): void {
    const { run, palette } = this;
    const figures = [stores(run, palette), works(run, palette), imbalance(run, palette)].filter((f) => f !== null);
    const lines = figures.map((f) => f.lines.map((l) => l.name).join()).join(";");
    this.charts.show(figures, lines === this.lines);
    this.lines = lines;
  }
  recolour(palette: Palette): void {
    this.palette = palette;
    this.charts.recolour(palette);
  }
}

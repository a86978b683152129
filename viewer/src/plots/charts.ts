import type { Run } from "../data/run";
import { el } from "../dom";
import type { Palette } from "../theme";
import type { Clock } from "../timeline/clock";
import { Chart } from "./chart";
import type { Figure } from "./figure";

/** A list of charts that are kept through a change of colours. */
export class Charts {
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

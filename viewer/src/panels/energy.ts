import type { Run } from "../data/run";
import { el } from "../dom";
import { Charts } from "../plots/charts";
import { imbalance, stores, works } from "../plots/energy";
import type { Palette } from "../theme";
import type { Clock } from "../timeline/clock";

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
      el("p", { class: "muted" }, "Kinetic, potential and stored energy, the work of laws and loads, and the energy residual."),
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

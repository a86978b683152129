import uPlot from "uplot";
import type { Clock } from "../timeline/clock";
import type { Run } from "../data/run";
import { marks, marksName, number, power, pretty } from "../data/units";
import { el, save } from "../dom";
import type { Palette } from "../theme";
import { drawnOf, rises, sizes, toCsv, unitOf, withUnit, type Figure } from "./figure";
import { phase } from "./phase";
import { toPng } from "./png";
import { powers, toSvg } from "./svg";

/** A figure on the screen: its cursor is the time of the picture, a click sets it, a drag zooms. */
export class Chart {
  readonly element: HTMLElement;
  private plot: uPlot;
  private readonly resize: ResizeObserver;
  private readonly body: HTMLElement;

  constructor(
    public figure: Figure,
    private readonly run: Run,
    private readonly clock: Clock,
    private readonly palette: Palette,
    onRemove?: () => void,
  ) {
    this.body = el("div", { class: "chart-body", role: "img", "aria-label": this.describe() });
    const tool = (text: string, label: string, act: () => void, more = {}) =>
      el("button", { class: "small", title: label, "aria-label": `${label}: ${figure.title}`, onclick: act, ...more }, text);
    const name = figure.title.replace(/[^\w.-]+/g, "_");
    const log = tool("log", "Logarithmic axis", () => log.setAttribute("aria-pressed", String(this.toggleLog())), { "aria-pressed": String(!!figure.log) });
    this.element = el(
      "figure",
      { class: "chart" },
      el(
        "figcaption",
        {},
        el("span", {}, figure.title),
        ...(figure.stacked ? [] : [log]),
        tool("CSV", "Save the numbers", () => save(`${name}.csv`, new Blob([toCsv(this.figure)], { type: "text/csv" }))),
        tool("SVG", "Save as a drawing", () => save(`${name}.svg`, new Blob([toSvg(this.figure)], { type: "image/svg+xml" }))),
        tool("PNG", "Save as a picture", () => void toPng(this.figure, this.plot.ctx.canvas, this.palette).then((blob) => save(`${name}.png`, blob))),
        ...(onRemove ? [tool("✕", "Remove", onRemove)] : []),
      ),
      this.body,
    );
    this.plot = this.make();
    this.resize = new ResizeObserver(() => {
      const width = this.body.clientWidth;
      if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: HEIGHT });
    });
    this.resize.observe(this.body);
  }
  private make(): uPlot {
    return new uPlot(this.options(orderOf(this.figure)), dataOf(this.figure), this.body);
  }
  /** Between straight and logarithmic; whether it is so now. */
  toggleLog(): boolean {
    this.figure.log = !this.figure.log;
    const { width } = this.plot;
    this.plot.destroy();
    this.plot = this.make();
    this.plot.setSize({ width, height: HEIGHT });
    return this.figure.log;
  }

  private describe(): string {
    return `${this.figure.lines.map((l) => withUnit(l.name, l.unit)).join(", ")} over ${this.figure.x.name}`;
  }
  private get toAndFro(): boolean {
    return !this.figure.logX && !rises(this.figure.x.values);
  }

  private options(order: number[]): uPlot.Options {
    const { figure, palette } = this;
    const own = this.toAndFro ? phase(figure.x.values, drawnOf(figure).map((l) => (figure.log ? logs(l) : l))) : null;
    return {
      width: 340,
      height: HEIGHT,
      scales: {
        x: { time: false, ...own?.scales.x },
        y: { ...own?.scales.y },
      },
      cursor: { drag: { x: true, y: false }, points: { show: false }, ...own?.cursor },
      axes: axesOf(figure, palette),
      series: [
        { label: figure.x.name, value: (_, v) => number(figure.logX ? 10 ** (v ?? NaN) : (v ?? NaN)) },
        ...order.map((i) => ({ ...this.line(i), ...own?.series[i] })),
      ],
      hooks: {
        draw: [(u) => this.drawNow(u)],
        setCursor: [(u) => this.showValues(u)],
        ready: [(u) => this.listen(u), (u) => this.showValues(u)],
      },
    };
  }
  private line(i: number): uPlot.Series {
    const { figure } = this;
    const line = figure.lines[i]!;
    return {
      label: pretty(withUnit(line.name, line.unit)),
      stroke: line.colour,
      width: 1.5,
      value: (_, __, ___, at) => number(at == null ? NaN : (figure.lines[i]!.values[at] ?? NaN)),
      ...(figure.stacked ? { fill: `${line.colour}${i === 0 ? "cc" : "88"}` } : {}),
      ...(figure.dots ? { points: { show: true, size: 7, fill: line.colour }, spanGaps: true } : {}),
    };
  }

  /** Where the time of the picture is in a list of a value a frame. */
  private now(values: ArrayLike<number>): number {
    const { frame, part } = this.run.place(this.clock.t);
    return values[frame]! + part * ((values[frame + 1] ?? values[frame]!) - values[frame]!);
  }
  private height(v: number): number {
    return this.figure.log ? Math.log10(Math.abs(v)) : v;
  }
  private drawNow(u: uPlot): void {
    const { figure } = this;
    const at = figure.marks ? figure.marks() : [this.now(figure.x.values)];
    u.ctx.save();
    u.ctx.strokeStyle = u.ctx.fillStyle = this.palette.selected;
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    for (const value of at) {
      const x = u.valToPos(value, "x", true);
      if (!(x >= u.bbox.left && x <= u.bbox.left + u.bbox.width)) continue;
      u.ctx.beginPath();
      if (this.toAndFro)
        for (const line of figure.lines) u.ctx.arc(x, u.valToPos(this.height(this.now(line.values)), "y", true), 4 * devicePixelRatio, 0, 7), u.ctx.fill(), u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top);
      if (!this.toAndFro) u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
    }
    u.ctx.restore();
  }
  private listen(u: uPlot): void {
    let down = 0;
    u.over.addEventListener("pointerdown", (e) => (down = e.clientX));
    u.over.addEventListener("click", (e) => {
      if (this.figure.marks || Math.abs(e.clientX - down) > 3) return;
      const i = u.cursor.idxs?.[1] ?? u.cursor.idx;
      if (i != null) this.clock.set(this.run.time[i]!);
    });
  }

  update(): void {
    this.plot.redraw(false);
    this.showValues(this.plot);
  }
  /** The legend has the values at the time of the picture, while no pointer asks for others. */
  private showValues(u: uPlot): void {
    if (u.cursor.idx != null || this.figure.marks || this.figure.x.values.length !== this.run.frames) return;
    u.setLegend({ idx: this.run.place(this.clock.t).frame }, false);
  }
  /** Takes the numbers of a figure that has the same lines; what was zoomed stays. */
  refill(figure: Figure): void {
    const { min, max } = this.plot.scales.x!;
    const x = this.figure.x.values;
    const whole = x.length < 2 || min == null || (min <= x[0]! && max! >= x[x.length - 1]!);
    const before = this.toAndFro;
    this.figure = { ...figure, log: !!this.figure.log };
    if (before || this.toAndFro) return this.remake();
    this.plot.setData(dataOf(this.figure), whole);
    if (!whole) this.plot.setScale("x", { min: min!, max: max! });
  }
  private remake(): void {
    this.toggleLog();
    this.toggleLog();
  }
  close(): void {
    this.resize.disconnect();
    this.plot.destroy();
    this.element.remove();
  }
}

const HEIGHT = 210;

/** Logarithms to base ten; those of what has none are none. */
function logs(values: ArrayLike<number>): number[] {
  return sizes(values).map((v) => Math.log10(v));
}

function axesOf(figure: Figure, palette: Palette): uPlot.Axis[] {
  const unit = unitOf(figure);
  const label = figure.log && unit ? `size, ${pretty(unit)}` : marksName(unit) ? "" : pretty(unit);
  const axis = { stroke: palette.muted, grid: { stroke: palette.grid, width: 0.5 }, ticks: { stroke: palette.grid } };
  const log = { splits: (_: uPlot, __: number, low: number, high: number) => powers(low, high, 8), values: (_: uPlot, list: number[]) => list.map((e) => power(10 ** e)) };
  return [
    { ...axis, label: pretty(withUnit(figure.x.name, figure.x.unit)), labelSize: 18, size: 34, ...(figure.logX ? log : {}) },
    { ...axis, size: label ? 58 : 74, ...(label ? { label, labelSize: 16 } : {}), values: (_, list) => marks(list, unit), ...(figure.log ? log : {}) },
  ];
}

/** The highest of a stack first, so that those below are drawn over it. */
function orderOf(figure: Figure): number[] {
  return figure.lines.map((_, i) => (figure.stacked ? figure.lines.length - 1 - i : i));
}
/** What uPlot gets: where an axis is logarithmic, logarithms, whose marks are made here; its own do not reach as far as residuals do. */
function dataOf(figure: Figure): uPlot.AlignedData {
  const ys = drawnOf(figure).map((l) => Array.from(figure.log ? logs(l) : l, (v) => (Number.isFinite(v) ? v : null)));
  const x = figure.logX ? logs(figure.x.values) : Array.from(figure.x.values);
  return [x, ...orderOf(figure).map((i) => ys[i]!)] as uPlot.AlignedData;
}

import uPlot from "uplot";
import type { Clock } from "../timeline/clock";
import type { Run } from "../data/run";
import { number, pretty, tick } from "../data/units";
import { el, save } from "../dom";
import type { Palette } from "../theme";
import { stacked, toCsv, withUnit, type Figure } from "./figure";
import { toSvg } from "./svg";

/** A figure on the screen: its cursor is the time of the picture, a click sets it, a drag zooms. */
export class Chart {
  readonly element: HTMLElement;
  private readonly plot: uPlot;
  private readonly resize: ResizeObserver;

  constructor(
    public figure: Figure,
    private readonly run: Run,
    private readonly clock: Clock,
    private readonly palette: Palette,
    onRemove?: () => void,
  ) {
    const body = el("div", { class: "chart-body", role: "img", "aria-label": this.describe() });
    const tool = (text: string, label: string, act: () => void) =>
      el("button", { class: "small", title: label, "aria-label": `${label}: ${figure.title}`, onclick: act }, text);
    const name = figure.title.replace(/[^\w.-]+/g, "_");
    this.element = el(
      "figure",
      { class: "chart" },
      el(
        "figcaption",
        {},
        el("span", {}, figure.title),
        tool("CSV", "Save the numbers", () => save(`${name}.csv`, new Blob([toCsv(this.figure)], { type: "text/csv" }))),
        tool("SVG", "Save as a drawing", () => save(`${name}.svg`, new Blob([toSvg(this.figure)], { type: "image/svg+xml" }))),
        tool("PNG", "Save as a picture", () => this.savePng(name)),
        ...(onRemove ? [tool("✕", "Remove", onRemove)] : []),
      ),
      body,
    );
    this.plot = new uPlot(this.options(orderOf(figure)), dataOf(figure), body);
    this.resize = new ResizeObserver(() => {
      const width = body.clientWidth;
      if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: HEIGHT });
    });
    this.resize.observe(body);
  }

  private describe(): string {
    return `${this.figure.lines.map((l) => withUnit(l.name, l.unit)).join(", ")} over ${this.figure.x.name}`;
  }

  private options(order: number[]): uPlot.Options {
    const { figure, palette } = this;
    const axis = { stroke: palette.muted, grid: { stroke: palette.grid, width: 0.5 }, ticks: { stroke: palette.grid } };
    const units = [...new Set(figure.lines.map((l) => l.unit))];
    return {
      width: 340,
      height: HEIGHT,
      scales: { x: { time: false } },
      cursor: { drag: { x: true, y: false }, points: { show: false } },
      axes: [
        { ...axis, label: pretty(withUnit(figure.x.name, figure.x.unit)), labelSize: 18, size: 34 },
        {
          ...axis,
          size: 62,
          label: pretty(units.length === 1 && units[0] !== "1" ? units[0]! : ""),
          labelSize: 16,
          values: (_, list) => list.map(tick),
        },
      ],
      series: [
        { label: figure.x.name, value: (_, v) => number(v ?? NaN) },
        ...order.map((i) => {
          const line = figure.lines[i]!;
          return {
            label: pretty(withUnit(line.name, line.unit)),
            stroke: line.colour,
            width: 1.5,
            value: (_: uPlot, v: number | null) => number(v ?? NaN),
            ...(figure.stacked ? { fill: `${line.colour}${i === 0 ? "cc" : "88"}` } : {}),
          };
        }),
      ],
      hooks: {
        draw: [(u) => this.drawNow(u)],
        ready: [(u) => this.listen(u)],
      },
    };
  }

  /** Where the time of the picture is along x. */
  private now(): number {
    const { frame, part } = this.run.place(this.clock.t);
    const x = this.figure.x.values;
    return x[frame]! + part * ((x[frame + 1] ?? x[frame]!) - x[frame]!);
  }
  private drawNow(u: uPlot): void {
    const x = u.valToPos(this.now(), "x", true);
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    u.ctx.save();
    u.ctx.strokeStyle = this.palette.selected;
    u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }
  private listen(u: uPlot): void {
    let down = 0;
    u.over.addEventListener("pointerdown", (e) => (down = e.clientX));
    u.over.addEventListener("click", (e) => {
      if (Math.abs(e.clientX - down) > 3 || u.cursor.idx == null) return;
      this.clock.set(this.run.time[u.cursor.idx]!);
    });
  }

  update(): void {
    this.plot.redraw(false);
  }
  /** Takes the numbers of a figure that has the same lines; what was zoomed stays. */
  refill(figure: Figure): void {
    const { min, max } = this.plot.scales.x!;
    const x = this.figure.x.values;
    const whole = x.length < 2 || min == null || (min <= x[0]! && max! >= x[x.length - 1]!);
    this.figure = figure;
    this.plot.setData(dataOf(figure), whole);
    if (!whole) this.plot.setScale("x", { min: min!, max: max! });
  }
  private savePng(name: string): void {
    this.plot.ctx.canvas.toBlob((blob) => blob && save(`${name}.png`, blob));
  }
  close(): void {
    this.resize.disconnect();
    this.plot.destroy();
    this.element.remove();
  }
}

const HEIGHT = 210;

/** The highest of a stack first, so that those below are drawn over it. */
function orderOf(figure: Figure): number[] {
  return figure.lines.map((_, i) => (figure.stacked ? figure.lines.length - 1 - i : i));
}
function dataOf(figure: Figure): uPlot.AlignedData {
  const ys = figure.stacked ? stacked(figure.lines) : figure.lines.map((l) => Array.from(l.values));
  return [Array.from(figure.x.values), ...orderOf(figure).map((i) => ys[i]!)] as uPlot.AlignedData;
}

import type { Display } from "../data/header";
import type { Channel, Run } from "../data/run";
import { pretty } from "../data/units";
import { el } from "../dom";

const ROUNDING = 1e-12; // less than that is 0 to who drives
const DEGREE = 180 / Math.PI;

/** A number whose digits stay where they are while it changes, where `most` is about as large as it gets. */
export function steady(x: number, most = Math.abs(x)): string {
  if (!Number.isFinite(x)) return "–";
  const text = most >= 1e6 || (most > ROUNDING && most < 1e-3) ? x.toExponential(2) : x.toFixed(most >= 1e4 ? 0 : most >= 100 ? 1 : 2);
  return text.replace(/^-(?=0(\.0*)?$)/, "").replaceAll("-", "−");
}

/** A display's number, and the unit that goes with it. */
export function reading(x: number, unit: string, most = Math.abs(x)): [string, string] {
  if (unit === "rad") return [steady(x * DEGREE, most * DEGREE), "°"];
  if (unit === "rad/s") return [steady(x * DEGREE, most * DEGREE), "°/s"];
  return [steady(x, most), unit === "1" ? "" : pretty(unit)];
}

const SAMPLES = 200;

/** The greatest size of some values of a channel. */
function greatest(values: Float32Array): number {
  const skip = Math.max(1, Math.floor(values.length / SAMPLES));
  let most = 0;
  for (let i = 0; i < values.length; i += skip) most = Math.max(most, Math.abs(values[i]!) || 0);
  return most;
}

/** Sensors in large figures over the picture. */
export class Displays {
  readonly element = el("div", { class: "displays" });
  readonly shown: { display: Display; channel: Channel; most: number }[] = [];
  private readonly cells: { value: HTMLElement; unit: HTMLElement }[] = [];

  constructor(private readonly run: Run) {
    for (const display of run.header.displays ?? []) {
      const channel = run.find(display.name);
      if (!channel) continue;
      this.shown.push({ display, channel, most: greatest(run.values(channel)) });
      const value = el("span", { class: "number" });
      const unit = el("span", { class: "unit" });
      this.cells.push({ value, unit });
      this.element.append(el("div", { class: "display", title: `${display.name}: ${display.text}` }, el("div", {}, value, unit), el("div", { class: "what" }, el("b", {}, display.name), el("span", {}, display.text && ` ${display.text}`))));
    }
    this.element.hidden = this.shown.length === 0;
  }

  /** Each with its number and unit at t. */
  readings(t: number): { number: string; unit: string; text: string }[] {
    return this.shown.map((shown) => {
      const { display, channel } = shown;
      const x = this.run.at(channel, t);
      shown.most = Math.max(shown.most, Math.abs(x) || 0);
      const [number, unit] = reading(x, display.unit, shown.most);
      return { number, unit, text: display.text ? `${display.name} ${display.text}` : display.name };
    });
  }
  update(t: number): void {
    this.readings(t).forEach(({ number, unit }, i) => {
      const cell = this.cells[i]!;
      if (cell.value.textContent !== number) cell.value.textContent = number;
      if (cell.unit.textContent !== unit) cell.unit.textContent = unit;
    });
  }
}

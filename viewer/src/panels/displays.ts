import type { Display } from "../data/header";
import type { Channel, Run } from "../data/run";
import { pretty } from "../data/units";
import { el } from "../dom";

const DEGREE = 180 / Math.PI;

/** A number whose digits stay where they are while it changes. */
export function steady(x: number): string {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) return x.toExponential(2).replaceAll("-", "−");
  return x.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : 2).replace("-", "−");
}

/** A display's number, and the unit that goes with it. */
export function reading(x: number, unit: string): [string, string] {
  if (unit === "rad") return [steady(x * DEGREE), "°"];
  if (unit === "rad/s") return [steady(x * DEGREE), "°/s"];
  return [steady(x), unit === "1" ? "" : pretty(unit)];
}

/** Sensors in large figures over the picture. */
export class Displays {
  readonly element = el("div", { class: "displays" });
  readonly shown: { display: Display; channel: Channel }[] = [];
  private readonly cells: { value: HTMLElement; unit: HTMLElement }[] = [];

  constructor(private readonly run: Run) {
    for (const display of run.header.displays ?? []) {
      const channel = run.find(display.name);
      if (!channel) continue;
      this.shown.push({ display, channel });
      const value = el("span", { class: "number" });
      const unit = el("span", { class: "unit" });
      this.cells.push({ value, unit });
      this.element.append(el("div", { class: "display", title: `${display.name}: ${display.text}` }, el("div", {}, value, unit), el("div", { class: "what" }, display.text || display.name)));
    }
    this.element.hidden = this.shown.length === 0;
  }

  /** Each with its number and unit at t. */
  readings(t: number): { number: string; unit: string; text: string }[] {
    return this.shown.map(({ display, channel }) => {
      const [number, unit] = reading(this.run.at(channel, t), display.unit);
      return { number, unit, text: display.text || display.name };
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

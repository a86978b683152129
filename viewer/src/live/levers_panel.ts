import { pretty, quantity } from "../data/units";
import { el } from "../dom";
import { reading } from "../panels/displays";
import type { Lever } from "./lever";

const NAMES: Record<string, string> = { " ": "space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

function keyName(key: string): string {
  return NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** Inputs as sliders, those without bounds as fields, with what they are and their keys. */
export class LeversPanel {
  readonly element = el("div", { class: "levers" });
  private readonly rows: { lever: Lever; field: HTMLInputElement; out: HTMLOutputElement | null }[] = [];

  constructor(levers: readonly Lever[]) {
    for (const lever of levers) this.element.append(this.row(lever));
  }

  private row(lever: Lever): HTMLElement {
    const { spec } = lever;
    const bounded = spec.from !== null && spec.to !== null;
    const field = bounded ? this.slider(lever) : this.number(lever);
    const out = bounded ? el("output", { class: "value" }) : null;
    this.rows.push({ lever, field, out });
    return el(
      "div",
      { class: "lever", title: spec.text },
      el("div", { class: "lever-head" }, el("b", {}, spec.name), el("span", { class: "muted lever-text" }, spec.text), ...keysOf(spec.keys), out ?? el("span", { class: "muted" }, pretty(spec.unit))),
      el("div", { class: "lever-way" }, ...(bounded ? [this.end(lever, spec.from!), field, this.end(lever, spec.to!)] : [field]), this.rest(lever)),
    );
  }
  private slider(lever: Lever): HTMLInputElement {
    const { name, from, to, text } = lever.spec;
    const field = el("input", { type: "range", min: from!, max: to!, step: "any", "aria-label": `${name}: ${text}` });
    field.addEventListener("input", () => lever.set(Number(field.value)));
    return field;
  }
  private number(lever: Lever): HTMLInputElement {
    const { name, from, to, unit, text } = lever.spec;
    const field = el("input", { type: "number", step: "any", min: from ?? undefined, max: to ?? undefined, "aria-label": `${name} [${unit}]: ${text}` });
    field.addEventListener("change", () => Number.isFinite(field.valueAsNumber) && lever.set(field.valueAsNumber));
    return field;
  }
  private end(lever: Lever, x: number): HTMLElement {
    return el("span", { class: "muted end" }, quantity(x, lever.spec.unit));
  }
  private rest(lever: Lever): HTMLElement {
    const text = `${lever.spec.name} to its rest, ${quantity(lever.spec.rest, lever.spec.unit)}`;
    return el("button", { class: "small", title: text, "aria-label": text, onclick: () => lever.set(lever.spec.rest) }, "rest");
  }

  show(enabled: boolean): void {
    for (const { lever, field, out } of this.rows) {
      if (field.disabled === enabled) field.disabled = !enabled;
      const text = reading(lever.value, lever.spec.unit, mostOf(lever)).join(" ").trim();
      if (document.activeElement !== field || field.type === "range") {
        const value = String(lever.value);
        if (field.value !== value) field.value = value;
      }
      if (out && out.value !== text) out.value = text;
      field.setAttribute("aria-valuetext", text);
    }
  }
}

function mostOf({ spec, value }: Lever): number {
  return Math.max(Math.abs(spec.from ?? 0), Math.abs(spec.to ?? 0), Math.abs(value));
}

function keysOf(keys: readonly string[]): HTMLElement[] {
  if (keys.length === 0) return [];
  const label = keys.length === 1 ? "key that raises it" : "keys that lower and raise it";
  return [el("span", { class: "lever-keys", title: label }, ...keys.map((k) => el("kbd", {}, keyName(k))))];
}

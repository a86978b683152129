/** Numbers with units for people. Inside everything is SI. */

const PREFIXED = new Set(["m", "N", "J", "N m", "W", "Pa", "s", "N/m", "Hz"]);
const PREFIXES: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

/** At most `digits` significant digits, without a tail of zeros. */
export function number(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e6 || size < 1e-4 ? x.toExponential(digits - 1) : x.toPrecision(digits);
  return text.replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "").replace("-", "−");
}

function prefixed(x: number, unit: string): string {
  const size = Math.abs(x);
  const found = PREFIXES.find(([factor]) => size >= factor);
  if (size === 0) return `0 ${unit}`;
  if (!found || size >= 1e12) return `${number(x, 3)} ${unit}`;
  const [factor, prefix] = found;
  return `${number(x / factor, 4)} ${prefix}${unit}`;
}

/** "4.71 kN", "12.3°", "25 m/s"; the unit 1 is left out. */
export function quantity(x: number, unit: string): string {
  if (!Number.isFinite(x)) return "–";
  if (unit === "rad") return `${number((x * 180) / Math.PI, 4)}°`;
  if (unit === "rad/s") return `${number((x * 180) / Math.PI, 4)} °/s`;
  if (unit === "" && Number.isInteger(x) && Math.abs(x) < 1e9) return String(x).replace("-", "−"); // a count
  if (unit === "1" || unit === "") return number(x);
  if (unit === "kg" && Math.abs(x) >= 1000) return `${number(x / 1000, 4)} t`;
  if (PREFIXED.has(unit)) return prefixed(x, unit);
  return `${number(x)} ${pretty(unit)}`;
}

/**
 * The marks of an axis, alike in their prefix, which stands with the unit: "20 MJ", "30 MJ". A unit that takes no prefix is
 * left to the axis' label, and large and small numbers are then written with a power of ten.
 */
export function marks(list: readonly number[], unit: string): string[] {
  const most = list.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  if (!PREFIXED.has(unit)) return list.map((x) => (Math.abs(x) < 1e-9 * most ? "0" : number(x, 4)));
  const [factor, prefix] = PREFIXES.find(([f]) => most >= f) ?? (most > 0 ? PREFIXES[PREFIXES.length - 1]! : [1, ""]);
  return list.map((x) => (Math.abs(x) < 1e-9 * most ? `0 ${unit}` : `${number(x / factor, 4)} ${prefix}${unit}`));
}

/** Whether marks name this unit, so that a label need not. */
export function marksName(unit: string): boolean {
  return PREFIXED.has(unit);
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** For the marks of a logarithmic axis: 10⁻³; what is no power of ten as a number. */
export function power(x: number): string {
  const e = Math.log10(x);
  if (!(x > 0) || Math.abs(e - Math.round(e)) > 1e-6) return number(x, 2);
  const digits = String(Math.abs(Math.round(e))).replace(/\d/g, (d) => RAISED[Number(d)]!);
  return `10${e < -0.5 ? "⁻" : ""}${digits}`;
}

/** "m/s²" for "m/s^2". */
export function pretty(unit: string): string {
  return unit.replace(/\^2/g, "²").replace(/\^3/g, "³");
}

/** A length of a scale that reads well: 1, 2 or 5 times a power of ten, at most x. */
export function round125(x: number): number {
  if (!(x > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

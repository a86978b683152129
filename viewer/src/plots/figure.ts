/** A plot as data: what the screen, CSV and SVG are made from. */
export interface Line {
  name: string;
  unit: string;
  values: ArrayLike<number>;
  colour: string;
}

export interface Figure {
  title: string;
  x: { name: string; unit: string; values: ArrayLike<number> };
  lines: Line[];
  /** Filled one above the other. */
  stacked?: boolean;
  /** Sizes of values, by their logarithm; what is zero is left out. */
  log?: boolean;
  /** The same along x. */
  logX?: boolean;
  /** Points only, with lines between them where there are some: few values that are no function of time. */
  dots?: boolean;
  /** Where it is now along x; none: at the time of the picture. */
  marks?: () => number[];
  /** The same of the frames that there are by now; null: nothing is left to show. */
  again?: () => Figure | null;
}

export function withUnit(name: string, unit: string): string {
  return unit && unit !== "1" ? `${name} [${unit}]` : name;
}

/** The unit that all lines share; "": they have several, or none. */
export function unitOf(figure: Figure): string {
  const units = [...new Set(figure.lines.map((l) => l.unit))];
  return units.length === 1 && units[0] !== "1" ? units[0]! : "";
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** As RFC 4180 has it; numbers that are none are left empty. */
export function toCsv(figure: Figure): string {
  const columns = [figure.x, ...figure.lines];
  const rows = [columns.map((c) => field(withUnit(c.name, c.unit))).join(",")];
  for (let i = 0; i < figure.x.values.length; i++)
    rows.push(columns.map((c) => (Number.isFinite(c.values[i]!) ? String(c.values[i]) : "")).join(","));
  return rows.join("\r\n") + "\r\n";
}

/** The sizes of what has a logarithm; others are none. */
export function sizes(values: ArrayLike<number>): number[] {
  return Array.from(values, (v) => (v !== 0 && Number.isFinite(v) ? Math.abs(v) : NaN));
}

/** What is drawn of its lines, in their order. */
export function drawnOf(figure: Figure): ArrayLike<number>[] {
  if (figure.stacked) return stacked(figure.lines);
  return figure.lines.map((l) => (figure.log ? sizes(l.values) : l.values));
}

/** Whether values never fall: what uPlot can have along x. */
export function rises(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (!(values[i]! >= values[i - 1]!)) return false;
  return true;
}

/** Sums from the first line up: what stacked lines are drawn at. */
export function stacked(lines: Line[]): number[][] {
  const out: number[][] = [];
  lines.forEach((line, k) =>
    out.push(Array.from(line.values, (v, i) => v + (k > 0 ? out[k - 1]![i]! : 0))),
  );
  return out;
}

/** Least and greatest of all that is finite; a line of one value gets some room. */
export function range(lists: ArrayLike<number>[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists)
    for (let i = 0; i < list.length; i++) {
      const v = list[i]!;
      if (!Number.isFinite(v)) continue;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
  if (low > high) return [0, 1];
  const room = high > low ? 0 : Math.abs(high) || 1;
  return [low - room / 2, high + room / 2];
}

import type { Header, RunEvent, Series } from "./header";
import type { Packed } from "./decode";
import type { More } from "./frames";
import { Growing } from "./growing";

/** A quantity of one item and column over all frames. */
export interface Channel {
  name: string;
  unit: string;
  series: number;
  item: number;
  column: number;
}

/** The non-empty parts of item.quantity.column, as `trammel info --channels` has them. */
export function channelName(s: Series, item: number, column: number): string {
  return [s.items[item], s.quantity, s.columns[column]].filter((p) => p).join(".");
}

export function unitOf(s: Series, item: number, column: number): string {
  const i = s.units.length === s.columns.length ? column : item * s.columns.length + column;
  return s.units[i] ?? "";
}

/** What of a run has changed: more frames, or fewer, or all of them others. */
export type Change = "frames" | "back" | "events" | "end" | "all";

/**
 * A run with its frames so far. One that is watched grows, may be taken back, and may be replaced by one of the same
 * mechanism: `time`, `values`, `column` and `table` are views that hold until `revision` counts up.
 */
export class Run {
  readonly header: Header;
  private all: Channel[] | null = null;
  revision = 0;
  private count: number;
  private times: Growing<Float64Array>;
  private readonly tables: (Growing<Float32Array> | undefined)[] = [];
  private readonly byPath = new Map<string, number>();
  private readonly listeners: ((change: Change) => void)[] = [];

  /** `most`: numbers that are kept of a run that grows. */
  constructor(
    public packed: Packed,
    private readonly most = 48e6,
  ) {
    this.header = packed.header;
    this.times = this.timesOf(packed);
    this.count = this.times.stride;
    this.header.series.forEach((s, series) => this.byPath.set(s.path, series));
  }
  /** All of them; made when they are first asked for, of many bodies there are very many. */
  get channels(): Channel[] {
    return (this.all ??= this.header.series.flatMap((s, series) => s.items.flatMap((_, item) => this.channelsOf(series, item))));
  }
  /** How many there are. */
  get width(): number {
    return this.header.series.reduce((n, s) => n + s.items.length * s.columns.length, 0);
  }
  /** Those that are named after an item, in any series. */
  channelsNamed(name: string): Channel[] {
    return this.header.series.flatMap((s, series) => {
      const item = s.items.indexOf(name);
      return item < 0 ? [] : this.channelsOf(series, item);
    });
  }
  /** Those of an item of a series. */
  channelsOf(series: number, item: number): Channel[] {
    const s = this.header.series[series]!;
    return s.columns.map((_, column) => ({ name: channelName(s, item, column), unit: unitOf(s, item, column), series, item, column }));
  }
  private timesOf(packed: Packed): Growing<Float64Array> {
    return new Growing(packed.array(this.header.time) as Float64Array, 1, (n) => new Float64Array(n));
  }

  get frames(): number {
    return this.count;
  }
  get time(): Float64Array {
    return this.times.column(0, this.count);
  }
  get start(): number {
    return this.count > 0 ? this.times.values[0]! : 0;
  }
  get end(): number {
    return this.count > 0 ? this.times.values[this.count - 1]! : 0;
  }

  find(name: string): Channel | undefined {
    for (let series = 0; series < this.header.series.length; series++) {
      const { items } = this.header.series[series]!;
      for (let item = 0; item < items.length; item++) {
        if (!name.startsWith(items[item]!)) continue;
        const found = this.channelsOf(series, item).find((c) => c.name === name);
        if (found) return found;
      }
    }
    return undefined;
  }
  series(path: string): Series | undefined {
    const i = this.byPath.get(path);
    return i === undefined ? undefined : this.header.series[i];
  }
  /** All frames of one column. */
  column(path: string, item: number, column: number): Float32Array | undefined {
    const i = this.byPath.get(path);
    return i === undefined ? undefined : this.values({ series: i, item, column });
  }
  values(c: Pick<Channel, "series" | "item" | "column">): Float32Array {
    return this.growing(c.series).column(this.columnOf(c), this.count);
  }
  /** A series for readers of many numbers: that of an item and a column at a frame is values[(item * columns + column) * stride + frame]. */
  table(path: string): { values: Float32Array; stride: number; columns: number } | undefined {
    const i = this.byPath.get(path);
    if (i === undefined) return undefined;
    const { values, stride } = this.growing(i);
    return { values, stride, columns: this.header.series[i]!.columns.length };
  }
  private columnOf(c: Pick<Channel, "series" | "item" | "column">): number {
    return c.item * this.header.series[c.series]!.columns.length + c.column;
  }
  private growing(series: number): Growing<Float32Array> {
    const known = this.tables[series];
    if (known) return known;
    const s = this.header.series[series]!;
    const columns = s.items.length * s.columns.length;
    return (this.tables[series] = new Growing(this.packed.floats(s.values), columns, (n) => new Float32Array(n)));
  }

  /** The frame at or before t, and how far t is on the way to the next one, 0 to 1. */
  place(t: number): { frame: number; part: number } {
    const time = this.times.values;
    let low = 0;
    let high = this.frames - 1;
    if (high < 1 || t <= this.start) return { frame: 0, part: 0 };
    if (t >= this.end) return { frame: high, part: 0 };
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle]! <= t) low = middle;
      else high = middle;
    }
    const from = time[low]!;
    return { frame: low, part: (t - from) / (time[low + 1]! - from) };
  }
  /** A channel's value at t, straight between frames. */
  at(c: Pick<Channel, "series" | "item" | "column">, t: number): number {
    if (this.count === 0) return NaN;
    const { frame, part } = this.place(t);
    const { values, stride } = this.growing(c.series);
    const from = this.columnOf(c) * stride + frame;
    const a = values[from]!;
    return part === 0 ? a : a + part * (values[from + 1]! - a);
  }

  onChange(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }
  private say(change: Change): void {
    this.revision++;
    for (const listener of this.listeners) listener(change);
  }
  /** Frames that follow; those that stood at or after their first time are replaced. */
  append(more: More): void {
    const all = this.header.series.map((_, i) => this.growing(i));
    const width = all.reduce((sum, g) => sum + g.columns, 0);
    if (width !== more.width) throw new Error(`a frame has ${more.width} numbers, ${width} belong to this run`);
    const total = this.count + more.time.length;
    for (const g of [this.times, ...all]) g.reserve(total, this.count);
    more.time.forEach((t, i) => {
      this.times.values[this.count + i] = t;
      let from = i * width;
      for (const g of all) {
        g.write(this.count + i, more.values, from);
        from += g.columns;
      }
    });
    this.count = total;
    if (total * width > this.most) this.halve(all);
    this.say("frames");
  }
  /** Too many to be kept: each second one goes. */
  private halve(all: Growing<Float32Array>[]): void {
    const before = this.count;
    for (const g of [this.times, ...all]) this.count = g.halve(before);
    const { thinning } = this.header;
    thinning.frames_of_run = Math.max(before, thinning.frames_of_run);
    thinning.every *= 2;
  }
  /** Leaves out all frames and events after t. */
  back(t: number): void {
    while (this.count > 0 && this.times.values[this.count - 1]! > t + 1e-9) this.count--;
    this.header.events = this.header.events.filter((e) => e.t <= t + 1e-9);
    this.say("back");
  }
  happened(events: RunEvent[]): void {
    this.header.events.push(...events);
    this.say("events");
  }
  /** The results are whole. */
  finish(how: { ending: string; finished: string; summary: string }): void {
    const { ending, finished, summary } = how;
    Object.assign(this.header, { ending, finished, summary });
    this.say("end");
  }
  /** Takes the place of all that was received; false: it is another mechanism, which needs a run of its own. */
  replace(packed: Packed): boolean {
    if (shapeOf(packed.header) !== shapeOf(this.header)) return false;
    Object.assign(this.header, packed.header);
    this.packed = packed;
    this.times = this.timesOf(packed);
    this.count = this.times.stride;
    this.tables.length = 0;
    this.say("all");
    return true;
  }
}

/** What pictures and panels were made from. */
function shapeOf(h: Header): string {
  return JSON.stringify([h.bodies, h.joints, h.laws, h.loads, h.tracks, h.series, h.gravity]);
}

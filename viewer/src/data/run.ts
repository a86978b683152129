import type { Header, Series } from "./header";
import type { Packed } from "./decode";

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

/** A run with its frames. Frames stay; a run that grows hands out a longer one (Source). */
export class Run {
  readonly header: Header;
  readonly time: Float64Array;
  readonly channels: Channel[] = [];
  private readonly byName = new Map<string, Channel>();
  private readonly byPath = new Map<string, number>();

  constructor(readonly packed: Packed) {
    this.header = packed.header;
    this.time = packed.array(this.header.time) as Float64Array;
    this.header.series.forEach((s, series) => {
      this.byPath.set(s.path, series);
      s.items.forEach((_, item) =>
        s.columns.forEach((__, column) => {
          const name = channelName(s, item, column);
          const channel = { name, unit: unitOf(s, item, column), series, item, column };
          this.channels.push(channel);
          this.byName.set(name, channel);
        }),
      );
    });
  }

  get frames(): number {
    return this.time.length;
  }
  get start(): number {
    return this.time[0] ?? 0;
  }
  get end(): number {
    return this.time[this.frames - 1] ?? 0;
  }

  find(name: string): Channel | undefined {
    return this.byName.get(name);
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
    const s = this.header.series[c.series]!;
    const first = (c.item * s.columns.length + c.column) * this.frames;
    return this.packed.floats(s.values).subarray(first, first + this.frames);
  }

  /** The frame at or before t, and how far t is on the way to the next one, 0 to 1. */
  place(t: number): { frame: number; part: number } {
    let low = 0;
    let high = this.frames - 1;
    if (high < 1 || t <= this.start) return { frame: 0, part: 0 };
    if (t >= this.end) return { frame: high, part: 0 };
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle]! <= t) low = middle;
      else high = middle;
    }
    const from = this.time[low]!;
    return { frame: low, part: (t - from) / (this.time[low + 1]! - from) };
  }
  /** A channel's value at t, straight between frames. */
  at(c: Pick<Channel, "series" | "item" | "column">, t: number): number {
    const { frame, part } = this.place(t);
    const v = this.values(c);
    const a = v[frame] ?? NaN;
    return part === 0 ? a : a + part * ((v[frame + 1] ?? a) - a);
  }
}

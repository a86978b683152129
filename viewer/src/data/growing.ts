/** Numbers of many columns that get longer: columns one behind the other, with room that is doubled. */
export class Growing<T extends Float32Array | Float64Array> {
  /** Numbers from the start of a column to that of the next. */
  stride: number;

  /** `values` is taken over as it is; it is not written to before it has been moved. */
  constructor(
    public values: T,
    readonly columns: number,
    private readonly make: (length: number) => T,
  ) {
    this.stride = columns > 0 ? values.length / columns : 0;
  }

  /** Room for `frames` of them, of which `kept` are there. */
  reserve(frames: number, kept: number): void {
    if (frames <= this.stride) return;
    const stride = Math.max(LEAST, frames, 2 * this.stride);
    const values = this.make(this.columns * stride);
    for (let k = 0; k < this.columns; k++)
      values.set(this.values.subarray(k * this.stride, k * this.stride + kept), k * stride);
    this.values = values;
    this.stride = stride;
  }
  /** Writes a frame, one number a column, from `from` on in a list. */
  write(frame: number, list: ArrayLike<number>, from: number): void {
    for (let k = 0, at = frame; k < this.columns; k++, at += this.stride) this.values[at] = list[from + k]!;
  }
  /** Leaves out each second of so many frames, the last one never; how many are left. */
  halve(frames: number): number {
    const left = Math.floor(frames / 2) + 1;
    for (let k = 0; k < this.columns; k++) {
      const at = k * this.stride;
      for (let i = 1; i < left; i++) this.values[at + i] = this.values[at + Math.min(2 * i, frames - 1)]!;
    }
    return left;
  }
  column(k: number, frames: number): T {
    return this.values.subarray(k * this.stride, k * this.stride + frames) as T;
  }
}

const LEAST = 256;

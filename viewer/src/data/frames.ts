/** Frames that follow those of a run (docs/live.md). */
export interface More {
  /** Numbers in a frame, the time not counted. */
  width: number;
  time: Float64Array;
  /** Frame by frame: each series one after the other, each by item, then column. */
  values: Float32Array;
}

const MAGIC = "TRAMMEL+";

export function magicOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, MAGIC.length));
}

/** Null: these are no frames. */
export function framesOf(bytes: Uint8Array): More | null {
  if (magicOf(bytes) !== MAGIC) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames = view.getUint32(8, true);
  const width = view.getUint32(12, true);
  if (bytes.byteLength !== 16 + frames * (8 + 4 * width)) throw new Error("frames are cut short");
  const time = new Float64Array(frames);
  const values = new Float32Array(frames * width);
  for (let f = 0, at = 16; f < frames; f++) {
    time[f] = view.getFloat64(at, true);
    at += 8;
    for (let k = 0; k < width; k++, at += 4) values[f * width + k] = view.getFloat32(at, true);
  }
  return { width, time, values };
}

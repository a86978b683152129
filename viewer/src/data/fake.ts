/** Runs and messages made by hand, for tests: what src/report/packed.cpp and `trammel view` make, written down once more. */
export function packed(header: object, arrays: (Float32Array | Float64Array)[]): Uint8Array<ArrayBuffer> {
  const places: object[] = [];
  const data: number[] = [];
  for (const a of arrays) {
    places.push({ offset: data.length, count: a.length, bytes: a.BYTES_PER_ELEMENT });
    const bytes = new Uint8Array(a.buffer);
    for (let k = 0; k < a.BYTES_PER_ELEMENT; k++)
      for (let i = 0; i < a.length; i++) data.push(bytes[i * a.BYTES_PER_ELEMENT + k]!);
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: places }));
  const out = new Uint8Array(12 + text.length + data.length);
  out.set(new TextEncoder().encode("TRAMMEL1"));
  new DataView(out.buffer).setUint32(8, text.length, true);
  out.set(text, 12);
  out.set(data, 12 + text.length);
  return out;
}

/** Frames as a message: each a time, then its numbers. */
export function frames(list: number[][]): Uint8Array<ArrayBuffer> {
  const width = (list[0]?.length ?? 1) - 1;
  const out = new Uint8Array(16 + list.length * (8 + 4 * width));
  out.set(new TextEncoder().encode("TRAMMEL+"));
  const view = new DataView(out.buffer);
  view.setUint32(8, list.length, true);
  view.setUint32(12, width, true);
  let at = 16;
  for (const [t, ...values] of list) {
    view.setFloat64(at, t!, true);
    at += 8;
    for (const v of values) {
      view.setFloat32(at, v, true);
      at += 4;
    }
  }
  return out;
}

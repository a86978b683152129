import type { Header } from "./header";

const MAGIC = "TRAMMEL1";

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
  return out;
}

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Puts the bytes of `count` numbers together, which stand as first bytes, second bytes, ... */
export function fromPlanes(bytes: Uint8Array, count: number, size: number): ArrayBuffer {
  const out = new Uint8Array(count * size);
  for (let k = 0; k < size; k++) {
    const plane = k * count;
    for (let i = 0; i < count; i++) out[i * size + k] = bytes[plane + i]!;
  }
  return out.buffer;
}

/** Header and arrays of a run; arrays are put together when they are first asked for. */
export class Packed {
  readonly header: Header;
  private readonly made = new Map<number, Float32Array | Float64Array>();

  constructor(private readonly bytes: Uint8Array) {
    const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
    if (magic !== MAGIC) throw new Error("these are no data of a run");
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const length = view.getUint32(MAGIC.length, true);
    this.start = MAGIC.length + 4 + length;
    const text = new TextDecoder().decode(bytes.subarray(MAGIC.length + 4, this.start));
    this.header = JSON.parse(text) as Header;
    if (this.header.format !== "trammel-report" || this.header.version !== 1)
      throw new Error(`this page cannot read version ${this.header.version} of the data`);
  }
  private readonly start: number;

  array(i: number): Float32Array | Float64Array {
    const known = this.made.get(i);
    if (known) return known;
    const place = this.header.arrays[i];
    if (!place) throw new Error(`there is no array ${i}`);
    const from = this.start + place.offset;
    const part = this.bytes.subarray(from, from + place.count * place.bytes);
    if (part.length !== place.count * place.bytes) throw new Error("the data end too early");
    const buffer = fromPlanes(part, place.count, place.bytes);
    const out = place.bytes === 8 ? new Float64Array(buffer) : new Float32Array(buffer);
    this.made.set(i, out);
    return out;
  }
  floats(i: number): Float32Array {
    return this.array(i) as Float32Array;
  }
}

export async function unpack(base64: string): Promise<Packed> {
  return new Packed(await inflate(fromBase64(base64.trim())));
}

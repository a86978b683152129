import { Matrix4, Vector3 } from "three";

const WIDTH = 10; // numbers of a point: s, place, direction along, direction to the left

/** A line by its points, as a report has them. */
export class Line {
  readonly count: number;
  constructor(
    private readonly points: Float32Array,
    readonly closed: boolean,
  ) {
    this.count = Math.floor(points.length / WIDTH);
  }
  get first(): number {
    return this.points[0] ?? 0;
  }
  get last(): number {
    return this.points[WIDTH * (this.count - 1)] ?? 0;
  }
  get length(): number {
    return this.last - this.first;
  }
  s(i: number): number {
    return this.points[WIDTH * i]!;
  }
  place(i: number, out = new Vector3()): Vector3 {
    return out.fromArray(this.points, WIDTH * i + 1);
  }
  along(i: number, out = new Vector3()): Vector3 {
    return out.fromArray(this.points, WIDTH * i + 4);
  }
  left(i: number, out = new Vector3()): Vector3 {
    return out.fromArray(this.points, WIDTH * i + 7);
  }

  /** The points about s and how far it is between them; round and round on a closed line. */
  between(s: number): { low: number; high: number; part: number } {
    if (this.closed && this.length > 0) s = this.first + ((((s - this.first) % this.length) + this.length) % this.length);
    let low = 0;
    let high = Math.max(0, this.count - 1);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.s(middle) <= s) low = middle;
      else high = middle;
    }
    const [a, b] = [this.s(low), this.s(high)];
    return { low, high, part: b > a ? Math.min(1, Math.max(0, (s - a) / (b - a))) : 0 };
  }
  /** The frame of the line at s: x along, y to the left, z up; beyond an end that of the end. */
  frame(s: number, out = new Matrix4()): Matrix4 {
    const { low, high, part } = this.between(s);
    const mix = (of: (i: number) => Vector3) => of(low).lerp(of(high), part);
    const t = mix((i) => this.along(i)).normalize();
    const n = mix((i) => this.left(i));
    n.addScaledVector(t, -n.dot(t)).normalize();
    return out.makeBasis(t, n, t.clone().cross(n)).setPosition(mix((i) => this.place(i)));
  }

  /** Curvature of its plan [1/m], positive to the left, rise by way, and cant [rad], positive with the left side high, by s. */
  shape(up: Vector3): { s: Float64Array; curvature: Float64Array; gradient: Float64Array; cant: Float64Array } {
    const n = this.count;
    const out = { s: new Float64Array(n), curvature: new Float64Array(n), gradient: new Float64Array(n), cant: new Float64Array(n) };
    const [t, before, after] = [new Vector3(), new Vector3(), new Vector3()];
    for (let i = 0; i < n; i++) {
      this.along(i, t);
      const rise = t.dot(up);
      const flat = Math.sqrt(Math.max(1e-12, 1 - rise * rise));
      out.s[i] = this.s(i);
      out.gradient[i] = rise / flat;
      out.cant[i] = Math.asin(Math.max(-1, Math.min(1, this.left(i).dot(up) / flat)));
      const [a, b] = this.neighbours(i);
      const ds = this.s(b) - this.s(a);
      this.along(a, before).addScaledVector(up, -before.dot(up));
      this.along(b, after).addScaledVector(up, -after.dot(up));
      const turn = Math.atan2(before.clone().cross(after).dot(up), before.dot(after));
      out.curvature[i] = ds > 0 ? turn / (ds * flat) : 0;
    }
    return out;
  }
  /** Points before and after one; where pieces meet there are two at one s, which stay on their side. */
  private neighbours(i: number): [number, number] {
    const a = i > 0 && this.s(i - 1) < this.s(i) ? i - 1 : i;
    const b = i + 1 < this.count && this.s(i + 1) > this.s(i) ? i + 1 : i;
    return a === b ? [Math.max(0, i - 1), Math.min(this.count - 1, i + 1)] : [a, b];
  }
}

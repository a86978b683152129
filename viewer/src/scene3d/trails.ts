import * as THREE from "three";
import type { Run } from "../data/run";
import { quantity } from "../data/units";
import { viridis } from "../theme";
import { ribbon } from "./ribbon";

const MOST_POINTS = 2000;
export const SPEED = "speed";

/** The ways of bodies as ribbons, coloured by a quantity. */
export class Trails {
  readonly group = new THREE.Group();
  /** "speed", what follows the name of a body in a channel's name ("position.z"), or a whole channel. */
  by = SPEED;
  private low = 0;
  private high = 1;
  private unit = "m/s";

  constructor(
    private readonly run: Run,
    private readonly width: number,
    private readonly up: THREE.Vector3,
  ) {
    this.group.visible = false;
  }
  legend(): string {
    return `${this.by}, ${quantity(this.low, this.unit)} to ${quantity(this.high, this.unit)}`;
  }
  /** What a body's way may be coloured by, of its own. */
  choices(): string[] {
    const name = this.run.series("/bodies/position")?.items[0];
    return name === undefined ? [SPEED] : [SPEED, ...this.run.channelsNamed(name).map((c) => c.name.slice(name.length + 1))];
  }
  knows(by: string): boolean {
    return by === SPEED || this.choices().includes(by) || this.run.find(by) !== undefined;
  }

  /** Draws those of bodies by number, of the centres of mass where they are known. */
  show(bodies: readonly number[]): void {
    for (const child of [...this.group.children] as THREE.Mesh[]) {
      child.geometry.dispose();
      this.group.remove(child);
    }
    this.group.visible = bodies.length > 0;
    if (bodies.length === 0 || this.run.frames < 2) return;
    const values = bodies.map((b) => this.values(b));
    this.measure(values);
    bodies.forEach((b, i) => this.group.add(this.way(b, values[i]!)));
  }
  private measure(values: number[][]): void {
    const all = values.flat().filter((v) => Number.isFinite(v));
    this.low = this.by === SPEED ? 0 : all.reduce((a, b) => Math.min(a, b), Infinity);
    this.high = all.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(this.high > this.low)) [this.low, this.high] = [Number.isFinite(this.low) ? this.low : 0, (Number.isFinite(this.low) ? this.low : 0) + 1e-12];
  }

  private frames(): number[] {
    const skip = Math.max(1, Math.ceil(this.run.frames / MOST_POINTS));
    const out: number[] = [];
    for (let f = 0; f < this.run.frames; f += skip) out.push(f);
    return out;
  }
  private values(body: number): number[] {
    this.unit = "m/s";
    if (this.by === SPEED) return this.speeds(body);
    const name = this.run.series("/bodies/position")!.items[body]!;
    const channel = this.run.find(`${name}.${this.by}`) ?? this.run.find(this.by);
    if (!channel) return this.frames().map(() => NaN);
    this.unit = channel.unit;
    const values = this.run.values(channel);
    return this.frames().map((f) => values[f]!);
  }
  private speeds(body: number): number[] {
    const v = [0, 1, 2].map((c) => this.run.column("/bodies/velocity", body, c));
    const p = [0, 1, 2].map((c) => this.run.column("/bodies/position", body, c)!);
    const { time } = this.run;
    const rate = (c: number, f: number) => {
      const [a, b] = [Math.max(0, f - 1), Math.min(this.run.frames - 1, f + 1)];
      return b > a ? (p[c]![b]! - p[c]![a]!) / (time[b]! - time[a]!) : 0;
    };
    return this.frames().map((f) => Math.hypot(...[0, 1, 2].map((c) => v[c]?.[f] ?? rate(c, f))));
  }
  private way(body: number, values: number[]): THREE.Mesh {
    const p = [0, 1, 2].map((c) => this.run.column("/bodies/position", body, c)!);
    const q = [0, 1, 2, 3].map((c) => this.run.column("/bodies/orientation", body, c)!);
    const name = this.run.series("/bodies/position")!.items[body];
    const com = this.run.header.bodies.find((b) => b.name === name)?.com ?? [0, 0, 0];
    const points = this.frames().map((f) =>
      new THREE.Vector3(com[0] ?? 0, com[1] ?? 0, com[2] ?? 0)
        .applyQuaternion(new THREE.Quaternion(q[1]![f], q[2]![f], q[3]![f], q[0]![f]))
        .add(new THREE.Vector3(p[0]![f], p[1]![f], p[2]![f])),
    );
    const colours = values.map((v) => viridis((v - this.low) / (this.high - this.low)));
    const out = new THREE.Mesh(ribbon(points, colours, this.width, this.up), new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide }));
    out.frustumCulled = false;
    return out;
  }
}

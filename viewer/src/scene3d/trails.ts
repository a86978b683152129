import * as THREE from "three";
import type { Run } from "../data/run";
import { quantity } from "../data/units";
import { viridis } from "../theme";

const MOST_POINTS = 3000;

/** The ways of bodies as ribbons of lines, coloured by speed. */
export class Trails {
  readonly group = new THREE.Group();
  greatest = 0;

  constructor(private readonly run: Run) {
    this.group.visible = false;
  }
  legend(): string {
    return quantity(this.greatest, "m/s");
  }

  /** Draws those of bodies by number, of the centres of mass where they are known. */
  show(bodies: readonly number[]): void {
    for (const child of [...this.group.children] as THREE.Line[]) {
      child.geometry.dispose();
      this.group.remove(child);
    }
    const speeds = bodies.map((b) => this.speeds(b));
    this.greatest = Math.max(1e-12, ...speeds.map((s) => s.reduce((a, b) => Math.max(a, b), 0)));
    bodies.forEach((b, i) => this.group.add(this.line(b, speeds[i]!)));
    this.group.visible = bodies.length > 0;
  }

  private frames(): number[] {
    const skip = Math.max(1, Math.ceil(this.run.frames / MOST_POINTS));
    const out: number[] = [];
    for (let f = 0; f < this.run.frames; f += skip) out.push(f);
    return out;
  }
  private speeds(body: number): number[] {
    const v = [0, 1, 2].map((c) => this.run.column("/bodies/velocity", body, c));
    const p = [0, 1, 2].map((c) => this.run.column("/bodies/position", body, c)!);
    const rate = (c: number, f: number) => {
      const [a, b] = [Math.max(0, f - 1), Math.min(this.run.frames - 1, f + 1)];
      return b > a ? (p[c]![b]! - p[c]![a]!) / (this.run.time[b]! - this.run.time[a]!) : 0;
    };
    return this.frames().map((f) => Math.hypot(...[0, 1, 2].map((c) => v[c]?.[f] ?? rate(c, f))));
  }
  private line(body: number, speeds: number[]): THREE.Line {
    const p = [0, 1, 2].map((c) => this.run.column("/bodies/position", body, c)!);
    const q = [0, 1, 2, 3].map((c) => this.run.column("/bodies/orientation", body, c)!);
    const name = this.run.series("/bodies/position")!.items[body];
    const com = this.run.header.bodies.find((b) => b.name === name)?.com ?? [0, 0, 0];
    const points = this.frames().map((f) =>
      new THREE.Vector3(com[0], com[1], com[2])
        .applyQuaternion(new THREE.Quaternion(q[1]![f], q[2]![f], q[3]![f], q[0]![f]))
        .add(new THREE.Vector3(p[0]![f], p[1]![f], p[2]![f])),
    );
    const colours = speeds.flatMap((s) => viridis(s / this.greatest).toArray());
    const geometry = new THREE.BufferGeometry().setFromPoints(points);
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
    const out = new THREE.Line(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
    out.frustumCulled = false;
    return out;
  }
}

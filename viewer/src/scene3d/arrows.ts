import * as THREE from "three";
import type { Run } from "../data/run";
import { round125, quantity } from "../data/units";
import type { Palette } from "../theme";
import { JointFrames } from "./joint_frames";
import type { Poses } from "./poses";
import { Quiver, usual } from "./quiver";

/** Reactions of joints: what A exerts on B, at the origin of frame B, in the axes of A or of the line, to scale. */
export class Arrows {
  readonly group = new THREE.Group();
  /** Newtons, and newton metres, that an arrow of the length `unit` stands for. */
  forceScale = 1;
  torqueScale = 1;
  private readonly forces: Quiver;
  private readonly torques: Quiver;
  private readonly joints: JointFrames[] = [];
  private readonly numbers: number[] = []; // of joints in the header
  private readonly items: number[] = []; // of /joints/reactions

  constructor(private readonly run: Run, poses: Poses, readonly unit: number, palette: Palette) {
    const series = run.series("/joints/reactions");
    const joints = new Map(run.header.joints.map((j) => [j.name, j]));
    const numbers = new Map(run.header.joints.map((j, i) => [j.name, i]));
    series?.items.forEach((name, item) => {
      const joint = joints.get(name);
      if (!joint || joint.type === "coupling") return;
      this.joints.push(new JointFrames(joint, run, poses));
      this.numbers.push(numbers.get(name)!);
      this.items.push(item);
    });
    this.fitScales();
    this.forces = new Quiver(Math.max(1, this.joints.length), 0.5 * unit);
    this.torques = new Quiver(Math.max(1, this.joints.length), 0.5 * unit);
    this.group.add(this.forces.group, this.torques.group);
    this.torques.group.visible = false;
    this.recolour(palette);
  }

  /** Scales are to fit the frames so far, once they are seen. */
  rescale(): void {
    this.stale = true;
  }
  private stale = false;
  private fitScales(): void {
    this.stale = false;
    const part = (from: number) =>
      this.items.flatMap((item) => [0, 1, 2].map((c) => this.run.column("/joints/reactions", item, from + c)!));
    this.forceScale = round125(usual(part(0), this.run.frames));
    this.torqueScale = round125(usual(part(3), this.run.frames));
  }
  get any(): boolean {
    return this.joints.length > 0;
  }
  legend(): { force: string; torque: string } {
    const length = quantity(this.unit, "m");
    return {
      force: `${length} for ${quantity(this.forceScale, "N")}`,
      torque: `${length} for ${quantity(this.torqueScale, "N m")}`,
    };
  }
  show(forces: boolean, torques: boolean): void {
    this.forces.group.visible = forces;
    this.torques.group.visible = torques;
  }
  recolour(palette: Palette): void {
    this.forces.colour(palette.force);
    this.torques.colour(palette.torque);
  }

  update(t: number): void {
    if (!this.forces.group.visible && !this.torques.group.visible) return;
    if (this.stale) this.fitScales();
    const { frame } = this.run.place(t);
    const reactions = this.run.table("/joints/reactions");
    if (!reactions || this.run.frames === 0) return;
    const { values, stride, columns } = reactions;
    this.forces.begin();
    this.torques.begin();
    const from = new THREE.Vector3();
    const axes = new THREE.Matrix3();
    this.joints.forEach((j, i) => {
      j.set(t);
      from.setFromMatrixPosition(j.B);
      axes.setFromMatrix4(j.A);
      const part = (first: number, scale: number) => {
        const at = (this.items[i]! * columns + first) * stride + frame;
        return new THREE.Vector3(values[at], values[at + stride], values[at + 2 * stride])
          .multiplyScalar(this.unit / scale)
          .applyMatrix3(axes);
      };
      this.forces.add(from, part(0, this.forceScale), this.numbers[i]!);
      this.torques.add(from, part(3, this.torqueScale), this.numbers[i]!);
    });
    this.forces.end();
    this.torques.end();
  }

  /** The joint whose arrow a ray meets. */
  pick(ray: THREE.Raycaster): { index: number; distance: number } {
    const [f, t] = [this.forces.pick(ray), this.torques.pick(ray)];
    return f.distance <= t.distance ? f : t;
  }
}

import * as THREE from "three";
import type { Run } from "../data/run";
import { round125, quantity } from "../data/units";
import type { Palette } from "../theme";
import { matrixOf, type Poses } from "./poses";
import { Quiver, usual } from "./quiver";

/** Reactions of joints: what A exerts on B, at the origin of frame B, to scale. */
export class Arrows {
  readonly group = new THREE.Group();
  /** Newtons, and newton metres, that an arrow of the length `unit` stands for. */
  readonly forceScale: number;
  readonly torqueScale: number;
  private readonly forces: Quiver;
  private readonly torques: Quiver;
  private readonly joints: { a: number; b: number; X_A: THREE.Matrix4; X_B: THREE.Matrix4 }[] = [];
  private readonly values: Float32Array[] = []; // fx fy fz of each, then tx ty tz
  private readonly torqueValues: Float32Array[] = [];

  constructor(private readonly run: Run, private readonly poses: Poses, readonly unit: number, palette: Palette) {
    const series = run.series("/joints/reactions");
    series?.items.forEach((name, item) => {
      const joint = run.header.joints.find((j) => j.name === name);
      if (!joint || joint.type === "coupling") return;
      this.joints.push({
        a: poses.find(joint.a),
        b: poses.find(joint.b),
        X_A: matrixOf(joint.frame_a),
        X_B: matrixOf(joint.frame_b),
      });
      for (let c = 0; c < 3; c++) this.values.push(run.column("/joints/reactions", item, c)!);
      for (let c = 3; c < 6; c++) this.torqueValues.push(run.column("/joints/reactions", item, c)!);
      this.onTrack.push(joint.track !== "");
    });
    this.forceScale = round125(usual(this.values, run.frames));
    this.torqueScale = round125(usual(this.torqueValues, run.frames));
    this.forces = new Quiver(Math.max(1, this.joints.length), 0.5 * unit);
    this.torques = new Quiver(Math.max(1, this.joints.length), 0.5 * unit);
    this.group.add(this.forces.group, this.torques.group);
    this.torques.group.visible = false;
    this.recolour(palette);
  }
  private readonly onTrack: boolean[] = [];

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
    const { frame } = this.run.place(t);
    this.forces.begin();
    this.torques.begin();
    const from = new THREE.Vector3();
    const X = new THREE.Matrix4();
    this.joints.forEach((j, i) => {
      from.setFromMatrixPosition(X.multiplyMatrices(this.poses.matrix(j.b), j.X_B));
      // on tracks the axes are those of the line, which those of B follow closely
      if (!this.onTrack[i]) X.multiplyMatrices(this.poses.matrix(j.a), j.X_A);
      const axes = new THREE.Matrix3().setFromMatrix4(X);
      const part = (list: Float32Array[], scale: number) =>
        new THREE.Vector3(list[3 * i]![frame], list[3 * i + 1]![frame], list[3 * i + 2]![frame])
          .multiplyScalar(this.unit / scale)
          .applyMatrix3(axes);
      this.forces.add(from, part(this.values, this.forceScale));
      this.torques.add(from, part(this.torqueValues, this.torqueScale));
    });
    this.forces.end();
    this.torques.end();
  }
}

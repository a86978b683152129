import * as THREE from "three";
import type { Run } from "../data/run";
import { quantity, round125 } from "../data/units";
import type { Palette } from "../theme";
import { freeAxis } from "./axes";
import { matrixOf, type Poses } from "./poses";
import { Quiver, usual } from "./quiver";

interface Acting {
  item: number; // of /laws/force
  a: number;
  b: number;
  X_A: THREE.Matrix4;
  X_B: THREE.Matrix4;
  /** Along this axis of a frame; null: from A to B. */
  axis: { frame: "a" | "b"; v: THREE.Vector3 } | null;
  turns: boolean;
}

/** Forces and torques of laws on coordinates, as they act on B. */
export class LawArrows {
  readonly group = new THREE.Group();
  private readonly acting: Acting[] = [];
  private forceScale = 1;
  private torqueScale = 1;
  private readonly quiver: Quiver;

  constructor(
    private readonly run: Run,
    private readonly poses: Poses,
    private readonly unit: number,
    palette: Palette,
  ) {
    const series = run.series("/laws/force");
    for (const law of run.header.laws) {
      const item = series?.items.indexOf(law.name) ?? -1;
      const joint = run.header.joints.find((j) => j.name === law.joint);
      if (item < 0 || !joint || joint.type === "coupling" || joint.a === joint.b) continue;
      const row = joint.free.find((f) => f.name === law.coordinate)?.row ?? "";
      const free = freeAxis(row);
      const along = row === "s" ? { frame: "b" as const, v: new THREE.Vector3(1, 0, 0) } : null;
      if (!free && !along && law.coordinate !== "length") continue;
      // on tracks axes of A are those of the line, which those of B follow closely
      const frame = joint.track ? "b" : (free?.frame ?? "a");
      this.acting.push({
        item,
        a: poses.find(joint.a),
        b: poses.find(joint.b),
        X_A: matrixOf(joint.frame_a),
        X_B: matrixOf(joint.frame_b),
        axis: free ? { frame, v: free.axis } : along,
        turns: free?.turns ?? false,
      });
    }
    this.rescale();
    this.quiver = new Quiver(Math.max(1, this.acting.length), 0.5 * unit);
    this.group.add(this.quiver.group);
    this.group.visible = false;
    this.recolour(palette);
  }

  /** Scales that fit the frames so far. */
  rescale(): void {
    const { run } = this;
    const values = (turns: boolean) =>
      this.acting.filter((l) => l.turns === turns).map((l) => run.column("/laws/force", l.item, 0)!);
    this.forceScale = round125(usual(values(false), run.frames, 1));
    this.torqueScale = round125(usual(values(true), run.frames, 1));
  }
  get any(): boolean {
    return this.acting.length > 0;
  }
  legend(): string {
    const kinds = [
      ...(this.acting.some((l) => !l.turns) ? [quantity(this.forceScale, "N")] : []),
      ...(this.acting.some((l) => l.turns) ? [`${quantity(this.torqueScale, "N m")} about it`] : []),
    ];
    return `${quantity(this.unit, "m")} for ${kinds.join(" or ")}`;
  }
  recolour(palette: Palette): void {
    this.quiver.colour(palette.law);
  }

  update(t: number): void {
    if (!this.group.visible) return;
    const { frame } = this.run.place(t);
    const forces = this.run.table("/laws/force");
    if (!forces || this.run.frames === 0) return;
    const [A, B] = [new THREE.Matrix4(), new THREE.Matrix4()];
    this.quiver.begin();
    for (const l of this.acting) {
      A.multiplyMatrices(this.poses.matrix(l.a), l.X_A);
      B.multiplyMatrices(this.poses.matrix(l.b), l.X_B);
      const at = new THREE.Vector3().setFromMatrixPosition(B);
      const way = l.axis
        ? l.axis.v.clone().applyMatrix3(new THREE.Matrix3().setFromMatrix4(l.axis.frame === "a" ? A : B))
        : at.clone().sub(new THREE.Vector3().setFromMatrixPosition(A)).normalize();
      const scale = l.turns ? this.torqueScale : this.forceScale;
      this.quiver.add(at, way.multiplyScalar((forces.values[l.item * forces.columns * forces.stride + frame]! * this.unit) / scale));
    }
    this.quiver.end();
  }
}

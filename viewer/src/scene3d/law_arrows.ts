import * as THREE from "three";
import type { Run } from "../data/run";
import { quantity, round125 } from "../data/units";
import type { Palette } from "../theme";
import { freeAxis } from "./axes";
import { JointFrames } from "./joint_frames";
import type { Poses } from "./poses";
import { Quiver, usual } from "./quiver";

interface Acting {
  law: number; // its number in the header
  item: number; // of /laws/force
  at: JointFrames;
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
    poses: Poses,
    private readonly unit: number,
    palette: Palette,
  ) {
    const series = run.series("/laws/force");
    const items = new Map(series?.items.map((name, i) => [name, i]));
    const joints = new Map(run.header.joints.map((j) => [j.name, j]));
    run.header.laws.forEach((law, index) => {
      const item = items.get(law.name) ?? -1;
      const joint = joints.get(law.joint);
      if (item < 0 || !joint || joint.type === "coupling" || joint.a === joint.b) return;
      const row = joint.free.find((f) => f.name === law.coordinate)?.row ?? "";
      const free = freeAxis(row);
      const along = row === "s" ? { frame: "a" as const, v: new THREE.Vector3(1, 0, 0) } : null;
      if (!free && !along && law.coordinate !== "length") return;
      this.acting.push({
        item,
        law: index,
        at: new JointFrames(joint, run, poses),
        axis: free ? { frame: free.frame, v: free.axis } : along,
        turns: free?.turns ?? false,
      });
    });
    this.fitScales();
    this.quiver = new Quiver(Math.max(1, this.acting.length), 0.5 * unit);
    this.group.add(this.quiver.group);
    this.group.visible = false;
    this.recolour(palette);
  }

  /** Scales are to fit the frames so far, once they are seen. */
  rescale(): void {
    this.stale = true;
  }
  private stale = false;
  private fitScales(): void {
    this.stale = false;
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
    if (this.stale) this.fitScales();
    const { frame } = this.run.place(t);
    const forces = this.run.table("/laws/force");
    if (!forces || this.run.frames === 0) return;
    this.quiver.begin();
    for (const l of this.acting) {
      l.at.set(t);
      const { A, B } = l.at;
      const at = new THREE.Vector3().setFromMatrixPosition(B);
      const way = l.axis
        ? l.axis.v.clone().applyMatrix3(new THREE.Matrix3().setFromMatrix4(l.axis.frame === "a" ? A : B))
        : at.clone().sub(new THREE.Vector3().setFromMatrixPosition(A)).normalize();
      const scale = l.turns ? this.torqueScale : this.forceScale;
      this.quiver.add(at, way.multiplyScalar((forces.values[l.item * forces.columns * forces.stride + frame]! * this.unit) / scale), l.law);
    }
    this.quiver.end();
  }

  /** The law whose arrow a ray meets. */
  pick(ray: THREE.Raycaster): { index: number; distance: number } {
    return this.quiver.pick(ray);
  }
}

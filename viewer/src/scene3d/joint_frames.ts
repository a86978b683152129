import * as THREE from "three";
import type { Joint } from "../data/header";
import type { Channel, Run } from "../data/run";
import { Line } from "./line";
import { matrixOf, type Poses } from "./poses";

/** Frames of a joint in the world, in which its reactions and laws are told: A, or that of the line where it is, and B. */
export class JointFrames {
  readonly A = new THREE.Matrix4();
  readonly B = new THREE.Matrix4();
  private readonly a: number;
  private readonly b: number;
  private readonly X_A: THREE.Matrix4;
  private readonly X_B: THREE.Matrix4;
  private readonly line: Line | null = null;
  private readonly s: Channel | undefined;

  constructor(
    readonly joint: Joint,
    private readonly run: Run,
    private readonly poses: Poses,
  ) {
    this.a = poses.find(joint.a);
    this.b = poses.find(joint.b);
    this.X_A = matrixOf(joint.frame_a);
    this.X_B = matrixOf(joint.frame_b);
    const track = joint.track ? trackOf(joint, run) : undefined;
    this.s = track ? run.find(`${joint.name}.s`) : undefined;
    if (!track || !this.s) return;
    this.line = new Line(run.packed.floats(track.points), track.closed);
    this.a = poses.find(track.body);
    this.X_A = matrixOf(track.pose);
  }
  /** To time t, where the poses are too. */
  set(t: number): void {
    this.B.multiplyMatrices(this.poses.matrix(this.b), this.X_B);
    this.A.multiplyMatrices(this.poses.matrix(this.a), this.X_A);
    if (this.line && this.s) this.A.multiply(this.line.frame(this.run.at(this.s, t)));
    else if (this.joint.track) this.A.copy(this.B); // nobody knows where on the line: its axes are close
  }
}

/** The track as it lies on the body that the joint has as A. */
export function trackOf(joint: Joint, run: Run): Run["header"]["tracks"][number] | undefined {
  const all = run.header.tracks.filter((t) => t.name === joint.track);
  return all.find((t) => t.body === joint.a) ?? all[0];
}

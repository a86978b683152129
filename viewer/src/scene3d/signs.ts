import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const MOST_GHOSTS = 400;

/** A sign that stands at many frames. */
export class Signs {
  readonly material = new THREE.MeshLambertMaterial();
  readonly mesh: THREE.InstancedMesh;
  /** Faint where something stands before it: joints are in bodies mostly. */
  private readonly ghost: THREE.MeshBasicMaterial;

  constructor(geometry: THREE.BufferGeometry, private readonly at: { frame: THREE.Matrix4; local?: THREE.Matrix4 }[]) {
    this.mesh = new THREE.InstancedMesh(geometry, this.material, at.length);
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.ghost = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.22, depthFunc: THREE.GreaterDepth, depthWrite: false });
    if (at.length > MOST_GHOSTS) return;
    const behind = new THREE.InstancedMesh(geometry, this.ghost, at.length);
    behind.instanceMatrix = this.mesh.instanceMatrix;
    behind.frustumCulled = false;
    behind.renderOrder = 1;
    this.mesh.add(behind);
  }
  /** One colour for all, and for what shows through. */
  colour(c: string): void {
    this.material.color.set(c);
    this.ghost.color.set(c);
  }
  /** That of what shows through alone. */
  tint(c: string): void {
    this.ghost.color.set(c);
  }
  paint(colour: (k: number) => THREE.Color): void {
    this.at.forEach((_, k) => this.mesh.setColorAt(k, colour(k)));
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
  update(): void {
    const m = new THREE.Matrix4();
    this.at.forEach(({ frame, local }, k) => this.mesh.setMatrixAt(k, local ? m.multiplyMatrices(frame, local) : frame));
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

export function ballOf(size: number, round: number): THREE.BufferGeometry {
  return new THREE.SphereGeometry(0.28 * size, round, Math.ceil(0.7 * round));
}
/** A pin along z with a ring about it. */
export function turningOf(size: number): THREE.BufferGeometry {
  const pin = new THREE.CylinderGeometry(0.07 * size, 0.07 * size, 2.4 * size, 8).rotateX(Math.PI / 2);
  return mergeGeometries([pin, new THREE.TorusGeometry(0.6 * size, 0.06 * size, 6, 28)]);
}
/** A bar along z with a tip at each end. */
export function slidingOf(size: number): THREE.BufferGeometry {
  const tip = (end: number) =>
    new THREE.ConeGeometry(0.2 * size, 0.5 * size, 10).rotateX((end * Math.PI) / 2).translate(0, 0, end * 1.7 * size);
  return mergeGeometries([new THREE.BoxGeometry(0.1 * size, 0.1 * size, 3.2 * size), tip(-1), tip(1)]);
}

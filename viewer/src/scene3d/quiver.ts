import * as THREE from "three";

/** Arrows of one kind: shafts and heads, all at once. */
export class Quiver {
  readonly group = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly material = new THREE.MeshBasicMaterial();
  private n = 0;

  constructor(most: number, private readonly size: number) {
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, -0.5);
    this.shafts = new THREE.InstancedMesh(shaft, this.material, most);
    this.heads = new THREE.InstancedMesh(head, this.material, most);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
  }
  colour(c: string): void {
    this.material.color.set(c);
  }
  begin(): void {
    this.n = 0;
  }
  add(from: THREE.Vector3, way: THREE.Vector3): void {
    const length = way.length();
    if (!(length > 0.02 * this.size)) return;
    const turn = new THREE.Quaternion().setFromUnitVectors(Z, way.clone().divideScalar(length));
    const head = Math.min(0.5 * length, 0.5 * this.size);
    const r = Math.min(0.06 * this.size, 0.1 * length);
    const m = new THREE.Matrix4();
    this.shafts.setMatrixAt(this.n, m.compose(from, turn, new THREE.Vector3(r, r, length - head)));
    const tip = from.clone().add(way);
    this.heads.setMatrixAt(this.n, m.compose(tip, turn, new THREE.Vector3(3 * r, 3 * r, head)));
    this.n++;
  }
  end(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.n;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

const Z = new THREE.Vector3(0, 0, 1);

/** The length that is exceeded in one of a hundred values: impacts do not make all else small. */
export function usual(values: Float32Array[], frames: number, numbers = 3): number {
  const lengths: number[] = [];
  const skip = Math.max(1, Math.floor(frames / 200));
  for (let f = 0; f < frames; f += skip)
    for (let i = 0; i + numbers <= values.length; i += numbers) {
      const length = Math.hypot(...values.slice(i, i + numbers).map((v) => v[f]!));
      if (Number.isFinite(length)) lengths.push(length);
    }
  lengths.sort((a, b) => a - b);
  return lengths[Math.floor(0.99 * (lengths.length - 1))] ?? 0;
}

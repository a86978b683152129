import * as THREE from "three";

/** Arrows of one kind: shafts and heads, all at once. */
export class Quiver {
  readonly group = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly material = new THREE.MeshBasicMaterial();
  private n = 0;
  private readonly ends: { from: THREE.Vector3; tip: THREE.Vector3; index: number }[] = [];

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
  /** `index`: what a pick of it gives. */
  add(from: THREE.Vector3, way: THREE.Vector3, index: number): void {
    const length = way.length();
    if (!(length > 0.02 * this.size)) return;
    const turn = new THREE.Quaternion().setFromUnitVectors(Z, way.clone().divideScalar(length));
    const head = Math.min(0.5 * length, 0.5 * this.size);
    const r = Math.min(0.06 * this.size, 0.1 * length);
    const m = new THREE.Matrix4();
    this.shafts.setMatrixAt(this.n, m.compose(from, turn, new THREE.Vector3(r, r, length - head)));
    const tip = from.clone().add(way);
    this.heads.setMatrixAt(this.n, m.compose(tip, turn, new THREE.Vector3(3 * r, 3 * r, head)));
    this.ends[this.n] = { from: from.clone(), tip, index };
    this.n++;
  }
  /** The arrow that a ray comes close to, nearest first. */
  pick(ray: THREE.Raycaster): { index: number; distance: number } {
    const out = { index: -1, distance: Infinity };
    if (!this.group.visible || this.group.parent?.visible === false) return out;
    const on = new THREE.Vector3();
    for (const { from, tip, index } of this.ends.slice(0, this.n)) {
      const off = Math.sqrt(ray.ray.distanceSqToSegment(from, tip, on));
      const distance = on.distanceTo(ray.ray.origin);
      if (off < Math.max(0.15 * this.size, 0.006 * distance) && distance < out.distance) Object.assign(out, { index, distance });
    }
    return out;
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
  const [skip, pass] = [Math.max(1, Math.floor(frames / 200)), numbers * Math.max(1, Math.floor(values.length / numbers / MOST_READ))];
  for (let i = 0; i + numbers <= values.length; i += pass)
    for (let f = 0; f < frames; f += skip) {
      let sum = 0;
      for (let c = 0; c < numbers; c++) sum += values[i + c]![f]! ** 2;
      if (Number.isFinite(sum)) lengths.push(Math.sqrt(sum));
    }
  lengths.sort((a, b) => a - b);
  return lengths[Math.floor(0.99 * (lengths.length - 1))] ?? 0;
}

const MOST_READ = 1000; // arrows

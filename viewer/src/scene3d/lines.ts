import * as THREE from "three";
import type { Run } from "../data/run";
import type { Drawn } from "./joints";

const COILS = 8;
const Z = new THREE.Vector3(0, 0, 1);

function segments(points: number, material: THREE.LineBasicMaterial): THREE.LineSegments {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * points), 3).setUsage(THREE.DynamicDrawUsage));
  const out = new THREE.LineSegments(geometry, material);
  out.frustumCulled = false;
  return out;
}

/** The way from 0 to 1 along z, with coils of radius r. */
function coil(r: number): THREE.Vector3[] {
  const n = COILS * 16;
  return Array.from({ length: n + 1 }, (_, i) => {
    const part = i / n;
    const wide = part > 0.1 && part < 0.9 ? r : 0;
    const angle = part * COILS * 2 * Math.PI;
    return new THREE.Vector3(wide * Math.cos(angle), wide * Math.sin(angle), part);
  });
}

/** Lines from A to B where they may be apart, while their joint holds: a coil where a spring acts on the length. */
export class Links {
  readonly material = new THREE.LineBasicMaterial();
  readonly lines: THREE.LineSegments;
  private readonly list: { d: Drawn; way: THREE.Vector3[] }[] = [];

  constructor(drawn: readonly Drawn[], run: Run, size: number, coils: boolean) {
    const springs = new Set(run.header.laws.filter((l) => l.coordinate === "length" && /spring|formula/.test(l.type)).map((l) => l.joint));
    const [straight, wound] = [[new THREE.Vector3(), Z], coil(0.35 * size)];
    for (const d of drawn) {
      const spans = d.joint.free.some((f) => f.name === "length");
      if (!spans && !/^(distance|prismatic|cylindrical|point-on-line)$/.test(d.joint.type)) continue;
      this.list.push({ d, way: coils && springs.has(d.joint.name) ? wound : straight });
    }
    this.lines = segments(this.list.reduce((n, l) => n + 2 * (l.way.length - 1), 0), this.material);
  }
  update(): void {
    const to = this.lines.geometry.getAttribute("position") as THREE.BufferAttribute;
    const [A, B, p] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const turn = new THREE.Quaternion();
    let at = 0;
    for (const { d, way } of this.list) {
      A.setFromMatrixPosition(d.A);
      B.setFromMatrixPosition(d.B).sub(A);
      const length = d.holds ? B.length() : 0;
      if (length > 1e-9) turn.setFromUnitVectors(Z, B.divideScalar(length));
      way.forEach((w, i) => {
        p.set(w.x, w.y, w.z * length).applyQuaternion(turn).add(A);
        to.setXYZ(at++, p.x, p.y, p.z);
        if (i > 0 && i < way.length - 1) to.setXYZ(at++, p.x, p.y, p.z); // an end and a beginning
      });
    }
    to.needsUpdate = true;
  }
}

/** Axes of frames A and B: x red, y green, z blue. */
export class Axes {
  readonly lines: THREE.LineSegments;
  constructor(private readonly drawn: readonly Drawn[], private readonly size: number) {
    this.lines = segments(12 * drawn.length, new THREE.LineBasicMaterial({ vertexColors: true }));
    const colours = drawn.flatMap(() => [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2].flatMap((axis) => [0, 1, 2].map((c) => (c === axis ? 1 : 0.15))));
    this.lines.geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
  }
  update(): void {
    const to = this.lines.geometry.getAttribute("position") as THREE.BufferAttribute;
    let at = 0;
    for (const d of this.drawn)
      for (const { elements: e } of [d.A, d.B])
        for (let axis = 0; axis < 3; axis++) {
          to.setXYZ(at++, e[12]!, e[13]!, e[14]!);
          to.setXYZ(at++, ...([0, 1, 2].map((c) => e[12 + c]! + this.size * e[4 * axis + c]!) as [number, number, number]));
        }
    to.needsUpdate = true;
  }
}

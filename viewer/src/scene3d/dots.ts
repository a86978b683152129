import * as THREE from "three";

/** Bodies that are too small to be seen as what they are. */
export class Dots {
  readonly points: THREE.Points;
  private readonly places: Float32Array;
  private readonly colours: Float32Array;
  count = 0;

  constructor(most: number) {
    this.places = new Float32Array(3 * most);
    this.colours = new Float32Array(3 * most);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.places, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute("color", new THREE.BufferAttribute(this.colours, 3).setUsage(THREE.DynamicDrawUsage));
    this.points = new THREE.Points(geometry, new THREE.PointsMaterial({ size: 2.5, sizeAttenuation: false, vertexColors: true }));
    this.points.frustumCulled = false;
  }
  begin(): void {
    this.count = 0;
  }
  add(x: number, y: number, z: number, colour: ArrayLike<number>): void {
    const at = 3 * this.count++;
    this.places[at] = x;
    this.places[at + 1] = y;
    this.places[at + 2] = z;
    for (let c = 0; c < 3; c++) this.colours[at + c] = colour[c]!;
  }
  end(): void {
    this.points.geometry.setDrawRange(0, this.count);
    this.points.visible = this.count > 0;
    for (const name of ["position", "color"]) {
      const a = this.points.geometry.getAttribute(name) as THREE.BufferAttribute;
      a.clearUpdateRanges();
      a.addUpdateRange(0, 3 * this.count);
      a.needsUpdate = this.count > 0;
    }
  }
}

import { Matrix4, Vector3, type PerspectiveCamera } from "three";

/** What a camera sees, for quick questions about many balls. */
export class Eye {
  private readonly planes = new Float64Array(24);
  private readonly at = new Vector3();
  /** Pixels that a length of 1 at a distance of 1 takes. */
  private scale = 1;
  private readonly m = new Matrix4();

  set(camera: PerspectiveCamera, height: number): void {
    this.at.copy(camera.position);
    this.scale = height / (2 * Math.tan((camera.fov * Math.PI) / 360));
    const e = this.m.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    for (let k = 0; k < 6; k++) {
      const [row, sign] = [k >> 1, k % 2 ? -1 : 1];
      const part = (c: number) => e[4 * c + 3]! + sign * e[4 * c + row]!;
      const size = Math.hypot(part(0), part(1), part(2)) || 1;
      for (let c = 0; c < 4; c++) this.planes[4 * k + c] = part(c) / size;
    }
  }
  /** Radius of a ball on the screen [pixels]; -1: it is out of the picture. */
  pixels(x: number, y: number, z: number, radius: number): number {
    const p = this.planes;
    for (let k = 0; k < 24; k += 4) if (p[k]! * x + p[k + 1]! * y + p[k + 2]! * z + p[k + 3]! < -radius) return -1;
    const far = Math.sqrt((x - this.at.x) ** 2 + (y - this.at.y) ** 2 + (z - this.at.z) ** 2);
    return (radius * this.scale) / Math.max(far, 1e-12);
  }
}

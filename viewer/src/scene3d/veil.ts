import { Box3, Matrix4, Vector3 } from "three";
import type { Poses } from "./poses";
import { boxOf, type Piece } from "./shapes";

/** Whether a point in the piece's axes is within its solid; of meshes nobody knows. */
function within(p: Vector3, piece: Piece, box: Box3): boolean {
  if (!box.containsPoint(p)) return false;
  const size = box.max;
  if (piece.key.startsWith("sphere")) return p.length() <= size.x;
  if (piece.key.startsWith("ellipsoid")) return p.clone().divide(size).length() <= 1;
  if (/^(cylinder|capsule)/.test(piece.key)) return Math.hypot(p.x, p.y) <= size.x;
  return piece.key.startsWith("box");
}

const SHARE = 0.9; // of the corners and the middle of what is hidden

/** Makes veils of pieces in which most of another body is at time t: it could not be seen. */
export function veil(pieces: Piece[][], bounds: readonly Box3[], poses: Poses, t: number): void {
  poses.set(t);
  const corners = bounds.map((b, i) => (b && !b.isEmpty() ? pointsOf(b).map((p) => p.applyMatrix4(poses.matrix(i))) : []));
  pieces.forEach((list, i) => {
    for (const piece of list) {
      if (piece.look !== "solid") continue;
      const box = boxOf(piece).clone();
      box.expandByScalar(1e-6 * box.getSize(new Vector3()).length());
      const back = new Matrix4().multiplyMatrices(poses.matrix(i), piece.local).invert();
      const hides = corners.some((points, k) => {
        if (k === i || points.length === 0) return false;
        const hidden = points.filter((p) => within(p.clone().applyMatrix4(back), piece, box)).length;
        return hidden >= SHARE * points.length;
      });
      if (hides) piece.look = "veil";
    }
  });
}

/** Middle and, a little inwards, corners. */
function pointsOf(box: Box3): Vector3[] {
  const middle = box.getCenter(new Vector3());
  const half = box.getSize(new Vector3()).multiplyScalar(0.45);
  const out = [middle];
  for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1]) out.push(middle.clone().add(new Vector3(x * half.x, y * half.y, z * half.z)));
  return out;
}

import { Vector3 } from "three";

/** Directions of a picture: towards the camera, to the right, up. */
export interface Directions {
  out: Vector3;
  right: Vector3;
  above: Vector3;
}

const MARGIN = 0.86; // of the picture that is filled

/**
 * From where a camera that looks along `-out` sees all points: what it looks at, and how far from it it stands. `tan`: of half
 * the height of the lens; `aspect`: width over height. A centre that is given is kept.
 */
export function fit(points: readonly Vector3[], d: Directions, tan: number, aspect: number, fixed?: Vector3): { centre: Vector3; distance: number } {
  const centre = fixed?.clone() ?? mean(points);
  if (points.length === 0) return { centre, distance: 1 };
  const [tx, ty] = [MARGIN * tan * aspect, MARGIN * tan];
  const rel = new Vector3();
  let distance = 0;
  for (let pass = 0; pass < 4; pass++) {
    distance = 0;
    for (const p of points) {
      rel.subVectors(p, centre);
      distance = Math.max(distance, rel.dot(d.out) + Math.max(Math.abs(rel.dot(d.right)) / tx, Math.abs(rel.dot(d.above)) / ty));
    }
    if (fixed) break;
    // to the middle of what is seen, by angles
    let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const p of points) {
      rel.subVectors(p, centre);
      const depth = Math.max(1e-3 * distance, distance - rel.dot(d.out));
      const [x, y] = [rel.dot(d.right) / depth, rel.dot(d.above) / depth];
      [left, right, low, high] = [Math.min(left, x), Math.max(right, x), Math.min(low, y), Math.max(high, y)];
    }
    centre.addScaledVector(d.right, 0.5 * (left + right) * distance).addScaledVector(d.above, 0.5 * (low + high) * distance);
  }
  return { centre, distance };
}

function mean(points: readonly Vector3[]): Vector3 {
  const out = new Vector3();
  for (const p of points) out.add(p);
  return points.length > 0 ? out.divideScalar(points.length) : out;
}

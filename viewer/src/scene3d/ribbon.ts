import * as THREE from "three";

/** A ribbon along points, seen from all sides: its section is a small square on its corner. */
export function ribbon(points: readonly THREE.Vector3[], colours: readonly THREE.Color[], radius: number, up: THREE.Vector3): THREE.BufferGeometry {
  const position = new Float32Array(12 * points.length);
  const colour = new Float32Array(12 * points.length);
  const index: number[] = [];
  const [d, t, side, above] = [new THREE.Vector3(), up.clone(), new THREE.Vector3(1, 0, 0), new THREE.Vector3()];
  points.forEach((p, i) => {
    d.subVectors(points[Math.min(points.length - 1, i + 1)]!, points[Math.max(0, i - 1)]!);
    if (d.lengthSq() > 0) {
      t.copy(d).normalize();
      const across = t.clone().cross(up);
      // along `up` the side is what it was before
      if (across.lengthSq() > 1e-4) side.copy(across.normalize());
      else side.addScaledVector(t, -side.dot(t)).normalize();
    }
    above.crossVectors(side, t).normalize();
    for (let k = 0; k < 4; k++) {
      const axis = k % 2 ? above : side;
      p.clone().addScaledVector(axis, k < 2 ? radius : -radius).toArray(position, 12 * i + 3 * k);
      colours[i]!.toArray(colour, 12 * i + 3 * k);
    }
    if (i === 0) return;
    for (let k = 0; k < 4; k++) {
      const [a, b, c, d] = [4 * (i - 1) + k, 4 * (i - 1) + ((k + 1) % 4), 4 * i + k, 4 * i + ((k + 1) % 4)];
      index.push(a, c, b, b, c, d);
    }
  });
  const out = new THREE.BufferGeometry();
  out.setAttribute("position", new THREE.BufferAttribute(position, 3));
  out.setAttribute("color", new THREE.BufferAttribute(colour, 3));
  out.setIndex(index);
  return out;
}

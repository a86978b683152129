import * as THREE from "three";
import type { TrackLine } from "../data/header";
import type { Run } from "../data/run";
import type { Palette } from "../theme";
import { matrixOf, type Poses } from "./poses";

const STANDARD_GAUGE = 1.435; // [m]
const MOST_SLEEPERS = 6000;
const MOST_STATIONS = 12000;

/** A place on a line: point, direction along and to the left. */
interface Station {
  s: number;
  p: THREE.Vector3;
  t: THREE.Vector3;
  n: THREE.Vector3;
}

function stations(points: Float32Array): Station[] {
  const out: Station[] = [];
  for (let i = 0; i + 9 < points.length; i += 10) {
    const v = (k: number) => new THREE.Vector3(points[i + k], points[i + k + 1], points[i + k + 2]);
    out.push({ s: points[i]!, p: v(1), t: v(4), n: v(7) });
  }
  const skip = Math.ceil(out.length / MOST_STATIONS);
  return skip > 1 ? out.filter((_, i) => i % skip === 0 || i === out.length - 1) : out;
}

/** Between stations, straight. */
function along(list: Station[], s: number): Station {
  let low = 0;
  let high = list.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle]!.s <= s) low = middle;
    else high = middle;
  }
  const [a, b] = [list[low]!, list[high]!];
  const part = b.s > a.s ? (s - a.s) / (b.s - a.s) : 0;
  return {
    s,
    p: a.p.clone().lerp(b.p, part),
    t: a.t.clone().lerp(b.t, part).normalize(),
    n: a.n.clone().lerp(b.n, part).normalize(),
  };
}

/** A bar of rectangular section swept along a line, its top middle at `left` to the left, `up` above. */
function bar(list: Station[], left: number, width: number, height: number): THREE.BufferGeometry {
  const position: number[] = [];
  const index: number[] = [];
  const corners = [
    [-width / 2, 0],
    [width / 2, 0],
    [width / 2, -height],
    [-width / 2, -height],
  ] as const;
  list.forEach((at, i) => {
    const up = at.t.clone().cross(at.n);
    for (const [l, u] of corners) {
      const p = at.p.clone().addScaledVector(at.n, left + l).addScaledVector(up, u);
      position.push(p.x, p.y, p.z);
    }
    if (i === 0) return;
    const [o, q] = [4 * (i - 1), 4 * i];
    for (let k = 0; k < 4; k++) {
      const m = (k + 1) % 4;
      index.push(o + k, q + k, o + m, o + m, q + k, q + m);
    }
  });
  const out = new THREE.BufferGeometry();
  out.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
  out.setIndex(index);
  out.computeVertexNormals();
  return out;
}

/** Tracks with rails and sleepers, whose cant is seen; a line that points run along is one bar. */
export class Tracks {
  readonly group = new THREE.Group();
  /** What is drawn that results do not say, for the legend. */
  readonly notes: string[] = [];
  private readonly laid: { group: THREE.Group; body: number; X: THREE.Matrix4 }[] = [];
  private readonly rail = new THREE.MeshStandardMaterial({ roughness: 0.4, metalness: 0.4, side: THREE.DoubleSide });
  private readonly sleeper = new THREE.MeshStandardMaterial({ roughness: 0.9 });

  constructor(run: Run, private readonly poses: Poses, size: number, palette: Palette) {
    const seen = new Set<string>();
    for (const track of run.header.tracks) {
      const key = `${track.name} ${track.body} ${track.pose.join()}`;
      if (seen.has(key)) continue; // joints that share it
      seen.add(key);
      const group = this.lay(track, run, size);
      const X = matrixOf(track.pose);
      group.matrixAutoUpdate = false;
      this.group.add(group);
      this.laid.push({ group, body: poses.find(track.body), X });
    }
    this.recolour(palette);
  }

  private lay(track: TrackLine, run: Run, size: number): THREE.Group {
    const out = new THREE.Group();
    const list = stations(run.packed.floats(track.points));
    if (list.length < 2) return out;
    const joints = run.header.joints.filter((j) => j.track === track.name);
    if (!joints.some((j) => j.type !== "point-on-track")) {
      out.add(new THREE.Mesh(bar(list, 0, 0.15 * size, 0.15 * size), this.rail));
      return out;
    }
    const gauge = size > 0.15 ? STANDARD_GAUGE : 2.5 * size;
    this.notes.push(`${track.name}: drawn with a gauge of ${gauge.toPrecision(3)} m`);
    const width = 0.05 * gauge;
    for (const side of [-1, 1])
      out.add(new THREE.Mesh(bar(list, (side * (gauge + width)) / 2, width, 0.11 * gauge), this.rail));
    out.add(this.sleepers(list, gauge));
    return out;
  }

  private sleepers(list: Station[], gauge: number): THREE.InstancedMesh {
    const first = list[0]!.s;
    const length = list[list.length - 1]!.s - first;
    const n = Math.min(MOST_SLEEPERS, Math.max(2, Math.round(length / (0.42 * gauge))));
    const box = new THREE.BoxGeometry(0.17 * gauge, 1.75 * gauge, 0.12 * gauge);
    const out = new THREE.InstancedMesh(box, this.sleeper, n);
    const m = new THREE.Matrix4();
    for (let i = 0; i < n; i++) {
      const at = along(list, first + (length * (i + 0.5)) / n);
      const up = at.t.clone().cross(at.n).normalize();
      m.makeBasis(at.t, at.n, up).setPosition(at.p.clone().addScaledVector(up, -0.17 * gauge));
      out.setMatrixAt(i, m);
    }
    out.computeBoundingSphere();
    return out;
  }

  recolour(palette: Palette): void {
    this.rail.color.set(palette.rail);
    this.sleeper.color.set(palette.sleeper);
  }
  update(): void {
    for (const { group, body, X } of this.laid) {
      group.matrix.multiplyMatrices(this.poses.matrix(body), X);
      group.matrixWorldNeedsUpdate = true;
    }
  }
}

import * as THREE from "three";
import type { TrackLine } from "../data/header";
import type { Run } from "../data/run";
import type { Palette } from "../theme";
import { Line } from "./line";
import { matrixOf, type Poses } from "./poses";

const STANDARD_GAUGE = 1.435; // [m]
const STEEP = 0.1; // slope that railways do not have
const NEAR = 2; // sizes about what is looked at, in which the ground is as low as the track there
const PIXEL = 1.2e-3; // [rad] about what a pixel sees
const MOST_SLEEPERS = 6000;
const MOST_STATIONS = 12000;

/** A place on a line: point, direction along and to the left. */
interface Station {
  p: THREE.Vector3;
  t: THREE.Vector3;
  n: THREE.Vector3;
}

function stations(line: Line): Station[] {
  const skip = Math.max(1, Math.ceil(line.count / MOST_STATIONS));
  const out: Station[] = [];
  for (let i = 0; i < line.count; i++)
    if (i % skip === 0 || i === line.count - 1) out.push({ p: line.place(i), t: line.along(i), n: line.left(i) });
  return out;
}

/** A bar of rectangular section swept along a line, its top middle at `left` to the left, `low` below. */
function bar(list: Station[], left: number, width: number, height: number, low = 0): THREE.BufferGeometry {
  const position: number[] = [];
  const index: number[] = [];
  const corners = [
    [-width / 2, -low],
    [width / 2, -low],
    [width / 2, -low - height],
    [-width / 2, -low - height],
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

/**
 * Lets a paint pass into another colour where what is painted, of so many metres, is smaller than a few pixels: it would flicker
 * there (moiré). `up`: lengths lie in the plane across it and are seen foreshortened.
 */
function fadeFar(paint: THREE.MeshStandardMaterial, into: THREE.Color, up: THREE.Vector3 | null, metres: number, most: number): void {
  paint.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { fadeInto: { value: into }, fadeUp: { value: up ?? new THREE.Vector3() } });
    const slant = up ? "abs(dot((viewMatrix * vec4(fadeUp, 0.0)).xyz, vViewPosition)) / fadeFar" : "1.0";
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform vec3 fadeInto;\nuniform vec3 fadeUp;")
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
  float fadeFar = length(vViewPosition);
  float fadePixels = ${metres.toExponential(6)} * ${slant} / (fadeFar * ${PIXEL.toExponential(6)});
  diffuseColor.rgb = mix(diffuseColor.rgb, fadeInto, ${most.toFixed(3)} * (1.0 - smoothstep(1.5, 5.0, fadePixels)));`,
      );
  };
}

function gaugeOf(size: number): number {
  return size > 0.15 ? STANDARD_GAUGE : 2.5 * size;
}

/** Tracks with rails and sleepers, whose cant is seen; a line that points run along is one bar. */
export class Tracks {
  readonly group = new THREE.Group();
  /** What is drawn that results do not say, for the legend. */
  readonly notes: string[] = [];
  private readonly laid: { group: THREE.Group; body: number; X: THREE.Matrix4; index: number; line: Line; wide: number; deep: number; level: boolean }[] = [];
  private readonly chosen = new THREE.MeshStandardMaterial({ roughness: 0.4, side: THREE.DoubleSide });
  private selected = "";
  private readonly rail = new THREE.MeshStandardMaterial({ roughness: 0.4, metalness: 0.4, side: THREE.DoubleSide });
  private readonly sleeper = new THREE.MeshStandardMaterial({ roughness: 0.9 });
  private readonly ballast = new THREE.MeshStandardMaterial({ roughness: 0.9, side: THREE.DoubleSide });

  constructor(run: Run, private readonly poses: Poses, size: number, up: THREE.Vector3, palette: Palette) {
    fadeFar(this.sleeper, this.ballast.color, up, 0.42 * gaugeOf(size), 1);
    fadeFar(this.rail, this.ballast.color, null, 0.05 * gaugeOf(size), 0.6);
    const seen = new Set<string>();
    run.header.tracks.forEach((track, index) => {
      const key = `${track.name} ${track.body} ${track.pose.join()}`;
      if (seen.has(key)) return; // joints that share it
      seen.add(key);
      const line = new Line(run.packed.floats(track.points), track.closed);
      const group = this.lay(track, line, run, size);
      const X = matrixOf(track.pose);
      group.matrixAutoUpdate = false;
      this.group.add(group);
      const wide = group.children.length > 1 ? 0.9 * gaugeOf(size) : 0.15 * size;
      const rails = group.children.length > 1;
      const steepest = Math.max(0, ...Array.from({ length: line.count }, (_, i) => Math.abs(line.along(i).transformDirection(X).dot(up))));
      this.laid.push({ group, body: poses.find(track.body), X, index, line, wide, deep: rails ? 0.35 * gaugeOf(size) : 0.15 * size, level: rails && steepest < STEEP });
    });
    this.recolour(palette);
  }

  private lay(track: TrackLine, line: Line, run: Run, size: number): THREE.Group {
    const out = new THREE.Group();
    const list = stations(line);
    if (list.length < 2) return out;
    const joints = run.header.joints.filter((j) => j.track === track.name);
    if (!joints.some((j) => j.type !== "point-on-track")) {
      out.add(new THREE.Mesh(bar(list, 0, 0.15 * size, 0.15 * size), this.rail));
      return out;
    }
    const gauge = gaugeOf(size);
    this.notes.push(`${track.name}: drawn with a gauge of ${gauge.toPrecision(3)} m`);
    const width = 0.05 * gauge;
    for (const side of [-1, 1])
      out.add(new THREE.Mesh(bar(list, (side * (gauge + width)) / 2, width, 0.11 * gauge), this.rail));
    out.add(this.sleepers(line, gauge));
    const ballast = new THREE.Mesh(bar(list, 0, 2.3 * gauge, 0.15 * gauge, 0.2 * gauge), this.ballast);
    ballast.receiveShadow = true;
    out.add(ballast);
    return out;
  }

  private sleepers(line: Line, gauge: number): THREE.InstancedMesh {
    const n = Math.min(MOST_SLEEPERS, Math.max(2, Math.round(line.length / (0.42 * gauge))));
    const box = new THREE.BoxGeometry(0.17 * gauge, 1.75 * gauge, 0.12 * gauge).translate(0, 0, -0.17 * gauge);
    const out = new THREE.InstancedMesh(box, this.sleeper, n);
    const m = new THREE.Matrix4();
    for (let i = 0; i < n; i++) out.setMatrixAt(i, line.frame(line.first + (line.length * (i + 0.5)) / n, m));
    out.computeBoundingSphere();
    return out;
  }

  recolour(palette: Palette): void {
    this.rail.color.set(palette.rail);
    this.sleeper.color.set(palette.sleeper);
    this.ballast.color.set(palette.ballast);
    this.chosen.color.set(palette.selected);
  }
  /** Shows the rails of one in the colour of what is selected; "": of none. */
  select(name: string, tracks: readonly TrackLine[]): void {
    if (name === this.selected) return;
    this.selected = name;
    for (const { group, index } of this.laid)
      for (const part of group.children as THREE.Mesh[])
        if (part.material !== this.sleeper && part.material !== this.ballast) part.material = tracks[index]!.name === name ? this.chosen : this.rail;
  }
  /** The track that a ray meets: its number in the header. */
  pick(ray: THREE.Raycaster): { index: number; distance: number } {
    const out = { index: -1, distance: Infinity };
    const [a, b, on] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    for (const { group, index, line, wide } of this.laid) {
      const local = ray.ray.clone().applyMatrix4(group.matrix.clone().invert());
      const skip = Math.max(1, Math.floor(line.count / 4000));
      for (let i = 0; i + skip < line.count; i += skip) {
        local.distanceSqToSegment(line.place(i, a), line.place(i + skip, b), on);
        const distance = on.distanceTo(local.origin);
        const off = local.distanceSqToSegment(a, b);
        if (off < Math.max(wide, 0.005 * distance) ** 2 && distance < out.distance) Object.assign(out, { index, distance });
      }
    }
    return out;
  }
  /** Some points of all of them, in the world. */
  points(): THREE.Vector3[] {
    return this.laid.flatMap(({ group, line }) => {
      const skip = Math.max(1, Math.floor(line.count / 200));
      return Array.from({ length: Math.ceil(line.count / skip) }, (_, i) => line.place(i * skip).applyMatrix4(group.matrix));
    });
  }
  /** Height of the lowest place of what stands on the ground, with what it lies on; infinite where there is none. */
  lowest(up: THREE.Vector3): number {
    this.update();
    const least = this.points().reduce((low, p) => Math.min(low, p.dot(up)), Infinity);
    return least - Math.max(0, ...this.laid.map((l) => l.deep));
  }
  /** Height of the ground about a point where a railway, which is never steep, lies on it; null: there is none near. */
  groundNear(at: THREE.Vector3, up: THREE.Vector3, size: number): number | null {
    let out = Infinity;
    const off = new THREE.Vector3();
    for (const { group, line, body, deep, level } of this.laid) {
      if (body >= 0 || !level) continue;
      const skip = Math.max(1, Math.floor(line.count / 3000));
      for (let i = 0; i < line.count; i += skip) {
        const p = line.place(i, off).applyMatrix4(group.matrix);
        const height = p.dot(up);
        const wide = p.sub(at).addScaledVector(up, -p.dot(up)).length();
        if (wide < NEAR * size) out = Math.min(out, height - deep);
      }
    }
    return Number.isFinite(out) ? out : null;
  }
  update(): void {
    for (const { group, body, X } of this.laid) {
      group.matrix.multiplyMatrices(this.poses.matrix(body), X);
      group.matrixWorldNeedsUpdate = true;
    }
  }
}

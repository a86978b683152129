import * as THREE from "three";
import type { Run } from "../data/run";
import { strainColour, type Palette } from "../theme";
import type { Piece } from "./shapes";
import { piecesOf } from "./shapes";
import type { Poses } from "./poses";

/** Equal pieces of bodies, drawn at once. */
interface Batch {
  mesh: THREE.InstancedMesh;
  bodies: number[];
  locals: THREE.Matrix4[];
}

const MANY = 200; // bodies

export class Bodies {
  readonly group = new THREE.Group();
  readonly bounds: THREE.Box3[] = []; // of each body, in its axes
  private readonly batches: Batch[] = [];
  private readonly colours: THREE.Color[] = [];
  /** Of many bodies some are too small to be seen: dots of some pixels. */
  private readonly dots: THREE.Points | null = null;
  private selected = -1;
  private strained = false;

  constructor(
    run: Run,
    private readonly poses: Poses,
    point: number,
    private palette: Palette,
  ) {
    const joints = jointPlaces(run);
    const round = run.header.bodies.length > MANY ? 10 : 32;
    const gathered = new Map<string, { piece: Piece; bodies: number[]; locals: THREE.Matrix4[] }>();
    for (const body of run.header.bodies) {
      const i = poses.find(body.name);
      if (i < 0) continue;
      this.bounds[i] = new THREE.Box3();
      for (const piece of piecesOf(body, run.packed, joints.get(body.name) ?? [], point, round)) {
        const key = `${piece.look} ${piece.key}`;
        let entry = gathered.get(key);
        if (!entry) gathered.set(key, (entry = { piece, bodies: [], locals: [] }));
        entry.bodies.push(i);
        entry.locals.push(piece.local);
      }
    }
    for (const { piece, bodies, locals } of gathered.values()) this.add(piece, bodies, locals);
    if (poses.names.length > MANY) this.dots = this.makeDots();
    this.recolour(palette);
  }

  private makeDots(): THREE.Points {
    const geometry = new THREE.BufferGeometry();
    const places = new Float32Array(3 * this.poses.names.length);
    geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
    const out = new THREE.Points(geometry, new THREE.PointsMaterial({ size: 2.5, sizeAttenuation: false }));
    out.frustumCulled = false;
    this.group.add(out);
    return out;
  }

  private add(piece: Piece, bodies: number[], locals: THREE.Matrix4[]): void {
    const geometry = piece.make();
    geometry.computeBoundingBox();
    const see = piece.look === "inertia";
    const material = new THREE.MeshStandardMaterial({
      roughness: 0.55,
      metalness: 0.05,
      transparent: see,
      opacity: see ? 0.55 : 1,
      side: piece.key.startsWith("mesh") ? THREE.DoubleSide : THREE.FrontSide,
      flatShading: piece.key.startsWith("mesh"),
    });
    const mesh = new THREE.InstancedMesh(geometry, material, bodies.length);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.userData.look = piece.look;
    mesh.castShadow = !see;
    this.group.add(mesh);
    this.batches.push({ mesh, bodies, locals });
    bodies.forEach((body, k) =>
      this.bounds[body]!.union(geometry.boundingBox!.clone().applyMatrix4(locals[k]!)),
    );
  }

  /** Puts all where the poses are. */
  update(): void {
    const m = new THREE.Matrix4();
    for (const { mesh, bodies, locals } of this.batches) {
      bodies.forEach((body, k) =>
        mesh.setMatrixAt(k, m.multiplyMatrices(this.poses.matrix(body), locals[k]!)),
      );
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    if (this.dots) {
      const places = this.dots.geometry.getAttribute("position") as THREE.BufferAttribute;
      this.poses.matrices.forEach((body, i) =>
        places.setXYZ(i, body.elements[12]!, body.elements[13]!, body.elements[14]!),
      );
      places.needsUpdate = true;
    }
    if (this.strained) this.paint();
  }

  recolour(palette: Palette): void {
    this.palette = palette;
    if (this.dots) (this.dots.material as THREE.PointsMaterial).color.set(palette.bodies[0]!);
    this.poses.names.forEach((_, i) => {
      this.colours[i] = new THREE.Color(palette.bodies[i % palette.bodies.length]!);
    });
    this.paint();
  }
  colour(body: number): string {
    return `#${(this.colours[body] ?? new THREE.Color("gray")).getHexString()}`;
  }
  select(body: number): void {
    this.selected = body;
    this.paint();
  }
  seeThrough(on: boolean): void {
    for (const { mesh } of this.batches) {
      const paint = mesh.material as THREE.MeshStandardMaterial;
      const see = on || mesh.userData.look === "inertia";
      if (paint.transparent !== see) paint.needsUpdate = true;
      paint.transparent = see;
      paint.opacity = on ? 0.35 : see ? 0.55 : 1;
      paint.depthWrite = !on;
    }
  }
  /** Colours affine bodies by their strain instead. */
  showStrain(on: boolean): void {
    this.strained = on;
    this.paint();
  }

  private paint(): void {
    const hole = new THREE.Color(this.palette.hole);
    const chosen = new THREE.Color(this.palette.selected);
    for (const { mesh, bodies } of this.batches) {
      bodies.forEach((body, k) => {
        let c = mesh.userData.look === "hole" ? hole : this.colours[body]!;
        if (this.strained && this.poses.isAffine(body)) c = strainColour(this.poses.strain(body));
        if (body === this.selected) c = c.clone().lerp(chosen, 0.6);
        mesh.setColorAt(k, c);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  /** The body that a ray meets first; -1: none. */
  pick(ray: THREE.Raycaster): { body: number; distance: number } {
    for (const { mesh } of this.batches) mesh.computeBoundingSphere();
    const hit = ray.intersectObjects(this.batches.map((b) => b.mesh)).find((h) => h.instanceId !== undefined);
    if (!hit) return { body: -1, distance: Infinity };
    const batch = this.batches.find((b) => b.mesh === hit.object)!;
    return { body: batch.bodies[hit.instanceId!]!, distance: hit.distance };
  }
}

/** Where joints are on each body, in its axes. */
function jointPlaces(run: Run): Map<string, THREE.Vector3[]> {
  const out = new Map<string, THREE.Vector3[]>();
  const add = (body: string, pose: number[]) => {
    const list = out.get(body) ?? [];
    list.push(new THREE.Vector3(pose[0], pose[1], pose[2]));
    out.set(body, list);
  };
  for (const j of run.header.joints) {
    if (j.type === "coupling" || j.a === j.b) continue;
    if (!j.track) add(j.a, j.frame_a);
    add(j.b, j.frame_b);
  }
  return out;
}

import * as THREE from "three";
import type { Piece } from "./shapes";
import type { Poses } from "./poses";

/** How finely round things are drawn, in corners of a circle, and from how many pixels of radius on. */
export interface Level {
  round: number;
  pixels: number;
}

const LOOKS = { solid: 1, hole: 1, inertia: 0.55, veil: 0.4 } as const;

/** How bodies look at the moment. */
export interface Looks {
  /** Their size on the screen [pixels]; below zero: they are not drawn. */
  pixels: Float32Array;
  /** Red, green, blue of each. */
  colours: Float32Array;
  /** By the text of a colour. */
  tints: Map<string, readonly number[]>;
  selected: number;
  chosen: readonly number[];
  /** Those whose colour says how strained they are. */
  strained: Set<number> | null;
}

/** Equal pieces of bodies: an instanced mesh a level, filled anew for each picture with what is to be seen. */
export class Batch {
  readonly group = new THREE.Group();
  private readonly meshes: THREE.InstancedMesh[];
  private readonly local: Float64Array; // sixteen numbers an instance
  private readonly paint: THREE.MeshStandardMaterial | THREE.MeshLambertMaterial;

  constructor(
    readonly piece: Piece,
    readonly bodies: readonly number[],
    readonly locals: readonly THREE.Matrix4[],
    private readonly levels: readonly Level[],
    private readonly quick: boolean,
  ) {
    const mesh = piece.key.startsWith("mesh");
    const look = {
      side: mesh ? THREE.DoubleSide : THREE.FrontSide,
      flatShading: mesh,
      transparent: LOOKS[piece.look] < 1,
      opacity: LOOKS[piece.look],
      depthWrite: piece.look !== "veil",
    };
    this.paint = quick ? new THREE.MeshLambertMaterial(look) : new THREE.MeshStandardMaterial({ ...look, roughness: 0.55, metalness: 0.05 });
    this.local = new Float64Array(16 * bodies.length);
    locals.forEach((m, k) => this.local.set(m.elements, 16 * k));
    const alike = !/^(sphere|cylinder|cone|tube|capsule|ellipsoid|point|stick)/.test(piece.key);
    const used = alike ? levels.slice(0, 1) : levels;
    this.meshes = used.map((l) => this.mesh(piece.make(l.round)));
  }

  private mesh(geometry: THREE.BufferGeometry): THREE.InstancedMesh {
    const out = new THREE.InstancedMesh(geometry, this.paint, this.bodies.length);
    out.castShadow = this.piece.look === "solid";
    out.receiveShadow = out.castShadow && !this.quick;
    out.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * this.bodies.length), 3);
    for (const a of [out.instanceMatrix, out.instanceColor]) a.setUsage(THREE.DynamicDrawUsage);
    out.frustumCulled = false;
    this.group.add(out);
    return out;
  }

  /** Which level is fine enough for a body of so many pixels. */
  private levelOf(pixels: number): number {
    let out = 0;
    while (out + 1 < this.meshes.length && pixels < this.levels[out]!.pixels) out++;
    return out;
  }

  /** Puts instances where the poses are. */
  fill(poses: Poses, look: Looks): void {
    const { pixels } = look;
    const counts = this.meshes.map(() => 0);
    for (let k = 0; k < this.bodies.length; k++) {
      const body = this.bodies[k]!;
      if (pixels[body]! < 0) continue;
      const level = this.levelOf(pixels[body]!);
      const n = counts[level]!++;
      const mesh = this.meshes[level]!;
      product(poses.matrix(body).elements, this.local, 16 * k, mesh.instanceMatrix.array as Float32Array, 16 * n);
      this.colour(mesh.instanceColor!.array as Float32Array, 3 * n, body, look);
    }
    this.meshes.forEach((mesh, level) => finish(mesh, counts[level]!));
  }

  private colour(to: Float32Array, at: number, body: number, look: Looks): void {
    const own = look.tints.get(this.piece.look === "hole" ? "hole" : (this.piece.colour ?? ""));
    const share = body === look.selected ? 0.6 : 0;
    for (let c = 0; c < 3; c++) {
      const plain = own && !look.strained?.has(body) ? own[c]! : look.colours[3 * body + c]!;
      to[at + c] = plain + share * (look.chosen[c]! - plain);
    }
  }

  /** 1: as it is, less: what is behind or in it shows through. */
  seeThrough(share: number): void {
    const opacity = Math.min(share, LOOKS[this.piece.look]);
    if (this.paint.transparent !== opacity < 1) this.paint.needsUpdate = true;
    this.paint.transparent = opacity < 1;
    this.paint.opacity = opacity;
    this.paint.depthWrite = share >= 1 && this.piece.look !== "veil";
    this.group.renderOrder = share < 1 ? 1 : 0;
    for (const mesh of this.meshes) mesh.renderOrder = this.group.renderOrder;
  }
  /** Where a ray meets the piece of one of its bodies first, in distance; Infinity: nowhere. */
  meets(ray: THREE.Raycaster, poses: Poses, instance: number): number {
    TRIED.geometry = this.meshes[0]!.geometry;
    TRIED.material = this.paint;
    TRIED.matrixWorld.multiplyMatrices(poses.matrix(this.bodies[instance]!), this.locals[instance]!);
    return ray.intersectObject(TRIED, false)[0]?.distance ?? Infinity;
  }
  get shown(): number {
    return this.meshes.reduce((n, m) => n + m.count, 0);
  }
}

const TRIED = new THREE.Mesh();

function finish(mesh: THREE.InstancedMesh, count: number): void {
  mesh.count = count;
  mesh.visible = count > 0;
  if (count === 0) return;
  for (const [a, size] of [[mesh.instanceMatrix, 16], [mesh.instanceColor!, 3]] as const) {
    a.clearUpdateRanges();
    a.addUpdateRange(0, size * count);
    a.needsUpdate = true;
  }
}

/** a b of matrices whose last row is 0 0 0 1. */
function product(a: readonly number[], b: Float64Array, j: number, out: Float32Array, to: number): void {
  for (let c = 0; c < 16; c += 4) {
    const [x, y, z, w] = [b[j + c]!, b[j + c + 1]!, b[j + c + 2]!, c === 12 ? 1 : 0];
    out[to + c] = a[0]! * x + a[4]! * y + a[8]! * z + a[12]! * w;
    out[to + c + 1] = a[1]! * x + a[5]! * y + a[9]! * z + a[13]! * w;
    out[to + c + 2] = a[2]! * x + a[6]! * y + a[10]! * z + a[14]! * w;
    out[to + c + 3] = w;
  }
}

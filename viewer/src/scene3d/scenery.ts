import * as THREE from "three";
import type { Run } from "../data/run";
import type { Palette } from "../theme";
import { boxOf, pieceOf } from "./shapes";

/** Shapes fixed in the world, for looking only. */
export class Scenery {
  readonly group = new THREE.Group();
  readonly bounds = new THREE.Box3();
  private readonly plain: THREE.Material[] = [];

  constructor(run: Run, point: number, palette: Palette) {
    const gathered = new Map<string, THREE.Matrix4[]>();
    const pieces = (run.header.scenery ?? []).map((s) => pieceOf(s, run.packed, point));
    const keyOf = (i: number) => `${pieces[i]!.key} ${pieces[i]!.colour ?? ""}`;
    pieces.forEach((piece, i) => {
      gathered.set(keyOf(i), [...(gathered.get(keyOf(i)) ?? []), piece.local]);
      this.bounds.union(boxOf(piece).clone().applyMatrix4(piece.local));
    });
    for (const [key, locals] of gathered) {
      const piece = pieces[pieces.findIndex((_, i) => keyOf(i) === key)]!;
      const paint = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide, flatShading: piece.key.startsWith("mesh") });
      if (piece.colour) paint.color.set(piece.colour);
      else this.plain.push(paint);
      const mesh = new THREE.InstancedMesh(piece.make(32), paint, locals.length);
      mesh.castShadow = mesh.receiveShadow = true;
      locals.forEach((m, k) => mesh.setMatrixAt(k, m));
      this.group.add(mesh);
    }
    this.recolour(palette);
  }
  recolour(palette: Palette): void {
    for (const paint of this.plain) (paint as THREE.MeshLambertMaterial).color.set(palette.scenery);
  }
}

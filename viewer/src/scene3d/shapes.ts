import * as THREE from "three";
import type { Body, Shape } from "../data/header";
import type { Packed } from "../data/decode";
import { equivalentSolid } from "./inertia";
import { matrixOf } from "./poses";

/** What is drawn of a body: a geometry, which equal shapes share by `key`, where it is on the body. */
export interface Piece {
  key: string;
  make: (round: number) => THREE.BufferGeometry;
  local: THREE.Matrix4;
  /** A veil has things in it that are to be seen. */
  look: "solid" | "hole" | "inertia" | "veil";
  /** Its own, "#rrggbb"; none: that of its body. */
  colour?: string | undefined;
}

/** Geometries of three.js have their axis along y, bodies of revolution here along z. */
function upright(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

function tube(outer: number, length: number, inner: number, round: number): THREE.BufferGeometry {
  const ring = new THREE.Shape().absarc(0, 0, outer, 0, 2 * Math.PI, false);
  ring.holes.push(new THREE.Path().absarc(0, 0, inner, 0, 2 * Math.PI, true));
  return new THREE.ExtrudeGeometry(ring, {
    depth: length,
    bevelEnabled: false,
    curveSegments: round,
  }).translate(0, 0, -length / 2);
}

/** Sizes as body/solid.h has them; `round` corners make a circle. */
function solid(kind: Shape["kind"], a: number, b: number, c: number, round: number): THREE.BufferGeometry {
  switch (kind) {
    case "box":
      return new THREE.BoxGeometry(a, b, c);
    case "sphere":
      return upright(new THREE.SphereGeometry(a, round, round / 2));
    case "cylinder":
      return upright(new THREE.CylinderGeometry(a, a, b, round));
    case "cone": // from radius a, where the axis enters, to c
      return upright(new THREE.CylinderGeometry(c, a, b, round));
    case "tube":
      return tube(a, b, c, round);
    case "capsule":
      return upright(new THREE.CapsuleGeometry(a, b, 8, round));
    case "ellipsoid":
      return upright(new THREE.SphereGeometry(1, round, round / 2)).scale(a, b, c);
    case "rod":
      return upright(new THREE.CylinderGeometry(a / 50, a / 50, a, 12));
    default:
      return new THREE.SphereGeometry(a, round, round / 2);
  }
}

function mesh(packed: Packed, array: number): THREE.BufferGeometry {
  const out = new THREE.BufferGeometry();
  out.setAttribute("position", new THREE.BufferAttribute(packed.floats(array), 3));
  out.computeVertexNormals();
  return out;
}

export function pieceOf(shape: Shape, packed: Packed, point: number): Piece {
  const local = matrixOf(shape.pose);
  const colour = shape.color;
  if (shape.kind === "mesh") {
    const array = shape.triangles!;
    return { key: `mesh ${array}`, make: () => mesh(packed, array), local, look: "solid", colour };
  }
  let [a = 0, b = 0, c = 0] = shape.size ?? [];
  if (shape.kind === "point") a = point;
  const [x = 0, y = 0, z = 1] = shape.axis ?? [];
  const toAxis = new THREE.Quaternion().setFromUnitVectors(
    new THREE.Vector3(0, 0, 1),
    new THREE.Vector3(x, y, z).normalize(),
  );
  if (shape.kind !== "box" && shape.kind !== "ellipsoid") local.multiply(new THREE.Matrix4().makeRotationFromQuaternion(toAxis));
  const kind = shape.kind;
  if (shape.hole) local.multiply(new THREE.Matrix4().makeScale(1.002, 1.002, 1.002));
  return {
    key: `${kind} ${a} ${b} ${c}`,
    make: (round) => solid(kind, a, b, c, round),
    local,
    look: shape.hole ? "hole" : "solid",
    colour,
  };
}

/** A stick from one point to another, of radius r. */
function stick(from: THREE.Vector3, to: THREE.Vector3, r: number): Piece | null {
  const way = to.clone().sub(from);
  const length = way.length();
  if (length < r) return null;
  const turn = new THREE.Quaternion().setFromUnitVectors(
    new THREE.Vector3(0, 0, 1),
    way.divideScalar(length),
  );
  const middle = from.clone().add(to).multiplyScalar(0.5);
  return {
    key: `stick ${r}`,
    make: () => solid("cylinder", r, 1, 0, 12),
    local: new THREE.Matrix4().compose(middle, turn, new THREE.Vector3(1, 1, length)),
    look: "solid",
  };
}

const BOXES = new Map<string, THREE.Box3>();

/** The box about a piece in its own axes; equal pieces share it. */
export function boxOf(piece: Piece): THREE.Box3 {
  let box = BOXES.get(piece.key);
  if (!box) {
    const geometry = piece.make(12);
    geometry.computeBoundingBox();
    BOXES.set(piece.key, (box = geometry.boundingBox!.clone()));
    geometry.dispose();
  }
  return box;
}

/** Whether a point lies in one of the pieces, or in the box about it. */
function covered(p: THREE.Vector3, pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => {
    const box = boxOf(piece).clone();
    const near = 0.1 * box.getSize(new THREE.Vector3()).length();
    return box.expandByScalar(near).containsPoint(p.clone().applyMatrix4(piece.local.clone().invert()));
  });
}

/**
 * The pieces of a body: its shapes, or the solid that has its inertia; and sticks from its centre of mass
 * to the joints that lie outside.
 */
export function piecesOf(
  body: Body,
  packed: Packed,
  joints: readonly THREE.Vector3[],
  point: number,
): Piece[] {
  const out = body.shapes.map((s) => pieceOf(s, packed, point));
  const com = new THREE.Vector3(...(body.com.map((x) => x ?? 0) as [number, number, number]));
  const reach = Math.max(0, ...joints.map((p) => p.distanceTo(com)));
  const sticks = joints
    .filter((p) => out.length === 0 || !covered(p, out))
    .map((p) => stick(com, p, Math.min(0.04 * reach, 0.5 * point)))
    .filter((p) => p !== null);
  if (out.length > 0) return [...out, ...sticks];
  out.push(...sticks);
  const like = equivalentSolid(body.mass, body.inertia);
  if (like) {
    const [a, b, c] = like.size;
    const local = new THREE.Matrix4().makeTranslation(com).multiply(like.axes);
    const key = `${like.kind} ${a} ${b} ${c}`;
    out.push({ key, make: (round) => solid(like.kind, a, b, c, round), local, look: "inertia" });
  } else {
    const local = new THREE.Matrix4().makeTranslation(com);
    out.push({ key: `point ${point}`, make: (round) => solid("point", point, 0, 0, round), local, look: "solid" });
  }
  return out;
}

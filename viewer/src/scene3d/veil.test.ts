import { Box3, Matrix4, Vector3 } from "three";
import { expect, it } from "vitest";
import type { Poses } from "./poses";
import { boxOf, pieceOf } from "./shapes";
import { veil } from "./veil";

const piece = (kind: "box" | "cylinder", size: number[]) => pieceOf({ kind, pose: [0, 0, 0, 1, 0, 0, 0], size, axis: [0, 0, 1] }, null as never, 0.1);
const at = (x: number) => new Matrix4().makeTranslation(new Vector3(x, 0, 0));

it("makes a veil of what hides another body, and of nothing else", () => {
  const look = (place: number, outer = piece("cylinder", [1, 4, 0])) => {
    const pieces = [[outer], [piece("box", [0.5, 0.5, 0.5])]];
    const bounds = pieces.map((p) => new Box3().copy(boxOf(p[0]!)));
    const matrices = [new Matrix4(), at(place)];
    veil(pieces, bounds, { set() {}, matrix: (i: number) => matrices[i]! } as unknown as Poses, 0);
    return pieces.map((p) => p[0]!.look);
  };
  expect(look(0)).toEqual(["veil", "solid"]);
  expect(look(0.6)).toEqual(["veil", "solid"]);
  expect(look(0.9)).toEqual(["solid", "solid"]);
  expect(look(0, piece("box", [0.4, 4, 4]))).toEqual(["solid", "solid"]);
});

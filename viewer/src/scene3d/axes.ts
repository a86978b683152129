import { Vector3 } from "three";

/** The axis of a free coordinate in frame A or B, and whether it turns about it or runs along it. */
export interface FreeAxis {
  frame: "a" | "b";
  axis: Vector3;
  turns: boolean;
}

const AXES: Record<string, [number, number, number]> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

function vector(axis: string): Vector3 {
  return new Vector3(...AXES[axis]!);
}

/** The axis that is neither of two. */
function third(u: string, v: string): string {
  return ["x", "y", "z"].find((a) => a !== u && a !== v) ?? "x";
}

/** Reads the text of a row: Ax.D, Cy.E, atan2(Az.By, Ay.By). Null: it has no axis to draw. */
export function freeAxis(row: string): FreeAxis | null {
  const slide = /^([ABC])([xyz])\.[DE]$/.exec(row);
  if (slide) return { frame: slide[1] === "B" ? "b" : "a", axis: vector(slide[2]!), turns: false };
  const turn = /^atan2\(([AC])([xyz])\.B([xyz]), [AC]([xyz])\.B([xyz])\)$/.exec(row);
  if (!turn) return null;
  const [, , u, bu, v, bv] = turn as unknown as [string, string, string, string, string, string];
  // about the axis of A that does not take part; where A's is the same in both, about B's
  if (u !== v) return { frame: "a", axis: vector(third(u, v)), turns: true };
  return { frame: "b", axis: vector(third(bu, bv)), turns: true };
}

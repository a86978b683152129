import { Color, Vector3 } from "three";
import { expect, it } from "vitest";
import { ribbon } from "./ribbon";

it("is a square about the way, whatever its direction, with the colour of each point", () => {
  const way = [new Vector3(0, 0, 0), new Vector3(1, 0, 0), new Vector3(1, 0, 2), new Vector3(1, 0, 2)];
  const red = new Color(1, 0, 0);
  const g = ribbon(way, way.map(() => red), 0.1, new Vector3(0, 0, 1));
  const position = g.getAttribute("position");
  for (let i = 0; i < 16; i++) {
    const off = new Vector3().fromBufferAttribute(position as never, i).distanceTo(way[i >> 2]!);
    expect(off).toBeCloseTo(0.1, 6);
  }
  expect(g.getIndex()!.count).toBe(3 * 4 * 2 * 3);
  expect([...(g.getAttribute("color").array as Float32Array)].slice(0, 3)).toEqual([1, 0, 0]);
});

import { expect, it } from "vitest";
import { freeAxis } from "./axes";

it("reads the rows of the joint table", () => {
  const about = (row: string) => {
    const f = freeAxis(row);
    return f && [f.frame, ...f.axis.toArray(), f.turns];
  };
  expect(about("Ax.D")).toEqual(["a", 1, 0, 0, false]);
  expect(about("Cy.E")).toEqual(["a", 0, 1, 0, false]);
  expect(about("atan2(Az.By, Ay.By)")).toEqual(["a", 1, 0, 0, true]); // revolute
  expect(about("atan2(Ax.Bz, Az.Bz)")).toEqual(["a", 0, 1, 0, true]); // pitch
  expect(about("atan2(Ay.Bx, Ax.Bx)")).toEqual(["a", 0, 0, 1, true]); // yaw
  expect(about("atan2(Ax.Bz, Ax.Bx)")).toEqual(["b", 0, 1, 0, true]); // universal, second
  expect(about("atan2(Az.By, Az.Bx)")).toEqual(["b", 0, 0, 1, true]);
  expect(about("s")).toBeNull();
  expect(about("sqrt(D.D)")).toBeNull();
});

import { expect, it } from "vitest";
import { window_ } from "./virtual";

it("has in the page what is seen of a list, and a little more", () => {
  expect(window_(0, 100000)).toEqual({ from: 0, to: 12 });
  expect(window_(26 * 50000, 100000)).toEqual({ from: 49996, to: 50012 });
  expect(window_(26 * 99992, 100000)).toEqual({ from: 99988, to: 100000 });
  expect(window_(0, 3)).toEqual({ from: 0, to: 3 });
  expect(window_(500, 0)).toEqual({ from: 0, to: 0 });
});

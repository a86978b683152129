import { expect, it } from "vitest";
import { reading, steady } from "./displays";

it("keeps digits where they are", () => {
  expect([0, 0.004, 9.999, 10].map((x) => steady(x, 20))).toEqual(["0.00", "0.00", "10.00", "10.00"]);
  expect(steady(-3e-15, 88)).toBe("0.00");
  expect(steady(-0.25, 1)).toBe("−0.25");
  expect(steady(123.456)).toBe("123.5");
  expect(steady(2.5e-5)).toBe("2.50e−5");
  expect(steady(1.6e-17)).toBe("0.00");
  expect(steady(NaN)).toBe("–");
});

it("shows angles in degrees, and no unit where there is none", () => {
  expect(reading(Math.PI / 2, "rad")).toEqual(["90.00", "°"]);
  expect(reading(4, "m/s^2")).toEqual(["4.00", "m/s²"]);
  expect(reading(4, "1")).toEqual(["4.00", ""]);
});

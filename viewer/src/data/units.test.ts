import { expect, it } from "vitest";
import { number, quantity, round125, tick } from "./units";

it("writes quantities as people do", () => {
  expect(quantity(4712.3, "N")).toBe("4.712 kN");
  expect(quantity(-0.0021, "m")).toBe("−2.1 mm");
  expect(quantity(1.363e-12, "m")).toBe("1.36e−12 m");
  expect(quantity(Math.PI / 6, "rad")).toBe("30°");
  expect(quantity(60000, "kg")).toBe("60 t");
  expect(quantity(9.81, "m/s^2")).toBe("9.81 m/s²");
  expect(quantity(150000, "")).toBe("150000");
  expect(quantity(1e-7, "")).toBe("1e−7");
  expect(quantity(0, "J")).toBe("0 J");
  expect(quantity(NaN, "J")).toBe("–");
  expect(quantity(2.6586e7, "J")).toBe("26.59 MJ");
});

it("leaves out what says nothing", () => {
  expect(number(100)).toBe("100");
  expect(number(1.5e-7)).toBe("1.5e−7");
  expect(number(1000000)).toBe("1e+6");
});

it("marks axes shortly", () => {
  expect([3e7, -25000, 0.25, 0, 2e-5, 1500].map(tick)).toEqual(["30M", "−25k", "0.25", "0", "20µ", "1500"]);
});

it("finds lengths that read well", () => {
  expect([7, 2.4, 1, 0.06, 499].map(round125)).toEqual([5, 2, 1, expect.closeTo(0.05, 12), 200]);
});

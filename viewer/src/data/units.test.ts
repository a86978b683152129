import { expect, it } from "vitest";
import { marks, number, quantity, round125 } from "./units";

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

it("marks axes with prefix and unit together, one prefix an axis", () => {
  expect(marks([0, 1e7, 3e7], "J")).toEqual(["0 J", "10 MJ", "30 MJ"]);
  expect(marks([-25000, 500], "N")).toEqual(["−25 kN", "0.5 kN"]);
  expect(marks([0, 2e-5], "m")).toEqual(["0 m", "20 µm"]);
  expect(marks([0.25, 0.5], "m/s")).toEqual(["0.25", "0.5"]);
  expect(marks([0], "J")).toEqual(["0 J"]);
});

it("finds lengths that read well", () => {
  expect([7, 2.4, 1, 0.06, 499].map(round125)).toEqual([5, 2, 1, expect.closeTo(0.05, 12), 200]);
});

import { expect, it } from "vitest";
import { range, stacked, toCsv, type Figure } from "./figure";
import { powers, ticks, toSvg } from "./svg";

const figure: Figure = {
  title: "a <b>",
  x: { name: "time", unit: "s", values: [0, 1, 2] },
  lines: [
    { name: 'say "x", y', unit: "N", values: [1, NaN, 3], colour: "#000" },
    { name: "n", unit: "1", values: Float32Array.of(0.5, 0.5, 0.5), colour: "#111" },
  ],
};

it("writes CSV that other programs read", () => {
  expect(toCsv(figure)).toBe(
    'time [s],"say ""x"", y [N]",n\r\n0,1,0.5\r\n1,,0.5\r\n2,3,0.5\r\n',
  );
});

it("adds up what is stacked", () => {
  const lines = [
    { ...figure.lines[1]!, values: [1, 2] },
    { ...figure.lines[1]!, values: [3, 5] },
  ];
  expect(stacked(lines)).toEqual([
    [1, 2],
    [4, 7],
  ]);
});

it("leaves numbers that are none out of the range, and gives a flat line room", () => {
  expect(range([[1, NaN, 3]])).toEqual([1, 3]);
  expect(range([[2, 2]])).toEqual([1, 3]);
  expect(range([[]])).toEqual([0, 1]);
});

it("draws SVG with a gap where a number is none", () => {
  const svg = toSvg(figure);
  expect(svg).toContain("<title>a &lt;b></title>");
  expect(svg.match(/<path d="M[^"]*M[^"]*" fill="none"/)).not.toBeNull();
  expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
});

it("marks logarithmic axes by powers of ten, fewer of them where there are many", () => {
  expect(powers(-12.3, -8.9, 8)).toEqual([-12, -11, -10, -9]);
  expect(powers(-20, 0, 5)).toEqual([-20, -16, -12, -8, -4, 0]);
  expect(powers(-4.2, -3.5, 8).map((e) => Number((10 ** e).toPrecision(3)))).toEqual([1e-4, 2e-4]);
});

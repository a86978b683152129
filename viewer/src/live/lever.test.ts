import { expect, it } from "vitest";
import type { DriveInput } from "../data/header";
import { Lever, pushOf } from "./lever";

const spec: DriveInput = { name: "slew", unit: "rad/s", rest: 0, from: -2, to: 4, keys: ["a", "d"], axis: 0, rate: 1, returns: true, text: "" };

it("moves at its rate while a key is held, up to its bounds, and back to rest", () => {
  const l = new Lever(spec);
  l.hold(1);
  for (let i = 0; i < 60; i++) l.step(1 / 60);
  expect(l.value).toBeCloseTo(1, 9);
  l.hold(-1);
  for (let i = 0; i < 600; i++) l.step(1 / 60);
  expect(l.value).toBe(-2);
  l.hold(null);
  for (let i = 0; i < 60; i++) l.step(1 / 60);
  expect(l.value).toBeCloseTo(-1, 9);
  for (let i = 0; i < 70; i++) l.step(1 / 60);
  expect(l.value).toBe(0);
});

it("stays where keys left it, unless it returns; both keys hold it", () => {
  const l = new Lever({ ...spec, returns: false });
  l.hold(1);
  l.step(0.5);
  l.hold(0);
  l.step(5);
  l.hold(null);
  l.step(5);
  expect(l.value).toBe(0.5);
});

it("says a value once, and one at a time", () => {
  const l = new Lever(spec);
  expect(l.command(0)).toBe("input slew 0");
  expect(l.command(1)).toBeNull();
  l.set(9);
  expect(l.command(2)).toBe("input slew 4");
  expect(l.command(3)).toBeNull();
});

it("takes the program's value when the hand is still", () => {
  const l = new Lever(spec);
  l.set(1);
  l.command(1000);
  l.heard(0.3, 1100);
  expect(l.value).toBe(1);
  l.heard(0.3, 1600);
  expect([l.value, l.command(1700)]).toEqual([0.3, null]);
  l.set(2);
  l.heard(0.3, 5000); // sent before the program knows of it
  expect([l.value, l.command(5001)]).toEqual([2, "input slew 2"]);
  l.hold(1);
  l.heard(0.2, 9000);
  expect(l.value).toBe(2);
});

it("follows an axis from rest both ways, and goes to rest with it", () => {
  const l = new Lever(spec);
  l.set(3);
  l.axis(0.02);
  expect(l.value).toBe(3); // untouched axes move nothing
  l.axis(1);
  expect(l.value).toBe(4);
  l.axis(-1);
  expect(l.value).toBe(-2);
  l.axis(0.54);
  expect(l.value).toBeCloseTo(2, 9);
  l.axis(0.01);
  expect(l.value).toBe(0);
  const free = new Lever({ ...spec, from: null, to: null, rate: 7 });
  free.axis(-1);
  expect(free.value).toBe(-7);
});

it("knows which way keys push", () => {
  expect(pushOf(["a", "d"], new Set(["a"]))).toBe(-1);
  expect(pushOf(["a", "d"], new Set(["d"]))).toBe(1);
  expect(pushOf(["a", "d"], new Set(["a", "d"]))).toBe(0);
  expect(pushOf(["w"], new Set(["w"]))).toBe(1);
  expect(pushOf(["w"], new Set(["x"]))).toBeNull();
  expect(pushOf([], new Set(["x"]))).toBeNull();
});

import { expect, it } from "vitest";
import { Clock } from "./clock";
import { usualSpeed } from "./timeline";

it("plays at its speed, whatever the frames, and stops or begins again at the end", () => {
  for (const fps of [24, 60, 144]) {
    const c = new Clock(0, 10);
    c.setSpeed(2);
    c.play(true);
    for (let i = 0; i < 3 * fps; i++) c.tick(1 / fps);
    expect(c.t).toBeCloseTo(6, 9);
  }
  const c = new Clock(1, 2);
  c.loop = false;
  c.play(true);
  c.tick(5);
  expect([c.t, c.playing]).toEqual([2, false]);
  c.play(true);
  expect(c.t).toBe(1);
});

it("says whether time jumped", () => {
  const c = new Clock(0, 1);
  const heard: boolean[] = [];
  c.onChange((jumped) => heard.push(jumped));
  c.set(0.5);
  c.play(true);
  c.tick(0.1);
  c.tick(1);
  expect(heard).toEqual([true, false, false, true]);
  c.set(7);
  expect(c.t).toBe(1);
});

it("follows a run that goes on until it is scrubbed, and again from its end", () => {
  const c = new Clock(0, 1);
  c.live = true;
  c.follow(true);
  expect([c.t, c.playing]).toEqual([1, true]);
  c.extend(0, 2);
  for (let i = 0; i < 100; i++) c.tick(1 / 60);
  expect(c.t).toBe(2);
  c.set(0.5);
  c.extend(0, 3);
  c.tick(1);
  expect([c.t, c.following, c.playing]).toEqual([0.5, false, false]);
  c.play(true);
  c.tick(1);
  expect([c.t, c.following]).toEqual([1.5, false]);
  c.tick(9);
  expect([c.t, c.following]).toEqual([3, true]);
  c.extend(0, 0.25); // taken back
  expect(c.t).toBe(0.25);
  expect(c.following).toBe(true);
});

it("chooses a speed at which a run can be watched", () => {
  expect(usualSpeed(95)).toBe(2);
  expect(usualSpeed(10)).toBe(1);
  expect(usualSpeed(0.3)).toBe(0.05);
});

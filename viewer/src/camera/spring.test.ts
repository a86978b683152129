import { describe, expect, it } from "vitest";
import { Spring } from "./spring";

/** Where it is after 2 s of following `goal`, by frames of dt. */
function follow(goal: (t: number) => number, dt: number, rate = 4): Spring {
  const out = new Spring(goal(0), rate);
  const n = Math.round(2 / dt);
  for (let i = 1; i <= n; i++) out.step(goal(i * dt), dt);
  return out;
}

describe("Spring", () => {
  it("meets a goal that moves uniformly without lag, once it has caught up", () => {
    const s = new Spring(0, 8);
    for (let i = 1; i <= 600; i++) s.step(3 * (i / 60), 1 / 60);
    expect(s.x).toBeCloseTo(30, 9);
    expect(s.v).toBeCloseTo(3, 9);
    expect(s.a).toBeCloseTo(0, 9);
  });

  it("is the same at any frame rate for a goal that moves uniformly", () => {
    const goal = (t: number) => 5 * t;
    const slow = follow(goal, 1 / 10);
    const quick = follow(goal, 1 / 240);
    expect(slow.x).toBeCloseTo(quick.x, 10);
    expect(slow.v).toBeCloseTo(quick.v, 10);
    expect(slow.a).toBeCloseTo(quick.a, 9);
  });

  it("tends to one motion as frames get shorter, by their square", () => {
    const goal = (t: number) => Math.sin(2 * t);
    const exact = follow(goal, 1 / 4000).x;
    const coarse = Math.abs(follow(goal, 1 / 20).x - exact);
    const fine = Math.abs(follow(goal, 1 / 40).x - exact);
    expect(coarse).toBeLessThan(2e-3);
    expect(coarse / fine).toBeGreaterThan(3.5);
  });

  it("is not thrown by a goal that begins to move at once: speed and acceleration do not jump", () => {
    const s = new Spring(0, 6);
    const dt = 1e-4;
    let a = 0;
    let v = 0;
    for (let i = 1; i <= 20000; i++) {
      s.step(i * dt < 0.5 ? 0 : i * dt - 0.5, dt);
      // jerk is at most that of the law: 3 w^2 times the speed of the goal
      expect(Math.abs(s.a - a)).toBeLessThan(3.1 * 36 * dt);
      expect(Math.abs(s.v - v)).toBeLessThan(0.01);
      a = s.a;
      v = s.v;
    }
  });

  it("without lead does not overshoot a goal that has jumped", () => {
    const s = new Spring(0, 5, 0);
    s.step(1, 1e-9);
    for (let i = 1; i <= 500; i++) expect(s.step(1, 1 / 100)).toBeLessThan(1);
    expect(s.x).toBeCloseTo(1, 6);
  });

  it("obeys its law: differences of its motion are its speed and acceleration", () => {
    const s = new Spring(0.3, 3, 0);
    s.v = 1;
    s.a = -2;
    const h = 1e-5;
    const [x0, v0] = [s.x, s.v];
    s.step(0.3 + 2 * h, h);
    expect((s.x - x0) / h).toBeCloseTo((v0 + s.v) / 2, 6);
    const jerk = -3 * 3 * s.a - 3 * 9 * s.v - 27 * (s.x - (0.3 + 2 * h));
    const a0 = s.a;
    s.step(0.3 + 4 * h, h);
    expect((s.a - a0) / h).toBeCloseTo(jerk, 2);
  });
});

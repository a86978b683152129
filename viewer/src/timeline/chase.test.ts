import { expect, it } from "vitest";
import { Chase } from "./chase";

/** Frames in lots every `lot` seconds, at so many seconds of the run in one of the wall clock. */
function follow(pace: number, lot: number, fps: number): { steps: number[]; behind: number[] } {
  const chase = new Chase();
  let [t, end, sent] = [0, 0, 0];
  const steps: number[] = [];
  const behind: number[] = [];
  for (let i = 1; i <= 4 * fps; i++) {
    const now = i / fps;
    if (now - sent >= lot) {
      const by = pace * (now - sent);
      chase.more(by);
      end += by;
      sent = now;
    }
    const next = chase.step(t, end, 1 / fps);
    if (now > 2) steps.push(next - t);
    if (now > 2) behind.push((end - next) / pace);
    t = next;
  }
  return { steps, behind };
}

it("runs evenly and close behind, at any pace", () => {
  for (const pace of [0.1, 1, 100]) {
    const { steps, behind } = follow(pace, 1 / 30, 60);
    for (const s of steps) expect(Math.abs(s * 60 - pace)).toBeLessThan(0.35 * pace);
    expect(Math.max(...behind)).toBeLessThan(0.12);
    expect(Math.min(...steps)).toBeGreaterThan(0);
  }
});

it("comes to the end when nothing more comes, and goes back with the run", () => {
  const chase = new Chase();
  chase.more(1);
  let t = 0;
  for (let i = 0; i < 90; i++) t = chase.step(t, 1, 1 / 60);
  expect(t).toBe(1);
  expect(chase.step(t, 0.25, 1 / 60)).toBe(0.25);
});

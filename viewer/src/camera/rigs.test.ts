import { describe, expect, it } from "vitest";
import { Matrix4, Vector3 } from "three";
import { Camera, type Mode, type Subject } from "./rigs";

/** A body that goes round a circle of 50 m at 20 m/s, leaning. */
function circling(t: number): Subject {
  const w = 20 / 50;
  const centre = new Vector3(50 * Math.cos(w * t), 50 * Math.sin(w * t), 0);
  const velocity = new Vector3(-20 * Math.sin(w * t), 20 * Math.cos(w * t), 0);
  const matrix = new Matrix4()
    .makeRotationZ(w * t + Math.PI / 2)
    .multiply(new Matrix4().makeRotationX(0.2))
    .setPosition(centre);
  return { matrix, centre, velocity, radius: 2 };
}

function eyes(mode: Mode, dt: number, seconds: number): Vector3[] {
  const camera = new Camera(new Vector3(0, 0, 1), 2);
  camera.mode = mode;
  camera.step(0, circling(0), true);
  const out: Vector3[] = [];
  for (let i = 1; i <= Math.round(seconds / dt); i++)
    out.push(camera.step(dt, circling(i * dt), false).eye);
  return out;
}

describe("Camera", () => {
  it("follows a curve the same at 30 and at 144 frames a second", () => {
    const slow = eyes("follow", 1 / 30, 6).at(-1)!;
    const quick = eyes("follow", 1 / 144, 6).at(-1)!;
    expect(slow.distanceTo(quick)).toBeLessThan(0.005); // of 50 m, by the square of the frame
  });

  it("has no jump in acceleration where it begins to follow", () => {
    const dt = 1 / 1000;
    const way = eyes("follow", dt, 3);
    const second = (i: number) =>
      way[i + 1]!.clone().add(way[i - 1]!).addScaledVector(way[i]!, -2).divideScalar(dt * dt);
    for (let i = 5; i < way.length - 2; i++)
      expect(second(i).distanceTo(second(i - 1))).toBeLessThan(5); // jerk of 3 w^2 v = 1500 m/s^3
  });

  it("cuts at the trackside, and the body is never far", () => {
    const camera = new Camera(new Vector3(0, 0, 1), 2);
    camera.mode = "trackside";
    let cuts = 0;
    let before = camera.step(0.01, circling(0), false).eye;
    for (let i = 1; i < 2000; i++) {
      const eye = camera.step(0.01, circling(i * 0.01), false).eye;
      if (eye.distanceTo(before) > 1) cuts++;
      before = eye;
      expect(eye.distanceTo(circling(i * 0.01).centre)).toBeLessThan(60);
    }
    expect(cuts).toBeGreaterThan(2);
    expect(cuts).toBeLessThan(20);
  });

  it("keeps the horizon, or leans by the share asked for", () => {
    const lean = (share: number) => {
      const camera = new Camera(new Vector3(0, 0, 1), 2);
      camera.mode = "follow";
      camera.lean = share;
      const up = camera.step(0.01, circling(0), true).up;
      return Math.acos(up.z);
    };
    expect(lean(0)).toBeCloseTo(0, 6);
    expect(lean(1)).toBeCloseTo(0.2, 6);
    expect(lean(0.5)).toBeCloseTo(0.1, 2);
  });

  it("rides on the body and looks along its x axis", () => {
    const camera = new Camera(new Vector3(0, 0, 1), 2);
    camera.mode = "rider";
    const view = camera.step(0.01, circling(3), true);
    const s = circling(3);
    expect(view.eye.distanceTo(s.centre)).toBeCloseTo(2.2, 6);
    expect(view.target.sub(view.eye).normalize().dot(s.velocity.normalize())).toBeGreaterThan(0.98);
  });
});

import { PerspectiveCamera, Vector3 } from "three";
import { expect, it } from "vitest";
import { Eye } from "./eye";

it("says how large balls are on the screen, and which are out of the picture", () => {
  const camera = new PerspectiveCamera(40, 1.5, 0.1, 1000);
  camera.position.set(0, -10, 0);
  camera.up.set(0, 0, 1);
  camera.lookAt(new Vector3());
  camera.updateMatrixWorld();
  const eye = new Eye();
  eye.set(camera, 600);
  const half = 10 * Math.tan((20 * Math.PI) / 180); // half of what is seen at the origin
  expect(eye.pixels(0, 0, 0, half)).toBeCloseTo(300, 9);
  expect(eye.pixels(0, 10, 0, half)).toBeCloseTo(150, 9);
  expect(eye.pixels(0, 0, half + 0.4, 0.5)).toBeGreaterThan(0);
  expect(eye.pixels(0, 0, half + 0.7, 0.5)).toBe(-1);
  expect(eye.pixels(1.4 * half, 0, 0, 0.01)).toBeGreaterThan(0);
  expect(eye.pixels(1.6 * half, 0, 0, 0.01)).toBe(-1);
  expect(eye.pixels(0, -20, 0, 1)).toBe(-1); // behind it
});

import * as THREE from "three";
import type { View } from "../camera/rigs";
import type { Palette } from "../theme";
import { Eye } from "./eye";
import { Floor } from "./floor";

/** How pictures are made. */
export interface Quality {
  /** Without a graphics card, or of very many bodies: edges are smoothed only while nothing moves. */
  quick: boolean;
  /** Every picture is drawn, whether anything changed or not. */
  always: boolean;
  /** Bodies throw shadows on the ground and on each other. */
  shadows: boolean;
}

const SHADOW_PIXELS = 2048;
const STILL = 0.25; // [s] without a change, after which a quick picture is drawn once more, finely

/** Canvas, light and floor. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera: THREE.PerspectiveCamera;
  readonly eye = new Eye();
  readonly floor: Floor;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 1.9);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.5);
  private changed = true;
  private still = 0;
  private fine = false;
  private seen: View | null = null; // of the last picture
  pictures = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly up: THREE.Vector3,
    size: number,
    /** The side of a square of the floor. */
    cell: number,
    palette: Palette,
    private readonly quality: Quality,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !quality.quick, logarithmicDepthBuffer: true });
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.004 * size, 1e5 * size);
    this.floor = new Floor(up, cell);
    this.renderer.shadowMap.enabled = this.sun.castShadow = quality.shadows;
    this.renderer.shadowMap.type = quality.quick ? THREE.BasicShadowMap : THREE.PCFSoftShadowMap;
    this.sun.shadow.mapSize.setScalar(quality.quick ? SHADOW_PIXELS / 2 : SHADOW_PIXELS);
    this.scene.add(this.sun, this.sun.target, this.sky, this.floor.mesh);
    this.recolour(palette);
  }

  recolour(palette: Palette): void {
    this.scene.background = new THREE.Color(palette.background);
    this.floor.colour(palette.grid);
    this.sky.intensity = palette.name === "dark" ? 1.1 : 1.6;
    this.changed = true;
  }
  close(): void {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
  get calls(): number {
    return this.renderer.info.render.calls;
  }
  /** What is to be seen has changed. */
  touch(): void {
    this.changed = true;
  }

  private fit(): void {
    const box = this.canvas.getBoundingClientRect();
    const device = window.devicePixelRatio || 1;
    const ratio = Math.min(2, this.quality.quick ? (this.fine ? 2 : Math.min(1, device)) : device);
    const [w, h] = [Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height))];
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x === w && size.y === h && this.renderer.getPixelRatio() === ratio) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.changed = true;
  }

  /** Aims the camera; whether there is anything to draw. `dt`: since the last time. */
  aim(view: View, dt: number): { draw: boolean; moved: boolean } {
    this.camera.position.copy(view.eye);
    this.camera.up.copy(view.up);
    this.camera.lookAt(view.target);
    this.camera.updateMatrixWorld();
    const moved = this.differs(view);
    const alive = moved || this.changed;
    this.still = alive ? 0 : this.still + dt;
    const fine = this.quality.quick && this.still > STILL;
    const refine = fine !== this.fine && !alive;
    if (alive) this.fine = false;
    else this.fine = fine;
    this.fit();
    this.eye.set(this.camera, this.canvas.clientHeight || 1);
    return { draw: this.quality.always || alive || refine || this.changed, moved: moved || this.changed };
  }

  /** By more than a small part of a pixel. */
  private differs({ eye, target, up }: View): boolean {
    if (!this.seen) return true;
    const least = 3e-5 * eye.distanceTo(target);
    return eye.distanceTo(this.seen.eye) + target.distanceTo(this.seen.target) > least || up.distanceTo(this.seen.up) > 3e-5;
  }

  render(view: View): void {
    this.changed = false;
    this.seen = { eye: view.eye.clone(), target: view.target.clone(), up: view.up.clone() };
    this.floor.place(view.target);
    this.aimSun(view);
    this.renderer.render(this.scene, this.camera);
    this.pictures++;
  }

  /** Over what is looked at, so that all of the shadow's picture falls on what is seen. */
  private aimSun(view: View): void {
    const reach = 0.8 * view.eye.distanceTo(view.target);
    const east = Math.abs(this.up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    const way = this.up.clone().multiplyScalar(20).addScaledVector(east, 9).addScaledVector(this.up.clone().cross(east), -12).normalize();
    this.sun.target.position.copy(view.target);
    this.sun.position.copy(view.target).addScaledVector(way, 4 * reach);
    const { camera } = this.sun.shadow;
    [camera.left, camera.right, camera.bottom, camera.top, camera.near, camera.far] = [-reach, reach, -reach, reach, 0.1 * reach, 9 * reach];
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = (3 * reach) / SHADOW_PIXELS;
    this.sun.shadow.bias = -2e-4;
  }

  /** A ray through a point of the canvas, in pixels from its corner. */
  ray(x: number, y: number): THREE.Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const out = new THREE.Raycaster();
    this.camera.updateMatrixWorld();
    const at = new THREE.Vector2((2 * x) / box.width - 1, 1 - (2 * y) / box.height);
    out.setFromCamera(at, this.camera);
    return out;
  }
}

/** Whether pictures are computed without a graphics card. */
export function withoutCard(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return false;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

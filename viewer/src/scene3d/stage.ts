import * as THREE from "three";
import type { View } from "../camera/rigs";
import type { Palette } from "../theme";

/** Canvas, light and floor. */
export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera: THREE.PerspectiveCamera;
  private readonly renderer: THREE.WebGLRenderer;
  private grid: THREE.GridHelper;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 1.9);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.5);
  private readonly turn: THREE.Quaternion;
  private floor = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly up: THREE.Vector3,
    private readonly size: number,
    /** The side of a square of the floor. */
    private readonly cell: number,
    palette: Palette,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, logarithmicDepthBuffer: true });
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.004 * size, 1e5 * size);
    this.turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    this.scene.add(this.sun, this.sun.target, this.sky);
    this.grid = this.makeGrid(palette);
    this.recolour(palette);
  }

  private makeGrid(palette: Palette): THREE.GridHelper {
    const grid = new THREE.GridHelper(100 * this.cell, 100, palette.grid, palette.grid);
    grid.quaternion.copy(this.turn);
    this.scene.add(grid);
    return grid;
  }
  setFloor(height: number): void {
    this.floor = height;
  }
  recolour(palette: Palette): void {
    this.scene.background = new THREE.Color(palette.background);
    this.scene.fog = null;
    this.scene.remove(this.grid);
    this.grid.geometry.dispose();
    this.grid = this.makeGrid(palette);
    this.sky.intensity = palette.name === "dark" ? 1.1 : 1.6;
  }
  close(): void {
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
  get calls(): number {
    return this.renderer.info.render.calls;
  }

  private fit(): void {
    const box = this.canvas.getBoundingClientRect();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const [w, h] = [Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height))];
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x === w && size.y === h && this.renderer.getPixelRatio() === ratio) return;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
  }

  render(view: View): void {
    this.fit();
    this.camera.position.copy(view.eye);
    this.camera.up.copy(view.up);
    this.camera.lookAt(view.target);
    this.placeFloor(view.target);
    this.sun.target.position.copy(view.target);
    const east = Math.abs(this.up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    this.sun.position
      .copy(view.target)
      .addScaledVector(this.up, 20 * this.size)
      .addScaledVector(east, 9 * this.size)
      .addScaledVector(this.up.clone().cross(east), -12 * this.size);
    this.renderer.render(this.scene, this.camera);
  }

  /** The floor goes along in whole squares, so that it has no end. */
  private placeFloor(target: THREE.Vector3): void {
    const back = this.turn.clone().invert();
    const local = target.clone().applyQuaternion(back);
    const { cell } = this;
    local.set(Math.round(local.x / cell) * cell, this.floor, Math.round(local.z / cell) * cell);
    this.grid.position.copy(local.applyQuaternion(this.turn));
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

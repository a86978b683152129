import * as THREE from "three";
import type { Run } from "../data/run";
import { quantity, round125 } from "../data/units";
import type { Palette } from "../theme";
import { Dots } from "./dots";
import { Quiver, usual } from "./quiver";

/** Points of contact, and the forces on what touches second, to scale. */
export class ContactArrows {
  readonly group = new THREE.Group();
  private readonly quiver: Quiver;
  private readonly dots: Dots;
  private readonly values: Float32Array;
  private readonly most: number;
  private readonly columns: number;
  private readonly frames: number;
  private readonly paint = new THREE.Color();
  private forceScale = 1;
  /** How many the last picture has. */
  shown = 0;

  constructor(
    private readonly run: Run,
    private readonly unit: number,
    palette: Palette,
  ) {
    const c = run.header.contacts;
    this.most = c?.most ?? 0;
    this.columns = c?.columns.length ?? 0;
    this.values = c ? run.packed.floats(c.values) : new Float32Array(0);
    this.frames = this.most > 0 ? this.values.length / (this.most * this.columns) : 0;
    this.quiver = new Quiver(Math.max(1, this.most), 0.5 * unit);
    this.dots = new Dots(Math.max(1, this.most));
    (this.dots.points.material as THREE.PointsMaterial).size = 5;
    (this.dots.points.material as THREE.PointsMaterial).depthTest = false;
    this.group.add(this.quiver.group, this.dots.points);
    this.group.visible = false;
    this.fitScale();
    this.recolour(palette);
  }

  private fitScale(): void {
    const all: Float32Array[] = [];
    for (let i = 0; i < this.most; i++)
      for (let c = 3; c < 6; c++) all.push(this.values.subarray((i * this.columns + c) * this.frames, (i * this.columns + c + 1) * this.frames));
    this.forceScale = round125(usual(all, this.frames)) || 1;
  }
  get any(): boolean {
    return this.frames > 0;
  }
  legend(): string {
    return `${quantity(this.unit, "m")} for ${quantity(this.forceScale, "N")}`;
  }
  recolour(palette: Palette): void {
    this.quiver.colour(palette.contact);
    this.paint.set(palette.contact);
  }

  update(t: number): void {
    if (!this.group.visible || !this.any) return;
    const { frame, part } = this.run.place(t);
    this.draw(Math.min(this.frames - 1, part > 0.5 ? frame + 1 : frame));
  }
  private draw(frame: number): void {
    this.quiver.begin();
    this.dots.begin();
    this.shown = 0;
    const from = new THREE.Vector3();
    const way = new THREE.Vector3();
    const colour = [this.paint.r, this.paint.g, this.paint.b];
    for (let i = 0; i < this.most; i++) {
      const at = (c: number) => this.values[(i * this.columns + c) * this.frames + frame]!;
      if (Number.isNaN(at(0))) break;
      from.set(at(0), at(1), at(2));
      way.set(at(3), at(4), at(5)).multiplyScalar(this.unit / this.forceScale);
      this.quiver.add(from, way, i);
      this.dots.add(from.x, from.y, from.z, colour);
      this.shown++;
    }
    this.quiver.end();
    this.dots.end();
  }
}

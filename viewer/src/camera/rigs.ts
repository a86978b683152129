import { Matrix4, Quaternion, Vector3 } from "three";
import { Spring, Spring3 } from "./spring";

export type Mode = "orbit" | "follow" | "rider" | "trackside" | "free";
export const MODES: { mode: Mode; name: string; help: string }[] = [
  { mode: "orbit", name: "Orbit", help: "turns about a point; drag, wheel, right drag" },
  { mode: "follow", name: "Follow", help: "goes along with the selected body, looks ahead" },
  { mode: "rider", name: "Rider", help: "sits on the selected body" },
  { mode: "trackside", name: "Trackside", help: "stands beside the way, cuts to the next place" },
  { mode: "free", name: "Free flight", help: "W A S D, Q E, drag to look" },
];

/** What a camera may look at: a body with its motion, in the world. */
export interface Subject {
  matrix: Matrix4;
  centre: Vector3;
  velocity: Vector3;
  radius: number;
}

/** Where a camera is, where it looks, what is up there. */
export interface View {
  eye: Vector3;
  target: Vector3;
  up: Vector3;
}

const ORBIT_RATE = 14; // [1/s] of what a hand moves
const FOLLOW_RATE = 5;
const LOOK_AHEAD = 0.6; // [s]
const DRAG = 0.006; // [rad] a pixel

/**
 * The camera as a dynamic system: each mode says where it wants to be, springs of third order take it
 * there. What jumps (a cut, time set by hand) is not followed but gone to.
 */
export class Camera {
  mode: Mode = "orbit";
  /** Share of a body's lean that the horizon takes on in `follow`. */
  lean = 0.3;
  private azimuth = -0.9;
  private elevation = 0.45;
  private distance: number;
  private readonly centre = new Vector3();
  private readonly place = new Vector3(); // of free flight, and of the trackside
  private readonly moving = new Vector3(); // of free flight: right, forward, up
  private standing = false;
  private readonly spin: [Spring, Spring, Spring]; // azimuth, elevation, logarithm of the distance
  private readonly eye: Spring3;
  private readonly target: Spring3;
  private readonly upright: Spring3;
  private readonly e1: Vector3;
  private readonly e2: Vector3;

  constructor(
    private readonly up: Vector3,
    private readonly size: number,
  ) {
    this.distance = 4 * size;
    const side = Math.abs(up.z) > 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 0, 1);
    this.e1 = side.addScaledVector(up, -side.dot(up)).normalize();
    this.e2 = up.clone().cross(this.e1);
    this.spin = [
      new Spring(this.azimuth, ORBIT_RATE, 0),
      new Spring(this.elevation, ORBIT_RATE, 0),
      new Spring(Math.log(this.distance), ORBIT_RATE, 0),
    ];
    this.eye = new Spring3([0, 0, 0], FOLLOW_RATE);
    this.target = new Spring3([0, 0, 0], FOLLOW_RATE);
    this.upright = new Spring3(up.toArray(), FOLLOW_RATE, 0);
  }

  /** Frames a ball; `about` is the way of looking from the start. */
  frame(centre: Vector3, radius: number, azimuth = this.azimuth, elevation = this.elevation): void {
    this.centre.copy(centre);
    this.distance = 3 * radius; // a ball fills the 40 degrees of the lens
    this.azimuth = azimuth;
    this.elevation = elevation;
  }
  /** Looks at a point from a distance. */
  look(centre: Vector3, distance: number, azimuth = this.azimuth, elevation = this.elevation): void {
    this.centre.copy(centre);
    [this.distance, this.azimuth, this.elevation] = [distance, azimuth, elevation];
  }
  /** Directions of the picture when it is looked from there. */
  directions(azimuth = this.azimuth, elevation = this.elevation): { out: Vector3; right: Vector3; above: Vector3 } {
    const out = this.outward(azimuth, elevation);
    const right = this.up.clone().cross(out).normalize();
    return { out, right, above: out.clone().cross(right) };
  }
  drag(dx: number, dy: number): void {
    this.azimuth -= dx * DRAG;
    this.elevation = Math.min(1.55, Math.max(-1.55, this.elevation + dy * DRAG));
  }
  zoom(factor: number): void {
    this.distance = Math.min(1e4 * this.size, Math.max(0.02 * this.size, this.distance * factor));
  }
  /** Moves the point looked at by parts of the picture's height. */
  pan(dx: number, dy: number): void {
    const out = this.outward(this.azimuth, this.elevation);
    const right = this.up.clone().cross(out).normalize();
    const above = out.clone().cross(right);
    this.centre.addScaledVector(right, -dx * this.distance).addScaledVector(above, dy * this.distance);
  }
  /** Free flight: which way it is driven, each from -1 to 1. */
  drive(right: number, forward: number, up: number): void {
    this.moving.set(right, forward, up);
  }
  setMode(mode: Mode, now: View): void {
    if (mode === "free") {
      this.place.copy(now.eye);
      const out = now.eye.clone().sub(now.target);
      this.elevation = Math.asin(out.dot(this.up) / Math.max(out.length(), 1e-12));
      this.azimuth = Math.atan2(out.dot(this.e2), out.dot(this.e1));
    }
    if (this.mode === "free" && mode === "orbit") this.centre.copy(now.target);
    this.mode = mode;
    this.standing = false;
  }
  get needsSubject(): boolean {
    return this.mode === "follow" || this.mode === "rider" || this.mode === "trackside";
  }

  /** Direction from what is looked at to the camera. */
  private outward(azimuth: number, elevation: number): Vector3 {
    const flat = Math.cos(elevation);
    return this.up
      .clone()
      .multiplyScalar(Math.sin(elevation))
      .addScaledVector(this.e1, flat * Math.cos(azimuth))
      .addScaledVector(this.e2, flat * Math.sin(azimuth));
  }

  /** Goes on by dt of the wall clock. `jumped`: what it looks at is elsewhere at once. */
  step(dt: number, subject: Subject | null, jumped: boolean): View {
    const goals = [this.azimuth, this.elevation, Math.log(this.distance)];
    const [azimuth, elevation, log] = this.spin.map((s, i) => s.step(goals[i]!, dt)) as [number, number, number];
    const out = this.outward(azimuth, elevation);
    const { goal, cut } = this.goal(out, Math.exp(log), subject, dt);
    const springs = [this.eye, this.target, this.upright] as const;
    const wanted = [goal.eye, goal.target, goal.up].map((v) => v.toArray());
    // what hangs on the hand's springs alone is smooth already
    const direct = this.mode === "orbit" || this.mode === "rider" || !subject;
    springs.forEach((s, i) => {
      if (cut || jumped || direct) s.snap(wanted[i]!);
      else s.step(wanted[i]!, dt);
    });
    const v = (s: Spring3) => new Vector3(...s.value);
    return { eye: v(this.eye), target: v(this.target), up: v(this.upright).normalize() };
  }

  private goal(
    out: Vector3,
    distance: number,
    subject: Subject | null,
    dt: number,
  ): { goal: View; cut: boolean } {
    const up = this.up.clone();
    if (this.mode === "free") {
      this.fly(out, dt);
      const target = this.place.clone().addScaledVector(out, -this.size);
      return { goal: { eye: this.place.clone(), target, up }, cut: false };
    }
    if (!subject || this.mode === "orbit") {
      const target = this.centre.clone();
      return { goal: { eye: target.clone().addScaledVector(out, distance), target, up }, cut: false };
    }
    if (this.mode === "follow") return { goal: this.follow(out, distance, subject), cut: false };
    if (this.mode === "rider") return { goal: this.ride(out, subject), cut: false };
    return this.stand(subject);
  }

  private follow(out: Vector3, distance: number, s: Subject): View {
    const target = s.centre.clone().addScaledVector(s.velocity, LOOK_AHEAD);
    const reach = Math.min(target.distanceTo(s.centre), 0.15 * distance);
    target.copy(s.centre).addScaledVector(s.velocity.clone().normalize(), reach);
    const bodyUp = new Vector3().setFromMatrixColumn(s.matrix, 2);
    const up = this.up.clone().multiplyScalar(1 - this.lean).addScaledVector(bodyUp, this.lean);
    const level = up.dot(this.up) > 0.3 ? up.normalize() : this.up.clone();
    return { eye: s.centre.clone().addScaledVector(out, distance), target, up: level };
  }

  /** Over the body's middle, looking along its x axis; a drag turns the head. */
  private ride(out: Vector3, s: Subject): View {
    const R = new Quaternion().setFromRotationMatrix(new Matrix4().extractRotation(s.matrix));
    const up = new Vector3(0, 0, 1).applyQuaternion(R);
    const eye = s.centre.clone().addScaledVector(up, 1.1 * s.radius);
    const look = new Vector3(1, 0, 0).applyQuaternion(R);
    const turn = Math.atan2(out.dot(this.e2), out.dot(this.e1)) + 0.9;
    look.applyAxisAngle(up, turn).addScaledVector(up, -0.12 - 0.6 * (Math.asin(out.dot(this.up)) - 0.45));
    return { eye, target: eye.clone().addScaledVector(look, 10 * s.radius), up };
  }

  /** Stays beside the way until the body is far, then cuts to a place ahead of it. */
  private stand(s: Subject): { goal: View; cut: boolean } {
    const far = 14 * s.radius + 0.5 * s.velocity.length();
    const cut = !this.standing || s.centre.distanceTo(this.place) > far;
    if (cut) {
      const along = s.velocity.clone().addScaledVector(this.up, -s.velocity.dot(this.up));
      if (along.length() < 1e-6 * this.size) along.setFromMatrixColumn(s.matrix, 0);
      along.normalize();
      const left = this.up.clone().cross(along);
      this.place.copy(s.centre).addScaledVector(along, 0.7 * far);
      this.place.addScaledVector(left, 4 * s.radius).addScaledVector(this.up, 1.5 * s.radius);
      this.standing = true;
    }
    return { goal: { eye: this.place.clone(), target: s.centre.clone(), up: this.up.clone() }, cut };
  }

  private fly(out: Vector3, dt: number): void {
    const forward = out.clone().negate();
    const right = forward.clone().cross(this.up).normalize();
    const speed = 1.5 * this.size * dt;
    this.place
      .addScaledVector(right, this.moving.x * speed)
      .addScaledVector(forward, this.moving.y * speed)
      .addScaledVector(this.up, this.moving.z * speed);
  }
}

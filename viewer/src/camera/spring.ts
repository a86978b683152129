/**
 * Follows a goal g without swinging, speed and acceleration never jump while g is continuous:
 *
 *     x''' = -3 w x'' - 3 w^2 (x' - lead g') - w^3 (x - g)
 *
 * a triple pole at -w, solved exactly over each step. With lead 1 a goal that moves uniformly is met
 * without lag; with lead 0 a goal that jumps is not overshot. For the same motion of the goal the
 * result does not depend on how time is parted into frames.
 */
export class Spring {
  x: number;
  v = 0;
  a = 0;
  private goal: number;

  constructor(
    goal: number,
    /** How quick it is [1/s]. */
    public rate: number,
    public lead: 0 | 1 = 1,
  ) {
    this.x = this.goal = goal;
  }

  snap(goal: number): void {
    this.x = this.goal = goal;
    this.v = this.a = 0;
  }

  /** Goes on by dt while the goal goes uniformly from where it was to `goal`. */
  step(goal: number, dt: number): number {
    if (!(dt > 0)) return this.x;
    const w = this.rate;
    const speed = (goal - this.goal) / dt;
    const lag = this.lead ? 0 : (3 * speed) / w;
    const e = this.x - this.goal + lag;
    const e1 = this.v - speed;
    const c1 = e1 + w * e;
    const c2 = (this.a + 2 * w * e1 + w * w * e) / 2;
    const fade = Math.exp(-w * dt);
    const p = e + dt * (c1 + dt * c2);
    const p1 = c1 + 2 * dt * c2;
    this.x = goal - lag + p * fade;
    this.v = speed + (p1 - w * p) * fade;
    this.a = (2 * c2 - 2 * w * p1 + w * w * p) * fade;
    this.goal = goal;
    return this.x;
  }
}

/** Three of them. */
export class Spring3 {
  private readonly parts: [Spring, Spring, Spring];
  constructor(goal: readonly [number, number, number], rate: number, lead: 0 | 1 = 1) {
    const part = (i: 0 | 1 | 2) => new Spring(goal[i], rate, lead);
    this.parts = [part(0), part(1), part(2)];
  }
  get value(): [number, number, number] {
    return [this.parts[0].x, this.parts[1].x, this.parts[2].x];
  }
  get acceleration(): [number, number, number] {
    return [this.parts[0].a, this.parts[1].a, this.parts[2].a];
  }
  snap(goal: readonly [number, number, number]): void {
    this.parts.forEach((p, i) => p.snap(goal[i]!));
  }
  step(goal: readonly [number, number, number], dt: number): [number, number, number] {
    this.parts.forEach((p, i) => p.step(goal[i]!, dt));
    return this.value;
  }
}

import { Chase } from "./chase";

/** Time of the picture: played, stepped, set. Listeners hear of every change. */
export class Clock {
  t: number;
  playing = false;
  speed = 1;
  loop = true;
  /** The run goes on: its end moves. */
  live = false;
  /** The newest frame is shown as it comes. */
  following = false;
  private readonly chase = new Chase();
  private readonly listeners: ((jumped: boolean) => void)[] = [];

  constructor(
    public start: number,
    public end: number,
  ) {
    this.t = start;
  }

  /** Calls back with whether time jumped, rather than ran on. */
  onChange(listener: (jumped: boolean) => void): void {
    this.listeners.push(listener);
  }
  /** How far the run goes by now. */
  extend(start: number, end: number): void {
    this.chase.more(end - this.end);
    [this.start, this.end] = [start, end];
    if (this.t > end || this.t < start) this.set(this.t);
  }
  /** Goes along with the newest frame, or stays. */
  follow(on: boolean): void {
    this.following = this.live && on;
    this.playing = this.following;
    if (this.following) this.t = this.end;
    this.say(true);
  }
  set(t: number): void {
    if (this.following && t < this.end) this.following = this.playing = false;
    this.t = Math.min(this.end, Math.max(this.start, t));
    this.say(true);
  }
  play(on: boolean): void {
    if (this.live && (this.following || this.t >= this.end)) return this.follow(on);
    if (on && this.t >= this.end) this.t = this.start;
    this.playing = on && this.end > this.start;
    this.say(false);
  }
  setSpeed(speed: number): void {
    this.speed = speed;
    this.say(false);
  }
  /** Runs on by `dt` seconds of the wall clock. */
  tick(dt: number): void {
    if (this.following) {
      const t = this.chase.step(this.t, this.end, dt);
      if (t === this.t) return;
      this.t = t;
      return this.say(false);
    }
    if (!this.playing) return;
    const next = this.t + dt * this.speed;
    if (next < this.end) {
      this.t = next;
      return this.say(false);
    }
    if (this.live) return this.follow(true);
    this.t = this.loop ? this.start : this.end;
    this.playing = this.loop;
    this.say(this.loop);
  }
  private say(jumped: boolean): void {
    for (const listener of this.listeners) listener(jumped);
  }
}

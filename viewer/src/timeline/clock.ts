/** Time of the picture: played, stepped, set. Listeners hear of every change. */
export class Clock {
  t: number;
  playing = false;
  speed = 1;
  loop = true;
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
  set(t: number): void {
    this.t = Math.min(this.end, Math.max(this.start, t));
    this.say(true);
  }
  play(on: boolean): void {
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
    if (!this.playing) return;
    const next = this.t + dt * this.speed;
    if (next < this.end) {
      this.t = next;
      return this.say(false);
    }
    this.t = this.loop ? this.start : this.end;
    this.playing = this.loop;
    this.say(this.loop);
  }
  private say(jumped: boolean): void {
    for (const listener of this.listeners) listener(jumped);
  }
}

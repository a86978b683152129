const DELAY = 0.06; // [s] of the wall clock behind the newest frame, so that frames that come in lots move evenly
const MEMORY = 0.5; // [s] over which the pace is measured
const SILENCE = 0.3; // [s] without a frame, after which the newest is gone to
const PULL = 5; // [1/s]

/** Time of a picture that follows the newest frame of a run evenly, at the pace at which frames come. */
export class Chase {
  private pace = 0; // seconds of the run in one of the wall clock
  private silent = 0;
  private grown = 0;

  /** The run is longer by so much [s]. */
  more(by: number): void {
    this.grown += Math.max(0, by);
    if (by > 0) this.silent = 0;
  }
  /** From t on by dt of the wall clock; never beyond the end, and back only where the run was taken back. */
  step(t: number, end: number, dt: number): number {
    const share = 1 - Math.exp(-dt / MEMORY);
    if (dt > 0) this.pace += share * (this.grown / dt - this.pace);
    this.grown = 0;
    this.silent += dt;
    if (t >= end) return end;
    if (this.silent > SILENCE) this.pace = 0;
    const behind = end - t - this.pace * DELAY;
    const next = t + this.pace * dt + behind * (1 - Math.exp(-PULL * dt));
    const close = this.pace === 0 && end - next < 1e-3 * Math.max(1e-3, end - t);
    return close || this.silent > 3 * SILENCE ? end : Math.min(end, Math.max(t, next));
  }
}

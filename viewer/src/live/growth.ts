import type { Run } from "../data/run";
import type { Clock } from "../timeline/clock";
import type { Live } from "./live";

const LEAST = 250; // [ms] between panels made anew
const SHARE = 10; // of the time that they took, so that they take a tenth of it all at most

/** When clock, panels and plots hear of a run that grows: time at once, the rest now and then. */
export class Growth {
  private stale = true;
  private next = 0;
  private sized = 0; // frames when scales and ways were made
  private whole = false;

  constructor(
    private readonly live: Live,
    private readonly run: Run,
    private readonly clock: Clock,
    signal: AbortSignal,
    private readonly refill: (all: boolean) => void,
  ) {
    clock.live = !live.ended;
    clock.follow(true);
    const once = (act: () => void) => () => {
      if (!signal.aborted) act();
    };
    run.onChange(once(() => this.changed()));
    live.onChange(once(() => this.changed()));
  }
  private changed(): void {
    this.stale = true;
    const { live, clock, run } = this;
    clock.extend(run.start, run.end);
    if (clock.live === !live.ended) return;
    const followed = clock.following || clock.t >= clock.end;
    clock.live = !live.ended;
    clock.follow(followed);
    if (live.ended && followed) clock.set(clock.end);
    this.next = 0;
    this.whole = live.ended;
  }
  /** At each picture. */
  tick(now: number): void {
    if (!this.stale || now < this.next) return;
    this.stale = false;
    const begun = performance.now();
    const { frames } = this.run;
    const all = this.whole || frames > 1.5 * this.sized || frames < this.sized;
    if (all) this.sized = frames;
    this.whole = false;
    this.refill(all);
    const took = performance.now() - begun;
    this.next = now + Math.max(LEAST, SHARE * took);
  }
}

import type { Run } from "../data/run";
import { number, quantity } from "../data/units";
import { el, replace } from "../dom";
import type { Clock } from "./clock";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Play, pause, speed, and the way through time with what happened on it. */
export class Timeline {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly time: HTMLOutputElement;
  private readonly speed: HTMLSelectElement;
  private readonly events = el("div", { class: "marks" });
  private readonly follow: HTMLButtonElement;

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    /** The run is driven: pause and pace are those of the program, in the panel above. */
    private readonly driven: () => boolean = () => false,
  ) {
    this.play = el("button", { class: "play", onclick: () => clock.play(!clock.playing) });
    this.slider = el("input", {
      type: "range",
      class: "slider",
      min: clock.start,
      max: clock.end,
      step: "any",
      "aria-label": "Time",
      oninput: () => clock.set(Number(this.slider.value)),
    });
    this.time = el("output", { class: "time", "aria-live": "off" });
    this.speed = el("select", { "aria-label": "Speed", onchange: () => clock.setSpeed(Number(this.speed.value)) });
    for (const s of SPEEDS) this.speed.append(el("option", { value: s }, `${number(s)} ×`));
    this.follow = el("button", { class: "live", title: "Show the newest frame of the run", hidden: !clock.live, onclick: () => clock.follow(true) }, "live");
    this.element = el(
      "section",
      { class: "timeline", "aria-label": "Playback" },
      this.button("|◂", "To the start (Home)", () => clock.set(clock.start)),
      this.button("◂", "One frame back (←)", () => this.step(-1)),
      this.play,
      this.button("▸", "One frame on (→)", () => this.step(1)),
      el("div", { class: "way" }, this.events, this.slider),
      this.follow,
      this.time,
      this.speed,
    );
    clock.onChange(() => this.show());
    this.grow();
  }
  /** The run is longer, or shorter, or more has happened. */
  grow(): void {
    const { clock } = this;
    this.slider.min = String(clock.start);
    this.slider.max = String(clock.end);
    this.follow.hidden = !clock.live;
    this.mark();
    this.show();
  }

  private button(sign: string, label: string, act: () => void): HTMLButtonElement {
    return el("button", { title: label, "aria-label": label, onclick: act }, sign);
  }

  /** Frames on, or back. */
  step(frames: number): void {
    if (frames > 0 && this.clock.following) return; // there is none after the newest
    this.clock.play(false);
    const { frame, part } = this.run.place(this.clock.t);
    const from = frames < 0 && part > 1e-9 ? frame + 1 : frame;
    const to = Math.min(this.run.frames - 1, Math.max(0, from + frames));
    this.clock.set(this.run.time[to] ?? this.clock.t);
  }
  faster(by: 1 | -1): void {
    const i = SPEEDS.findIndex((s) => s >= this.clock.speed);
    this.clock.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, i + by))]!);
  }

  private mark(): void {
    const out: HTMLElement[] = [];
    const length = this.clock.end - this.clock.start || 1;
    const shown = new Set<string>();
    for (const e of this.run.header.events) {
      const part = (100 * (e.t - this.clock.start)) / length;
      const key = `${e.kind === "warning" || e.kind === "failure"}${part.toFixed(1)}`;
      if (shown.has(key) || part < 0 || part > 100) continue;
      shown.add(key);
      const mark = el("i", { class: `mark ${e.kind}`, title: `${quantity(e.t, "s")}: ${e.kind === "impact" ? "impulse at" : e.kind} ${e.subject}` });
      mark.style.left = `${part}%`;
      out.push(mark);
    }
    replace(this.events, ...out);
  }

  private show(): void {
    const { clock } = this;
    replace(this.play, clock.playing ? "❚❚" : "▶");
    const label = clock.playing ? "Pause (space)" : "Play (space)";
    this.play.title = label;
    this.play.setAttribute("aria-label", label);
    this.slider.value = String(clock.t);
    this.follow.setAttribute("aria-pressed", String(clock.following));
    replace(this.follow, clock.following ? "live" : "back to live");
    this.play.hidden = this.speed.hidden = this.driven();
    const digits = Math.max(0, Math.min(4, 3 - Math.floor(Math.log10(clock.end - clock.start || 1))));
    const text = `${clock.t.toFixed(digits)} s`;
    this.slider.setAttribute("aria-valuetext", text);
    this.time.value = `${text} / ${clock.live ? clock.end.toFixed(digits) : number(clock.end, 6)} s`;
    if (Number(this.speed.value) !== clock.speed) this.speed.value = String(clock.speed);
  }
}

/** A speed at which a run of `length` seconds can be watched. */
export function usualSpeed(length: number): number {
  if (length <= 0) return 1;
  const wanted = length < 2 ? length / 6 : length > 60 ? length / 40 : 1;
  return SPEEDS.reduce((best, s) =>
    Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best,
  );
}

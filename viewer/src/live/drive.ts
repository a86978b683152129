import { number, quantity } from "../data/units";
import { el, replace } from "../dom";
import { Hands } from "./hands";
import { Lever } from "./lever";
import { LeversPanel } from "./levers_panel";
import type { Live } from "./live";

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 0];

/** Inputs in one's hands, and how the run goes on: shown where a run is driven. */
export class Drive {
  readonly element: HTMLElement;
  readonly levers: Lever[];
  private readonly panel: LeversPanel;
  private readonly hands: Hands;
  private readonly go: HTMLButtonElement;
  private readonly once: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly rewind: HTMLSelectElement;
  private readonly stop: HTMLButtonElement;
  private readonly take: HTMLButtonElement;
  private readonly says = el("span", { class: "says", role: "status" });
  private times = "";

  constructor(
    private readonly live: Live,
    signal: AbortSignal,
  ) {
    this.levers = live.shown!.header.live!.inputs.map((spec) => new Lever(spec));
    this.panel = new LeversPanel(this.levers);
    this.hands = new Hands(this.levers, () => live.drives, (c) => live.send(c), signal);
    this.go = el("button", { class: "play", onclick: () => this.toggle() });
    this.once = button("step", "One step of the grid", () => live.send("step 1"));
    this.speed = el("select", { "aria-label": "Speed of the simulation", onchange: () => this.setSpeed() });
    for (const s of SPEEDS) this.speed.append(el("option", { value: s }, s === 0 ? "as fast as it can" : `${number(s)} ×`));
    this.rewind = el("select", { "aria-label": "Back to a checkpoint", onchange: () => this.goBack() });
    this.stop = button("■ stop", "End the run, keep its results", () => live.send("stop"));
    this.take = button("take over", "Drive from this page; others watch", () => live.send("take"));
    this.element = el(
      "section",
      { class: "drive", "aria-label": "Drive" },
      el("div", { class: "drive-bar" }, this.go, this.once, this.speed, this.rewind, this.stop, this.take, this.says),
      this.panel.element,
    );
    // a button that was clicked does not take the space bar from then on
    this.element.addEventListener("click", (e) => e.detail > 0 && e.target instanceof HTMLButtonElement && e.target.blur());
    live.onChange(() => this.heard());
    this.heard();
  }

  /** Pause, or go on. */
  toggle(): void {
    this.live.send(this.live.state.state === "running" ? "pause" : "go");
  }
  private setSpeed(): void {
    this.live.send(`speed ${this.speed.value}`);
    this.speed.blur(); // its arrow keys may drive
  }
  private goBack(): void {
    if (this.rewind.value) this.live.send(`rewind ${this.rewind.value}`);
    this.rewind.value = "";
    this.rewind.blur(); // its arrow keys may drive
  }

  private heard(): void {
    const { state } = this.live;
    const now = performance.now();
    state.inputs.forEach((x, i) => this.levers[i]?.heard(x, now));
    const running = state.state === "running";
    const over = this.live.ended || state.state === "finished" || state.state === "failed" || state.state === "stopped";
    const { drives } = this.live;
    replace(this.go, running ? "❚❚ pause" : "▶ go");
    this.go.hidden = this.once.hidden = this.speed.hidden = this.live.ended; // the timeline has its own
    this.go.disabled = this.stop.disabled = this.speed.disabled = this.rewind.disabled = !drives || over;
    this.once.disabled = !drives || over || running;
    this.take.hidden = state.driver || !this.live.connected || over;
    if (document.activeElement !== this.speed) this.showSpeed(state.speed);
    this.showTimes(state.checkpoints);
    this.says.textContent = this.words(over);
    this.says.classList.toggle("late", state.late && running);
  }
  private showSpeed(speed: number): void {
    if (![...this.speed.options].some((o) => Number(o.value) === speed))
      this.speed.append(el("option", { value: speed }, `${number(speed)} ×`));
    this.speed.value = String(speed);
  }
  private showTimes(times: number[]): void {
    const key = times.join();
    if (key === this.times || document.activeElement === this.rewind) return;
    this.times = key;
    replace(this.rewind, el("option", { value: "" }, "back to …"), ...[...times].reverse().map((t) => el("option", { value: t }, quantity(t, "s"))));
  }
  private words(over: boolean): string {
    const { state, connected } = this.live;
    if (over) return state.message || "the run is over";
    if (!connected) return "not connected";
    const who = state.driver ? "you drive" : "you watch, another page drives";
    const pace = state.state === "running" ? `, ${number(state.pace, 2)} × real time` : ", paused";
    const late = state.late && state.state === "running" ? ": the solver does not keep up" : "";
    return `${who}${pace}${late}${state.message ? ` – ${state.message}` : ""}`;
  }

  tick(dt: number): void {
    this.hands.step(dt, performance.now());
    this.panel.show(this.live.drives);
  }
}

function button(text: string, label: string, act: () => void): HTMLButtonElement {
  return el("button", { title: label, onclick: act }, text);
}

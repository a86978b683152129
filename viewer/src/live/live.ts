import type { Packed } from "../data/decode";
import type { More } from "../data/frames";
import type { RunEvent } from "../data/header";
import { Run } from "../data/run";
import { el } from "../dom";
import { Link, type Ending, type Listener, type Status } from "./link";

const BEFORE: Status = { state: "paused", t: 0, speed: 1, pace: 0, late: false, driver: false, inputs: [], checkpoints: [], message: "" };

/** A run that goes on while one looks: what came so far, and how it stands. */
export class Live implements Listener {
  shown: Run | null = null;
  state: Status = BEFORE;
  connected = false;
  /** Once the results are whole. */
  ended = false;
  /** What broke the connection, where that is known. */
  problem = "";
  refusal = "";
  private readonly link: Link;
  private waiting: Packed | null = null;
  private held: RunEvent[] = [];
  private readonly listeners: (() => void)[] = [];

  /** `onRun`: a run to show; another one later where it is of another mechanism. */
  constructor(
    url: string,
    private readonly onRun: (run: Run) => void,
    open?: (url: string) => WebSocket,
  ) {
    this.link = new Link(url, this, open);
  }

  /** Hears of all that is not the run itself: status, connection, refusals. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  private say(): void {
    for (const listener of this.listeners) listener();
  }
  send(command: string): boolean {
    return this.link.send(command);
  }
  close(): void {
    this.link.close();
  }
  get drives(): boolean {
    return this.connected && this.state.driver && !this.ended;
  }

  /** How it stands, in short. */
  badges(): HTMLElement[] {
    const { state, connected } = this;
    const badge = (kind: string, text: string) => el("span", { class: `badge ${kind}` }, text);
    if (!connected) return [badge("bad", "not connected")];
    if (state.state === "failed") return [badge("bad", state.message || "failed")];
    const late = state.late && state.state === "running" ? [badge("warned", "does not keep up")] : [];
    return [badge(state.state === "running" ? "good" : "warned", state.state), ...late];
  }

  run(packed: Packed): void {
    this.ended = false;
    if (this.shown?.replace(packed)) return this.say();
    this.waiting = packed;
    this.held = [];
    this.begin();
  }
  /** A picture needs one frame at least. */
  private begin(): void {
    const run = new Run(this.waiting!);
    if (run.frames > 0) this.show(run);
  }
  private show(run: Run): void {
    this.waiting = null;
    run.header.events.push(...this.held);
    this.shown = run;
    this.onRun(run);
    this.say();
  }
  frames(more: More): void {
    if (!this.waiting) return this.shown?.append(more);
    const run = new Run(this.waiting);
    run.append(more);
    if (run.frames > 0) this.show(run);
  }
  status(status: Status): void {
    this.state = status;
    this.say();
  }
  events(events: RunEvent[]): void {
    if (this.waiting) this.held.push(...events);
    else this.shown?.happened(events);
  }
  back(t: number): void {
    this.ended = false;
    this.shown?.back(t);
    this.say();
  }
  end(ending: Ending): void {
    this.ended = true;
    if (this.shown) this.shown.finish(ending);
    this.say();
  }
  over(): boolean {
    return this.ended;
  }
  refused(text: string): void {
    this.refusal = text;
    this.say();
  }
  connection(state: "open" | "lost", problem: string): void {
    this.connected = state === "open";
    this.problem = problem;
    this.say();
  }
}

import type { Lever } from "./lever";
import { pushOf } from "./lever";

const INTERVAL = 1000 / 60; // [ms] between values of inputs at the least

function writes(at: EventTarget | null): boolean {
  if (!(at instanceof HTMLElement)) return false;
  if (at instanceof HTMLInputElement) return !/^(range|checkbox|button)$/.test(at.type);
  return at instanceof HTMLTextAreaElement;
}

/** Keyboard and gamepads on levers, and their values to the program. */
export class Hands {
  private readonly held = new Map<string, string>(); // by place on the keyboard
  private last = -Infinity;

  constructor(
    private readonly levers: readonly Lever[],
    private readonly drives: () => boolean,
    private readonly send: (command: string) => boolean,
    signal: AbortSignal,
  ) {
    const options = { capture: true, signal };
    window.addEventListener("keydown", (e) => this.press(e), options);
    window.addEventListener("keyup", (e) => this.release(e.code), options);
    window.addEventListener("blur", () => this.letGo(), options);
    document.addEventListener("visibilitychange", () => document.hidden && this.leave(), options);
  }

  /** Keys that drive do nothing else. */
  private press(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey || writes(e.target) || !this.drives()) return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (!this.levers.some((l) => l.spec.keys.includes(key))) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    this.held.set(e.code, key);
    this.push();
  }
  private release(code: string): void {
    if (this.held.delete(code)) this.push();
  }
  letGo(): void {
    this.held.clear();
    this.push();
  }
  /** A page that is not seen draws no frames, in which levers would go to their rest. */
  private leave(): void {
    this.letGo();
    for (const l of this.levers) l.settle();
    this.tell(performance.now());
  }
  private push(): void {
    const keys = new Set(this.held.values());
    for (const l of this.levers) l.hold(pushOf(l.spec.keys, keys));
  }

  /** Goes on by dt [s] of the wall clock. */
  step(dt: number, now: number): void {
    if (!this.drives()) {
      if (this.held.size > 0) this.letGo();
      return;
    }
    this.readPads();
    for (const l of this.levers) l.step(dt);
    if (now - this.last < INTERVAL - 1) return;
    this.tell(now);
  }
  private tell(now: number): void {
    this.last = now;
    for (const l of this.levers) {
      const command = l.command(now);
      if (command) this.send(command);
    }
  }
  private readPads(): void {
    if (!this.levers.some((l) => l.spec.axis >= 0)) return;
    const pad = navigator.getGamepads?.().find((p) => p !== null);
    if (!pad) return;
    for (const l of this.levers) {
      const x = pad.axes[l.spec.axis];
      if (x !== undefined && !l.moving) l.axis(x);
    }
  }
}

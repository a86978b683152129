import type { DriveInput } from "../data/header";

const DEAD = 0.08; // of an axis of a gamepad
const QUIET = 500; // [ms] after which the program's value holds, not the hand's

/** An input in one's hands: moved by keys, by an axis of a gamepad, or set. */
export class Lever {
  value: number;
  private push = 0; // of keys, -1 to 1
  private held = false;
  private byAxis = false;
  private returning = false;
  private sent = NaN;
  private at = -Infinity; // when it was sent [ms]

  constructor(readonly spec: DriveInput) {
    this.value = spec.rest;
  }

  clamp(x: number): number {
    const { from, to } = this.spec;
    return Math.min(to ?? Infinity, Math.max(from ?? -Infinity, x));
  }
  set(x: number): void {
    this.returning = false;
    this.value = this.clamp(x);
  }
  /** Keys are held: which way, 0 both. Null: let go. */
  hold(way: number | null): void {
    if (way === null && this.held) this.returning = this.spec.returns;
    if (way !== null) this.returning = false;
    this.held = way !== null;
    this.push = way ?? 0;
  }
  /** -1 is `from`, 0 rest, 1 `to`; where one of them is none, as far from rest as the rate in a second. */
  axis(x: number): void {
    if (Math.abs(x) < DEAD && !this.byAxis) return;
    const { from, to, rest, rate } = this.spec;
    this.byAxis = Math.abs(x) >= DEAD;
    const part = this.byAxis ? (Math.abs(x) - DEAD) / (1 - DEAD) : 0;
    const reach = x < 0 ? (from === null ? rate : rest - from) : to === null ? rate : to - rest;
    this.set(rest + Math.sign(x) * part * reach);
  }
  step(dt: number): void {
    const { rate, rest } = this.spec;
    if (this.held) this.value = this.clamp(this.value + this.push * rate * dt);
    if (!this.returning) return;
    const way = rest - this.value;
    this.value = Math.abs(way) <= rate * dt ? rest : this.value + Math.sign(way) * rate * dt;
    this.returning = this.value !== rest;
  }

  /** Where it is on its way to. */
  settle(): void {
    if (this.returning) this.value = this.spec.rest;
    this.returning = false;
  }
  /** The command, where the value is another than the one that was sent last. */
  command(now: number): string | null {
    if (this.value === this.sent) return null;
    this.sent = this.value;
    this.at = now;
    return `input ${this.spec.name} ${this.value}`;
  }
  /** What the program says that the input is: it holds unless the hand moved it just now. */
  heard(value: number, now: number): void {
    const unsaid = this.value !== this.sent && !Number.isNaN(this.sent);
    if (this.held || this.returning || this.byAxis || unsaid || now - this.at < QUIET) return;
    this.value = this.sent = value;
  }
  get moving(): boolean {
    return this.held || this.returning;
  }
}

/** Which way keys push an input: one key raises it, of two the first lowers it. Null: none is held. */
export function pushOf(keys: readonly string[], held: ReadonlySet<string>): number | null {
  const signs = keys.length === 1 ? [1] : [-1, 1];
  const pressed = keys.map((key, i) => (held.has(key) ? signs[i]! : null)).filter((s) => s !== null);
  return pressed.length > 0 ? pressed.reduce((a, b) => a + b, 0) : null;
}

import { el } from "../dom";
import type { Live } from "./live";

const SHOWN = 6000; // [ms] of what was refused

/** What must not be missed of a connection: that it is lost, that something was refused. */
export class Banner {
  readonly lost = el("div", { class: "banner lost", role: "alert", hidden: true });
  readonly refused = el("div", { class: "banner refused", role: "alert", hidden: true });
  private said = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly live: Live) {
    live.onChange(() => this.show());
    this.show();
  }
  private show(): void {
    const { live } = this;
    this.lost.hidden = live.connected || (live.ended && !live.problem);
    this.lost.textContent = live.problem
      ? `What came could not be read (${live.problem}). What was received before is kept; it is asked for anew.`
      : "The connection to trammel is lost. What was received is kept; it is tried again.";
    if (live.refusal === this.said) return;
    this.said = live.refusal;
    this.refused.textContent = `Refused: ${live.refusal}`;
    this.refused.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => ((this.refused.hidden = true), (this.said = live.refusal = "")), SHOWN);
  }
}

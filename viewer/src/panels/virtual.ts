import { el } from "../dom";

const ROW = 26; // [pixels]
const SEEN = 8; // rows
const MORE = 4; // above and below

/** Which rows of so many there are to be in the page. */
export function window_(top: number, count: number, height = SEEN * ROW): { from: number; to: number } {
  const from = Math.max(0, Math.floor(top / ROW) - MORE);
  return { from: Math.min(from, count), to: Math.min(count, Math.ceil((top + height) / ROW) + MORE) };
}

/** A list of any length of which only what is seen is in the page; a listbox, by mouse and keys. */
export class VirtualList {
  readonly element: HTMLElement;
  private readonly inner = el("div", { class: "virtual-rows" });
  private count = 0;
  private active = -1;

  constructor(
    label: string,
    private readonly id: string,
    private readonly row: (i: number) => { text: string; note?: string },
    private readonly choose: (i: number) => void,
  ) {
    this.element = el("div", { class: "virtual", role: "listbox", tabindex: 0, "aria-label": label, onscroll: () => this.fill() }, this.inner);
    this.element.addEventListener("keydown", (e) => this.key(e));
  }

  /** So many rows, one of them chosen; it is brought to where it is seen. */
  show(count: number, chosen = -1): void {
    this.count = count;
    this.element.hidden = count === 0;
    this.element.style.height = `${Math.min(SEEN, count) * ROW + 2}px`;
    this.inner.style.height = `${count * ROW}px`;
    this.active = chosen;
    if (chosen >= 0) this.reveal(chosen);
    else this.element.scrollTop = 0;
    this.fill();
  }
  private reveal(i: number): void {
    const top = this.element.scrollTop;
    if (i * ROW < top) this.element.scrollTop = i * ROW;
    else if ((i + 1) * ROW > top + SEEN * ROW) this.element.scrollTop = (i + 1) * ROW - SEEN * ROW;
  }
  private fill(): void {
    const { from, to } = window_(this.element.scrollTop, this.count);
    const rows: HTMLElement[] = [];
    for (let i = from; i < to; i++) {
      const { text, note } = this.row(i);
      const on = i === this.active;
      const row = el(
        "div",
        { class: "virtual-row", role: "option", id: `${this.id}-${i}`, title: text, "aria-selected": String(on), "aria-setsize": this.count, "aria-posinset": i + 1, onclick: () => this.take(i) },
        el("span", {}, text),
        ...(note ? [el("span", { class: "muted" }, note)] : []),
      );
      row.style.top = `${i * ROW}px`;
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
    if (this.active >= from && this.active < to) this.element.setAttribute("aria-activedescendant", `${this.id}-${this.active}`);
    else this.element.removeAttribute("aria-activedescendant");
  }
  private take(i: number): void {
    this.active = i;
    this.fill();
    this.choose(i);
  }
  private key(e: KeyboardEvent): void {
    const last = this.count - 1;
    const to: Record<string, number> = { ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + SEEN, PageUp: this.active - SEEN, Home: 0, End: last };
    if (e.key === "Enter" && this.active >= 0) this.choose(this.active);
    else if (e.key in to) {
      this.active = Math.min(last, Math.max(0, to[e.key]!));
      this.reveal(this.active);
      this.fill();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }
}

import { el } from "../dom";

export interface Tab {
  name: string;
  content: HTMLElement;
}

/** Tabs as the ARIA practices have them: arrows move between them. */
export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];
  private readonly panels: HTMLElement[];
  current = 0;

  constructor(
    private readonly tabs: Tab[],
    private readonly onOpen: (name: string) => void = () => {},
  ) {
    this.buttons = tabs.map((t, i) =>
      el("button", { role: "tab", id: `tab-${t.name}`, "aria-controls": `panel-${t.name}`, onclick: () => this.open(i) }, t.name),
    );
    this.panels = tabs.map((t) =>
      el("div", { role: "tabpanel", id: `panel-${t.name}`, "aria-labelledby": `tab-${t.name}` }, t.content),
    );
    const bar = el("div", { role: "tablist", "aria-label": "Panels" }, ...this.buttons);
    bar.addEventListener("keydown", (e) => {
      const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (by === 0) return;
      e.stopPropagation();
      this.open((this.current + by + tabs.length) % tabs.length);
      this.buttons[this.current]!.focus();
    });
    this.element = el("aside", { class: "panel", "aria-label": "Run" }, bar, ...this.panels);
    this.open(0);
  }

  open(i: number): void {
    this.current = i;
    this.buttons.forEach((b, k) => {
      b.setAttribute("aria-selected", String(k === i));
      b.tabIndex = k === i ? 0 : -1;
    });
    this.panels.forEach((p, k) => (p.hidden = k !== i));
    this.onOpen(this.tabs[i]!.name);
  }
  openNamed(name: string): void {
    this.open(Math.max(0, this.tabs.findIndex((t) => t.name === name)));
  }
  get name(): string {
    return this.tabs[this.current]!.name;
  }
}

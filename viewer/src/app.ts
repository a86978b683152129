import { MODES, type Mode } from "./camera/rigs";
import { keys, pointers } from "./controls";
import type { Run } from "./data/run";
import { el } from "./dom";
import { Banner } from "./live/banner";
import { Drive } from "./live/drive";
import { Growth } from "./live/growth";
import type { Live } from "./live/live";
import { help } from "./panels/help";
import { Look } from "./panels/look";
import { Displays } from "./panels/displays";
import { leftOut, Overview, warnings } from "./panels/overview";
import { Energy } from "./panels/energy";
import { Plots } from "./panels/plots";
import { Selection, type Selected } from "./panels/selection";
import { Tabs } from "./panels/tabs";
import { Verify } from "./panels/verify";
import { Picture } from "./scene3d/picture";
import { DARK, LIGHT, type Palette } from "./theme";
import { Clock } from "./timeline/clock";
import { Timeline, usualSpeed } from "./timeline/timeline";

/** The page: picture, panels, timeline, and what ties them together. */
export class App {
  readonly clock: Clock;
  readonly picture: Picture;
  private palette: Palette;
  private readonly selection: Selection;
  private readonly plots: Plots;
  private readonly energy: Energy;
  private readonly verify: Verify | null;
  private readonly look: Look;
  private readonly tabs: Tabs;
  private readonly timeline: Timeline;
  private readonly help = help();
  private readonly cameras: HTMLSelectElement;
  private readonly fps = el("span", { class: "muted" });
  private readonly badges = el("span", { class: "badges" });
  private readonly overview: Overview;
  private readonly displays: Displays;
  readonly drive: Drive | null = null;
  private readonly growth: Growth | null = null;
  private readonly closing = new AbortController();
  selected: Selected | null = null;

  constructor(
    readonly run: Run,
    root: HTMLElement,
    /** Null: the run is whole. */
    readonly live: Live | null = null,
  ) {
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    this.palette = dark ? DARK : LIGHT;
    document.documentElement.dataset.theme = this.palette.name;
    document.title = run.header.title || run.header.name;
    this.clock = new Clock(run.start, run.end);
    this.clock.speed = live ? 1 : usualSpeed(run.end - run.start);
    const canvas = el("canvas", { role: "img", tabindex: 0, "aria-label": this.describe() });
    const place = el("div", { class: "picture" }, canvas);
    this.timeline = new Timeline(run, this.clock, () => run.header.live?.mode === "play" && !!live && !live.ended);
    root.append(place); // the canvas has a size before the picture is made
    this.picture = new Picture(run, canvas, this.palette);
    this.selection = new Selection(run, this.clock, this.palette, (s) => this.select(s), (c) => this.plot(c));
    this.plots = new Plots(run, this.clock, this.palette);
    this.energy = new Energy(run, this.clock, this.palette);
    this.verify = run.header.verify ? new Verify(run, this.clock, this.palette, run.header.verify) : null;
    this.look = new Look(this.picture);
    this.overview = new Overview(run, (t) => this.clock.set(t));
    this.displays = new Displays(run);
    this.cameras = el("select", { "aria-label": "Camera", onchange: () => this.setMode(this.cameras.value as Mode) });
    for (const m of MODES) this.cameras.append(el("option", { value: m.mode, title: m.help }, m.name));
    this.cameras.value = this.picture.camera.mode;
    place.append(this.look.legend, el("div", { class: "cameras" }, this.cameras, el("button", { onclick: () => this.frame(), title: "Frame all (F)" }, "Frame all")), this.displays.element);
    this.tabs = new Tabs(
      [
        { name: "Run", content: this.overview.element },
        { name: "Selection", content: this.selection.element },
        { name: "Plots", content: this.plots.element },
        { name: "Energy", content: this.energy.element },
        ...(this.verify ? [{ name: "Verify", content: this.verify.element }] : []),
        { name: "View", content: this.look.element },
      ],
      (name) => {
        if (live && this.tabs) this.refillPanels();
        if (name === "Selection") this.selection.open();
        if (name === "Plots") this.plots.open();
        this.updatePanels();
      },
    );
    root.replaceChildren(this.header(), place, this.tabs.element, this.timeline.element, this.help);
    pointers(canvas, this.picture, (x, y) => this.click(x, y));
    if (live) {
      const banner = new Banner(live);
      place.append(banner.lost, banner.refused);
      if (run.header.live?.mode === "play") this.timeline.element.before((this.drive = new Drive(live, this.closing.signal)).element);
      this.growth = new Growth(live, run, this.clock, this.closing.signal, (all) => this.refill(all));
    }
    keys(this.picture, this.actions(), this.closing.signal);
    this.clock.onChange((jumped) => this.onTime(jumped));
    this.onTime(true);
    this.loop();
    if (!live) this.clock.play(!window.matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  /** What depends on all frames anew; `all`: on what is seen of bodies too. */
  private refill(all: boolean): void {
    if (all) {
      this.picture.reconsider();
      this.cameras.value = this.picture.camera.mode;
      this.picture.arrows.rescale();
      this.picture.laws.rescale();
      this.look.apply(this.selected?.kind === "body" ? this.picture.poses.find(this.selected.name) : -1);
    }
    this.timeline.grow();
    this.picture.refresh();
    this.badges.replaceChildren(...this.badge());
    this.refillPanels();
  }
  /** The open one is enough: others are when they are opened. */
  private refillPanels(): void {
    const open = this.tabs.name;
    if (open === "Run") this.overview.refill();
    if (open === "Plots") this.plots.refill();
    if (open === "Energy") this.energy.refill();
  }
  /** Lets go of the page, for another run. */
  close(): void {
    this.closing.abort();
    this.picture.close();
  }

  private describe(): string {
    const h = this.run.header;
    return `Moving picture of ${h.title || h.name}: ${h.bodies.length} bodies, ${h.joints.length} joints. The panel lists their values.`;
  }

  private badge(): HTMLElement[] {
    const h = this.run.header;
    const thin = leftOut(this.run).length > 0 ? [el("span", { class: "badge warned", title: leftOut(this.run).join(" ") }, "thinned")] : [];
    if (this.live && !this.live.ended) return [...this.live.badges(), ...thin];
    const warned = warnings(this.run) !== null;
    const badge = h.ending === "done" && !warned ? "good" : h.ending === "done" ? "warned" : "bad";
    const words = h.ending !== "done" ? h.finished.replace(/^no: /, "") || h.ending : warned ? "done, with warnings" : "done";
    return [el("span", { class: `badge ${badge}` }, h.ending === "inaccurate" ? "not to be trusted" : words === "yes" ? h.ending : words), ...thin];
  }
  private header(): HTMLElement {
    const h = this.run.header;
    this.badges.replaceChildren(...this.badge());
    return el(
      "header",
      {},
      el("h1", {}, h.title || h.name),
      this.badges,
      el("span", { class: "gap" }),
      this.fps,
      el("button", { onclick: () => this.switchTheme(), title: "Light or dark (C)", "aria-label": "Light or dark" }, "◐"),
      el("button", { onclick: () => this.help.showModal(), title: "Keys (?)", "aria-label": "Keys" }, "?"),
    );
  }

  private actions(): Record<string, (shift: boolean) => void> {
    const { clock, timeline, look } = this;
    const out: Record<string, (shift: boolean) => void> = {
      " ": () => (this.drive && this.live?.drives ? this.drive.toggle() : clock.play(!clock.playing)),
      ArrowLeft: (shift) => timeline.step(shift ? -10 : -1),
      ArrowRight: (shift) => timeline.step(shift ? 10 : 1),
      Home: () => clock.set(clock.start),
      End: () => clock.set(clock.end),
      "[": () => timeline.faster(-1),
      "]": () => timeline.faster(1),
      l: () => (clock.loop = !clock.loop),
      f: () => this.frame(),
      c: () => this.switchTheme(),
      "?": () => this.help.showModal(),
      Escape: () => this.select(null),
    };
    for (const [key, what] of Object.entries({ j: "joints", x: "frames", r: "forces", t: "torques", g: "laws", k: "contacts", m: "coms", b: "xray", p: "trails", s: "strain" }))
      out[key] = () => look.toggle(what);
    MODES.forEach((m, i) => (out[String(i + 1)] = () => this.setMode(m.mode)));
    return out;
  }

  private frame(): void {
    this.setMode("orbit");
    this.picture.frameAll();
  }
  setMode(mode: Mode): void {
    this.picture.setMode(mode);
    this.cameras.value = mode;
  }
  private switchTheme(): void {
    this.palette = this.palette === DARK ? LIGHT : DARK;
    document.documentElement.dataset.theme = this.palette.name;
    for (const part of [this.picture, this.selection, this.plots, this.energy, this.verify]) part?.recolour(this.palette);
    this.select(this.selected);
  }

  private click(x: number, y: number): void {
    const picked = this.picture.pick(x, y);
    if (!picked) return this.select(null);
    const { joints, laws, tracks } = this.run.header;
    const names = { body: this.picture.poses.names, joint: joints.map((j) => j.name), law: laws.map((l) => l.name), track: tracks.map((t) => t.name) };
    const name = names[picked.kind][picked.index]!;
    this.select({ kind: picked.kind, name });
    this.tabs.openNamed("Selection");
  }
  select(s: Selected | null): void {
    this.selected = s;
    const body = s?.kind === "body" ? this.picture.poses.find(s.name) : -1;
    this.picture.bodies.select(body);
    const law = s?.kind === "law" && this.run.header.laws.find((l) => l.name === s.name);
    const joint = law ? law.joint : s?.kind === "joint" ? s.name : "";
    this.picture.joints.select(this.run.header.joints.findIndex((j) => j.name === joint));
    this.picture.tracks.select(s?.kind === "track" ? s.name : "", this.run.header.tracks);
    if (body >= 0) this.picture.subject = body;
    this.look.apply(body);
    this.selection.show(s);
    this.selection.update(this.clock.t);
  }
  plot(channels: Parameters<Plots["add"]>[0]): void {
    this.plots.add(channels);
    this.tabs.openNamed("Plots");
  }

  private onTime(jumped: boolean): void {
    this.picture.setTime(this.clock.t, jumped);
    this.displays.update(this.clock.t);
    this.updatePanels();
  }
  private updatePanels(): void {
    const open = this.tabs?.name;
    if (open === "Selection") this.selection.update(this.clock.t);
    if (open === "Plots") this.plots.update();
    if (open === "Energy") this.energy.update();
  }

  private loop(): void {
    let before = performance.now();
    let frames = 0;
    let since = before;
    const next = (now: number) => {
      if (this.closing.signal.aborted) return;
      const passed = Math.max(0, (now - before) / 1000);
      const dt = Math.min(0.1, passed);
      before = now;
      this.drive?.tick(Math.min(1, passed));
      this.growth?.tick(now);
      this.clock.tick(this.clock.following ? Math.min(1, passed) : dt);
      if (this.picture.draw(dt)) frames++;
      if (now - since > 1000) {
        this.fps.textContent = frames > 2 ? `${Math.round((1000 * frames) / (now - since))} fps` : "";
        frames = 0;
        since = now;
      }
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }
}

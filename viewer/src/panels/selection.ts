import type { Channel, Run } from "../data/run";
import { quantity } from "../data/units";
import { el, replace } from "../dom";
import { Chart } from "../plots/chart";
import type { Palette } from "../theme";
import type { Clock } from "../timeline/clock";
import { anglesOf, groupName } from "./names";
import { trackChannels, trackFacts, trackFigures } from "./track";
import { VirtualList } from "./virtual";

export type Kind = "body" | "joint" | "law" | "track" | "other";
export interface Selected {
  kind: Kind;
  name: string;
}

/** All that can be selected. */
export function things(run: Run): Selected[] {
  const h = run.header;
  const out: Selected[] = [
    ...h.bodies.map((b) => ({ kind: "body" as const, name: b.name })),
    ...h.joints.map((j) => ({ kind: "joint" as const, name: j.name })),
    ...h.laws.map((l) => ({ kind: "law" as const, name: l.name })),
    ...[...new Set(h.tracks.map((t) => t.name))].map((name) => ({ kind: "track" as const, name })),
  ];
  const known = new Set(out.map((s) => s.name));
  for (const s of h.series)
    for (const item of s.items)
      if (item && !known.has(item)) {
        known.add(item);
        out.push({ kind: "other", name: item });
      }
  return out;
}

function facts(run: Run, s: Selected): [string, string][] {
  const h = run.header;
  if (s.kind === "track") return trackFacts(run, s.name);
  const body = s.kind === "body" && h.bodies.find((b) => b.name === s.name);
  if (body) return [["kind", body.kind], ...(body.mass ? [["mass", quantity(body.mass, "kg")] as [string, string]] : [])];
  const joint = s.kind === "joint" && h.joints.find((j) => j.name === s.name);
  if (joint) {
    const out: [string, string][] = [["type", joint.type]];
    if (joint.a || joint.b) out.push(["between", `${joint.a} and ${joint.b}`]);
    if (joint.track) out.push(["track", joint.track]);
    const laws = h.laws.filter((l) => l.joint === joint.name).map((l) => `${l.name} (${l.type})`);
    if (laws.length > 0) out.push(["laws", laws.join(", ")]);
    return out;
  }
  const law = s.kind === "law" && h.laws.find((l) => l.name === s.name);
  if (law) return [["type", law.type], ["acts on", `${law.joint}.${law.coordinate}`]];
  return [];
}

/** What is selected, with its values now, and the list of all that can be. */
export class Selection {
  readonly element: HTMLElement;
  private readonly filter: HTMLInputElement;
  private readonly list: VirtualList;
  private readonly body = el("div", {});
  private shown: { cell: HTMLElement; text: (t: number) => string }[] = [];
  private charts: Chart[] = [];
  private all: Selected[] | null = null; // made when it is first looked at
  private found: Selected[] = [];
  private selected: Selected | null = null;
  private searched = "-";

  constructor(
    private readonly run: Run,
    private readonly clock: Clock,
    private palette: Palette,
    private readonly onSelect: (s: Selected | null) => void,
    private readonly onPlot: (channels: Channel[]) => void,
  ) {
    this.filter = el("input", { type: "search", placeholder: "Find a body, joint, law or track", "aria-label": "Find what to select", oninput: () => this.search() });
    this.list = new VirtualList(
      "Bodies, joints, laws and tracks",
      "thing",
      (i) => ({ text: this.found[i]!.name, note: this.found[i]!.kind }),
      (i) => this.onSelect(this.found[i]!),
    );
    this.element = el("div", {}, el("div", { class: "row" }, this.filter), this.list.element, this.body);
    this.show(null);
  }

  /** The panel was opened. */
  open(): void {
    if (!this.all) this.search();
  }
  private search(): void {
    this.all ??= things(this.run);
    const text = this.filter.value.trim().toLowerCase();
    if (text !== this.searched) this.found = this.all.filter((s) => !text || `${s.name} ${s.kind}`.toLowerCase().includes(text));
    this.searched = text;
    const { selected } = this;
    this.list.show(this.found.length, selected ? this.found.findIndex((t) => t.kind === selected.kind && t.name === selected.name) : -1);
  }

  show(s: Selected | null): void {
    this.shown = [];
    this.selected = s;
    for (const chart of this.charts) chart.close();
    this.charts = [];
    if (this.all) this.search();
    if (!s) return replace(this.body, el("p", { class: "muted" }, "Click a body, a joint, an arrow or a track in the picture, or choose one in the list."));
    const figures = s.kind === "track" ? trackFigures(this.run, s.name, this.palette, () => this.clock.t) : [];
    this.charts = figures.map((f) => new Chart(f, this.run, this.clock, this.palette));
    replace(
      this.body,
      el("h3", {}, `${s.kind === "other" ? "" : `${s.kind} `}${s.name}`),
      el("table", { class: "facts" }, el("tbody", {}, ...facts(this.run, s).map(([k, v]) => el("tr", {}, el("th", { scope: "row" }, k), el("td", {}, v))))),
      this.values(s),
      ...this.charts.map((c) => c.element),
    );
    this.update(this.clock.t);
  }
  private values(s: Selected): HTMLElement {
    const table = el("tbody", {});
    const groups = new Map<string, Channel[]>();
    for (const c of s.kind === "track" ? trackChannels(this.run, s.name) : this.run.channelsNamed(s.name)) {
      const key = this.run.header.series[c.series]!.path;
      groups.set(key, [...(groups.get(key) ?? []), c]);
    }
    for (const [path, channels] of groups) {
      const plot = el("button", { class: "small", title: "Plot these", "aria-label": `Plot ${groupName(path)} of ${s.name}`, onclick: () => this.onPlot(channels) }, "plot");
      table.append(el("tr", { class: "group" }, el("th", { scope: "colgroup" }, groupName(path)), el("td", {}, plot)));
      const rows = path === "/bodies/orientation" ? this.angles(channels) : channels.map((c) => this.channelRow(s, c));
      for (const { name, text } of rows) {
        const cell = el("td", {});
        this.shown.push({ cell, text });
        table.append(el("tr", {}, el("th", { scope: "row" }, name), cell));
      }
    }
    return el("table", { class: "facts values" }, table);
  }

  private channelRow(s: Selected, channel: Channel): { name: string; text: (t: number) => string } {
    const name = channel.name.startsWith(`${s.name}.`) ? channel.name.slice(s.name.length + 1) : channel.name;
    return { name, text: (t) => quantity(this.run.at(channel, t), channel.unit) };
  }
  /** Of a quaternion (w, x, y, z), whose numbers say little to people. */
  private angles(channels: Channel[]): { name: string; text: (t: number) => string }[] {
    const at = (t: number) => anglesOf(...(channels.map((c) => this.run.at(c, t)) as [number, number, number, number]));
    return (["yaw", "pitch", "roll"] as const).map((name) => ({ name, text: (t) => quantity(at(t)[name], "rad") }));
  }

  update(t: number): void {
    for (const { cell, text } of this.shown) cell.textContent = text(t);
    for (const chart of this.charts) chart.update();
  }
  recolour(palette: Palette): void {
    this.palette = palette;
    this.show(this.selected);
  }
}

import type { Channel, Run } from "../data/run";
import { quantity } from "../data/units";
import { el, replace } from "../dom";

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

const MOST_OPTIONS = 3000;

/** What is selected, with its values now. */
export class Selection {
  readonly element: HTMLElement;
  private readonly list: HTMLSelectElement;
  private readonly body = el("div", {});
  private shown: { channel: Channel; cell: HTMLElement }[] = [];
  private readonly all: Selected[];

  constructor(
    private readonly run: Run,
    private readonly onSelect: (s: Selected | null) => void,
    private readonly onPlot: (channels: Channel[]) => void,
  ) {
    this.all = things(run);
    this.list = el("select", {
      "aria-label": "Select a body, joint, law or track",
      onchange: () => this.onSelect(this.all[Number(this.list.value)] ?? null),
    });
    this.list.append(el("option", { value: -1 }, "nothing selected"));
    let group: HTMLOptGroupElement | null = null;
    this.all.slice(0, MOST_OPTIONS).forEach((s, i) => {
      if (group?.label !== s.kind) this.list.append((group = el("optgroup", { label: s.kind })));
      group.append(el("option", { value: i }, s.name));
    });
    this.element = el("div", {}, this.list, this.body);
    this.show(null);
  }

  show(s: Selected | null): void {
    this.shown = [];
    this.list.value = String(s ? this.all.findIndex((t) => t.kind === s.kind && t.name === s.name) : -1);
    if (!s)
      return replace(this.body, el("p", { class: "muted" }, "Click a body or a joint in the picture, or choose one here."));
    const table = el("tbody", {});
    const groups = new Map<string, Channel[]>();
    for (const c of this.run.channelsNamed(s.name)) {
      const key = this.run.header.series[c.series]!.path;
      groups.set(key, [...(groups.get(key) ?? []), c]);
    }
    for (const [path, channels] of groups) {
      const plot = el(
        "button",
        { class: "small", title: "Plot these", "aria-label": `Plot ${path} of ${s.name}`, onclick: () => this.onPlot(channels) },
        "plot",
      );
      table.append(el("tr", { class: "group" }, el("th", { scope: "colgroup" }, path.slice(1)), el("td", {}, plot)));
      for (const channel of channels) {
        const cell = el("td", {});
        this.shown.push({ channel, cell });
        table.append(el("tr", {}, el("th", { scope: "row" }, channel.name.slice(s.name.length + 1) || channel.name), cell));
      }
    }
    replace(
      this.body,
      el("h3", {}, `${s.kind === "other" ? "" : `${s.kind} `}${s.name}`),
      el("table", { class: "facts" }, el("tbody", {}, ...facts(this.run, s).map(([k, v]) => el("tr", {}, el("th", { scope: "row" }, k), el("td", {}, v))))),
      el("table", { class: "facts values" }, table),
    );
  }

  update(t: number): void {
    for (const { channel, cell } of this.shown)
      cell.textContent = quantity(this.run.at(channel, t), channel.unit);
  }
}

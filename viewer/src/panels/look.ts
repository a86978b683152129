import { el } from "../dom";
import type { Picture } from "../scene3d/picture";
import { SPEED } from "../scene3d/trails";

/** What of the picture is switched on. */
export class Look {
  readonly element: HTMLElement;
  readonly legend = el("div", { class: "legend", "aria-live": "polite" });
  private selected = -1; // body
  private readonly boxes = new Map<string, HTMLInputElement>();

  constructor(private readonly picture: Picture) {
    const few = picture.poses.names.length <= 400;
    const rows = [
      this.box("joints", "Joints and their free axes (J)", few),
      this.box("frames", "Joint frames (X)", false),
      this.box("forces", "Forces in joints (R)", false),
      this.box("torques", "Torques in joints (T)", false),
      ...(picture.laws.any ? [this.box("laws", "Forces of laws (G)", false)] : []),
      ...(picture.contacts.any ? [this.box("contacts", "Contacts and their forces (K)", false)] : []),
      this.box("xray", "See through bodies (B)", false),
      this.box("coms", "Centres of mass (M)", false),
      this.box("trails", "Ways of bodies as ribbons (P)", false),
    ];
    if (picture.poses.names.some((_, i) => picture.poses.isAffine(i)))
      rows.push(this.box("strain", "Colour by strain (S)", true));
    const by = el("input", { type: "search", id: "look-by", list: "look-choices", value: SPEED, "aria-label": "Colour ways by" });
    by.addEventListener("change", () => this.colourBy(by));
    const choices = el("datalist", { id: "look-choices" }, ...picture.trails.choices().map((value) => el("option", { value })));
    const lean = el("input", { type: "range", min: 0, max: 1, step: 0.05, value: picture.camera.lean, "aria-label": "Lean of the horizon" });
    lean.addEventListener("input", () => (picture.camera.lean = Number(lean.value)));
    this.element = el(
      "div",
      {},
      el("fieldset", {}, el("legend", {}, "Show"), ...rows),
      el("fieldset", {}, el("legend", {}, "Ways"), el("label", {}, "coloured by ", by), choices, el("p", { class: "muted" }, "A quantity of bodies, or any channel by its full name.")),
      el("fieldset", {}, el("legend", {}, "Camera that follows"), el("label", {}, "leans with the body ", lean)),
      ...(picture.tracks.notes.length > 0 ? [el("p", { class: "muted" }, ...picture.tracks.notes)] : []),
      el("p", { class: "muted" }, "Bodies whose scene gives no shape are drawn as the ball, cylinder or box that has their inertia, half transparent."),
    );
    this.apply();
  }

  private colourBy(by: HTMLInputElement): void {
    const name = by.value.trim() || SPEED;
    const known = this.picture.trails.knows(name);
    by.setAttribute("aria-invalid", String(!known));
    if (!known) return;
    this.picture.trails.by = name;
    this.boxes.get("trails")!.checked = true;
    this.apply(this.selected);
  }
  private box(key: string, text: string, on: boolean): HTMLElement {
    const input = el("input", { type: "checkbox", id: `look-${key}`, checked: on, onchange: () => this.apply() });
    this.boxes.set(key, input);
    return el("label", { class: "check" }, input, ` ${text}`);
  }
  private on(key: string): boolean {
    return this.boxes.get(key)?.checked ?? false;
  }
  toggle(key: string): void {
    const box = this.boxes.get(key);
    if (!box) return;
    box.checked = !box.checked;
    this.apply();
  }

  /** Which bodies have trails: the selected one, or all of a few. */
  apply(selected = this.selected): void {
    this.selected = selected;
    const p = this.picture;
    p.joints.group.visible = this.on("joints") || this.on("frames");
    p.joints.showFrames(this.on("frames"));
    p.arrows.show(this.on("forces"), this.on("torques"));
    p.coms.visible = this.on("coms");
    p.laws.group.visible = this.on("laws");
    p.contacts.group.visible = this.on("contacts");
    p.bodies.seeThrough(this.on("xray"));
    p.bodies.showStrain(this.on("strain"), p.palette);
    const few = p.poses.names.length <= 24 ? p.poses.names.map((_, i) => i) : [p.subject];
    p.trails.show(this.on("trails") ? (selected >= 0 ? [selected] : few) : []);
    p.refresh();
    this.describe();
  }

  private describe(): void {
    const p = this.picture;
    const lines: HTMLElement[] = [];
    const { force, torque } = p.arrows.legend();
    if (this.on("forces")) lines.push(el("span", { class: "key force" }, `force on B, ${force}`));
    if (this.on("torques")) lines.push(el("span", { class: "key torque" }, `torque on B, ${torque}`));
    if (this.on("laws")) lines.push(el("span", { class: "key law" }, `law on B, ${p.laws.legend()}`));
    if (this.on("contacts")) lines.push(el("span", { class: "key contact" }, `contact on B, ${p.contacts.legend()}`));
    if (this.on("trails")) lines.push(el("span", { class: "key ramp" }, p.trails.legend()));
    if (this.on("strain")) lines.push(el("span", { class: "key ramp" }, "strain |AᵀA − 1|, 1e−4 to 1"));
    this.legend.replaceChildren(...lines);
  }
}

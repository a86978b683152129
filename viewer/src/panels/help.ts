import { el } from "../dom";

const KEYS: [string, string][] = [
  ["space", "play, pause"],
  ["← →", "one frame back, on; with shift ten"],
  ["Home End", "start, end"],
  ["[ ]", "slower, faster"],
  ["L", "play again from the start at the end"],
  ["1 … 5", "camera: orbit, follow, rider, trackside, free flight"],
  ["F", "frame all"],
  ["W A S D Q E", "free flight"],
  ["J X R T G K M P B S", "joints, frames, forces, torques, laws, contacts, centres of mass, ways, see through, strain"],
  ["keys of inputs", "drive, where the panel below the picture shows them; space pauses then, and goes on"],
  ["C", "light, dark"],
  ["Esc", "select nothing"],
  ["tab", "to the next control; in tabs ← →, in lists ↑ ↓ and enter"],
  ["?", "this help"],
];

export function help(): HTMLDialogElement {
  const out: HTMLDialogElement = el(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    el("h2", {}, "Keys"),
    el("table", { class: "facts" }, el("tbody", {}, ...KEYS.map(([k, text]) => el("tr", {}, el("th", { scope: "row" }, k), el("td", {}, text))))),
    el("p", {}, "Drag turns the camera, the wheel or two fingers come nearer, dragging with the right button or with shift moves. Click a body, a joint, an arrow or a track to see its values. In plots a drag zooms, a double click shows all, a click sets the time."),
    el("button", { onclick: () => out.close() }, "Close"),
  );
  return out;
}

import { pretty } from "../data/units";
import type { Palette } from "../theme";
import { withUnit, type Figure } from "./figure";

const LINE = 20; // height of a line of text

/** What is on the screen of a figure, on a ground of its own, with title and legend. */
export function toPng(figure: Figure, plot: HTMLCanvasElement, palette: Palette): Promise<Blob> {
  const ratio = plot.width / Math.max(1, plot.clientWidth || plot.width);
  const line = LINE * ratio;
  const out = document.createElement("canvas");
  out.width = plot.width;
  out.height = plot.height + line * (1.4 + figure.lines.length);
  const pen = out.getContext("2d")!;
  pen.fillStyle = palette.name === "dark" ? palette.background : "#ffffff";
  pen.fillRect(0, 0, out.width, out.height);
  pen.fillStyle = palette.text;
  pen.font = `bold ${0.7 * line}px sans-serif`;
  pen.fillText(figure.title, 0.4 * line, line);
  pen.drawImage(plot, 0, 1.4 * line);
  pen.font = `${0.65 * line}px sans-serif`;
  figure.lines.forEach((l, i) => {
    const y = plot.height + line * (1.9 + i);
    pen.fillStyle = l.colour;
    pen.fillRect(0.6 * line, y - 0.15 * line, line, 0.2 * line);
    pen.fillStyle = palette.text;
    pen.fillText(pretty(withUnit(l.name, l.unit)), 2 * line, y + 0.1 * line);
  });
  return new Promise((done, fail) => out.toBlob((blob) => (blob ? done(blob) : fail(new Error("the browser gives no picture")))));
}

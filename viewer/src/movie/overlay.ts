import type { Palette } from "../theme";

/** What stands on a picture of a movie. */
export interface Words {
  title: string;
  time: string;
  readings: { number: string; unit: string; text: string }[];
}

/** Draws words over the picture, in sizes that go with its height. */
export function overlay(pen: CanvasRenderingContext2D, words: Words, palette: Palette): void {
  const { width, height } = pen.canvas;
  const u = Math.max(9, Math.min(height, 0.75 * width) / 45);
  const font = (size: number, weight = 400) => (pen.font = `${weight} ${size * u}px system-ui, "DejaVu Sans", sans-serif`);
  /** On a plate, from its left or its right upper corner; the plate's height. */
  const plate = (x: number, y: number, right: boolean, parts: { text: string; size: number; weight?: number; muted?: boolean }[]): number => {
    const widths = parts.map((p) => (font(p.size, p.weight), pen.measureText(p.text).width));
    const size = Math.max(...parts.map((p) => p.size));
    const w = widths.reduce((a, b) => a + b, 0) + (parts.length + 1) * 0.5 * u;
    const h = 1.5 * size * u;
    const left = right ? x - w : x;
    pen.fillStyle = palette.background;
    pen.globalAlpha = 0.78;
    pen.beginPath();
    pen.roundRect(left, y, w, h, 0.4 * u);
    pen.fill();
    pen.globalAlpha = 1;
    pen.textBaseline = "alphabetic";
    let at = left + 0.5 * u;
    parts.forEach((p, i) => {
      font(p.size, p.weight);
      pen.fillStyle = p.muted ? palette.muted : palette.text;
      pen.fillText(p.text, at, y + 1.1 * size * u);
      at += widths[i]! + 0.5 * u;
    });
    return h;
  };
  if (words.title) plate(u, u, false, [{ text: words.title, size: 1.4, weight: 600 }]);
  plate(u, height - 3 * u, false, [{ text: words.time, size: 1.3 }]);
  let y = u;
  for (const r of words.readings) {
    const number = [{ text: r.text, size: 1, muted: true }, { text: r.number, size: 1.9, weight: 600 }];
    y += plate(width - u, y, true, r.unit ? [...number, { text: r.unit, size: 1.2 }] : number) + 0.4 * u;
  }
}

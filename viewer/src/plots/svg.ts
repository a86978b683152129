import { number, round125, tick } from "../data/units";
import { range, stacked, withUnit, type Figure } from "./figure";

const [WIDTH, HEIGHT] = [860, 420];
const EDGE = { left: 84, right: 20, top: 40, bottom: 52 };

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

export function ticks(low: number, high: number, about: number): number[] {
  let step = round125((high - low) / about);
  while ((high - low) / step > 1.8 * about) step *= 2;
  const out: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high * (1 + 1e-12); i++) out.push(i * step);
  return out;
}

/** The figure as a picture that stands by itself, black on white. */
export function toSvg(figure: Figure): string {
  const ys = figure.stacked ? stacked(figure.lines) : figure.lines.map((l) => l.values);
  const [x0, x1] = range([figure.x.values]);
  const [y0, y1] = range(figure.stacked ? [...ys, [0]] : ys);
  const x = (v: number) => EDGE.left + ((v - x0) / (x1 - x0)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (v: number) => HEIGHT - EDGE.bottom - ((v - y0) / (y1 - y0)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(figure.title)}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
  ];
  for (const v of ticks(x0, x1, 8))
    out.push(
      `<path d="M${x(v).toFixed(1)} ${EDGE.top}V${HEIGHT - EDGE.bottom}" stroke="#ddd"/>` +
        `<text x="${x(v).toFixed(1)}" y="${HEIGHT - EDGE.bottom + 18}" text-anchor="middle">${number(v)}</text>`,
    );
  for (const v of ticks(y0, y1, 6))
    out.push(
      `<path d="M${EDGE.left} ${y(v).toFixed(1)}H${WIDTH - EDGE.right}" stroke="#ddd"/>` +
        `<text x="${EDGE.left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${tick(v)}</text>`,
    );
  ys.forEach((values, k) => {
    let pen = "M";
    let path = "";
    for (let i = 0; i < values.length; i++) {
      const v = values[i]!;
      if (!Number.isFinite(v)) {
        pen = "M";
        continue;
      }
      path += `${pen}${x(figure.x.values[i]!).toFixed(2)} ${y(v).toFixed(2)}`;
      pen = "L";
    }
    out.push(`<path d="${path}" fill="none" stroke="${figure.lines[k]!.colour}" stroke-width="1.6"/>`);
  });
  let at = EDGE.left;
  for (const line of figure.lines) {
    const text = withUnit(line.name, line.unit);
    out.push(
      `<path d="M${at} 24h18" stroke="${line.colour}" stroke-width="3"/>` +
        `<text x="${at + 24}" y="28">${escaped(text)}</text>`,
    );
    at += 44 + 6.6 * text.length;
  }
  const label = withUnit(figure.x.name, figure.x.unit);
  out.push(`<text x="${WIDTH / 2}" y="${HEIGHT - 12}" text-anchor="middle">${escaped(label)}</text></svg>`);
  return out.join("\n");
}

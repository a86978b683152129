import { marks, number, power, round125 } from "../data/units";
import { drawnOf, range, sizes, unitOf, withUnit, type Figure } from "./figure";

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

/** Exponents of powers of ten, thinned, from low to high; where these are few, those of 2 and 5 times them too. */
export function powers(low: number, high: number, about: number): number[] {
  if (high - low < 2.5) {
    const all: number[] = [];
    for (let e = Math.floor(low); e <= high; e++) all.push(e, e + Math.log10(2), e + Math.log10(5));
    return all.filter((e) => e >= low - 1e-9 && e <= high + 1e-9);
  }
  const step = Math.max(1, Math.ceil((Math.floor(high) - Math.ceil(low)) / about));
  const out: number[] = [];
  for (let e = Math.ceil(low - 1e-9); e <= high + 1e-9; e += step) out.push(e);
  return out;
}

/** An axis: where values are on it, from 0 to 1, and its marks. */
function axis(lists: ArrayLike<number>[], log: boolean, about: number) {
  const of = (v: number) => (log ? Math.log10(v) : v);
  const [low, high] = range(log ? lists.map((l) => Array.from(l, of)) : lists);
  const marks = log ? powers(low, high, about) : ticks(low, high, about);
  return { part: (v: number) => (of(v) - low) / (high - low), marks: marks.map((v) => (log ? 10 ** v : v)) };
}

/** The figure as a picture that stands by itself, black on white. */
export function toSvg(figure: Figure): string {
  const ys = drawnOf(figure);
  const xs = figure.logX ? sizes(figure.x.values) : figure.x.values;
  const [ax, ay] = [axis([xs], !!figure.logX, 8), axis(figure.stacked ? [...ys, [0]] : ys, !!figure.log, 6)];
  const x = (v: number) => EDGE.left + ax.part(v) * (WIDTH - EDGE.left - EDGE.right);
  const y = (v: number) => HEIGHT - EDGE.bottom - ay.part(v) * (HEIGHT - EDGE.top - EDGE.bottom);
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(figure.title)}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
  ];
  for (const v of ax.marks)
    out.push(
      `<path d="M${x(v).toFixed(1)} ${EDGE.top}V${HEIGHT - EDGE.bottom}" stroke="#ddd"/>` +
        `<text x="${x(v).toFixed(1)}" y="${HEIGHT - EDGE.bottom + 18}" text-anchor="middle">${number(v)}</text>`,
    );
  const named = marks(ay.marks, unitOf(figure));
  for (const [i, v] of ay.marks.entries())
    out.push(
      `<path d="M${EDGE.left} ${y(v).toFixed(1)}H${WIDTH - EDGE.right}" stroke="#ddd"/>` +
        `<text x="${EDGE.left - 8}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${figure.log ? power(v) : named[i]}</text>`,
    );
  ys.forEach((values, k) => {
    const { colour } = figure.lines[k]!;
    let pen = "M";
    let path = "";
    for (let i = 0; i < values.length; i++) {
      const [u, v] = [xs[i]!, values[i]!];
      if (!Number.isFinite(v) || !Number.isFinite(u)) {
        if (!figure.dots) pen = "M";
        continue;
      }
      path += `${pen}${x(u).toFixed(2)} ${y(v).toFixed(2)}`;
      pen = "L";
      if (figure.dots) out.push(`<circle cx="${x(u).toFixed(2)}" cy="${y(v).toFixed(2)}" r="3.5" fill="${colour}"/>`);
    }
    out.push(`<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.6"/>`);
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

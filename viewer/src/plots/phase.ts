import uPlot from "uplot";
import { range } from "./figure";

/** How uPlot draws lines whose x goes to and fro: through their points as they come, over all of them. */
export function phase(x: ArrayLike<number>, ys: ArrayLike<number>[]): { series: Partial<uPlot.Series>[]; scales: uPlot.Scales; cursor: uPlot.Cursor } {
  const wide = (lists: ArrayLike<number>[]): [number, number] => {
    const [low, high] = range(lists);
    const room = 0.03 * (high - low);
    return [low - room, high + room];
  };
  return {
    series: ys.map((y) => ({ paths: (u: uPlot) => ({ stroke: through(u, x, y), fill: null, clip: null, band: null, gaps: null, flags: 1 }) as never })),
    scales: {
      x: { time: false, range: () => wide([x]) },
      y: { range: () => wide(ys) },
    },
    cursor: { drag: { x: false, y: false }, dataIdx: (u, s, i) => nearest(u, x, ys[s - 1] ?? ys[0]!) ?? i },
  };
}

function through(u: uPlot, x: ArrayLike<number>, y: ArrayLike<number>): Path2D {
  const out = new Path2D();
  let pen = false;
  for (let i = 0; i < x.length; i++) {
    if (!Number.isFinite(x[i]!) || !Number.isFinite(y[i]!)) pen = false;
    else {
      const [a, b] = [u.valToPos(x[i]!, "x", true), u.valToPos(y[i]!, "y", true)];
      if (pen) out.lineTo(a, b);
      else out.moveTo(a, b);
      pen = true;
    }
  }
  return out;
}

/** The frame whose point is closest to the cursor. */
function nearest(u: uPlot, x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  const { left = -1, top = -1 } = u.cursor;
  let [best, out] = [Infinity, null as number | null];
  for (let i = 0; i < x.length; i++) {
    const d = Math.hypot(u.valToPos(x[i]!, "x") - left, u.valToPos(y[i]!, "y") - top);
    if (d < best) [best, out] = [d, i];
  }
  return out;
}

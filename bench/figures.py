#!/usr/bin/python3
"""Tables in Markdown from the lines of `./dev bench --json FILE`: bench/figures.py FILE [DOCUMENT];
the picture of 1000 boxes: bench/figures.py --piles FILE PICTURE.svg

Prints them, or puts them between the two marks of DOCUMENT (docs/benchmarks.md). Of lines for the
same thing the last counts.
"""
import datetime
import json
import math
import re
import sys
from pathlib import Path

BEGIN, END = "<!-- figures: bench/figures.py writes from here -->", "<!-- to here -->"
PER_LINK = ("CPU time a step and link [ns]", lambda r: number(r["ns_per_item"]))
PER_STEP = ("CPU time a step [us]", lambda r: number(r["us_per_step"]))
TIME = {"chain": PER_LINK, "hand": PER_LINK, "fourbar": PER_STEP, "slider": PER_STEP}
OTHERS = [
    ("times the fastest peer's step", lambda r: number(r["beside_best_peer"])),
    ("worst gap of a joint [m]", lambda r: number(r["drift_m"], 2)),
    ("energy error", lambda r: number(r["energy_rel_max"], 2)),
    ("error of the last body [m]", lambda r: number(r["error_m"], 2)),
]


def number(x, digits=3):
    if x is None:
        return "–"
    if x and not 1e-2 <= abs(x) < 1e5:
        return f"{x:.{digits - 1}e}"
    return f"{x:.{digits}g}" if abs(x) < 10 ** digits else f"{x:.0f}"


def read(path):
    rows = {}
    for line in Path(path).read_text().splitlines():
        r = json.loads(line)
        rows[tuple(r[k] for k in ("group", "scenario", "engine", "solver", "N", "dt"))] = r
    return list(rows.values())


def table(head, body):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in body]) + "\n"


def cell(r, show):
    if r is None:
        return ""
    if "failed" in r:
        return "failed"
    return show(r) + ("*" if r["truncated"] else "") + ("" if r["finite"] else " (not finite)")


def pivot(rows, title, show):
    """Engines down, N across; nothing where no row has a figure."""
    sizes = sorted({r["N"] for r in rows})
    engines = list(dict.fromkeys((r["engine"], r["solver"]) for r in rows))
    at = {(r["engine"], r["solver"], r["N"]): r for r in rows}
    body = [[f"{e} {s}"] + [cell(at.get((e, s, n)), show) for n in sizes] for e, s in engines]
    body = [row for row in body if any(c not in ("", "–", "–*") for c in row[1:])]
    return table([title] + [f"N = {n}" for n in sizes], body) if body else ""


def side_by_side(rows, group):
    out = [pivot(rows, title, show) for title, show in [TIME[group], *OTHERS]]
    if group == "chain":
        out.append(pivot([r for r in rows if r.get("bytes_per_body") is not None],
                         "bytes a link while stepping", lambda r: number(r["bytes_per_body"])))
    return "\n".join(filter(None, out))


def by_hand(rows):
    ratio, at = [], {}
    for r in rows:
        at[r["N"], r["engine"].split("-")[0]] = r
    for n in sorted({r["N"] for r in rows}):
        mine, hand = at.get((n, "trammel"), {}), at.get((n, "hand"), {})
        if "us_per_step" in mine and "us_per_step" in hand:
            ratio.append([str(n), number(mine["iterations_per_step"]),
                          number(mine["us_per_step"] / hand["us_per_step"]),
                          number(math.dist(mine["final_pos"], hand["final_pos"]), 2)])
    return pivot(rows, *TIME["hand"]) + "\n" + table(
        ["N", "iterations a step", "engine / hand", "apart at the end [m]"], ratio)


def memory(rows):
    return table(["", "N", "bytes a link while stepping", "process at most, bytes a link"],
                 [[r["engine"], str(r["N"])] + (["failed", ""] if "failed" in r else [
                     number(r["bytes_per_body"]), number(1024 * r["peak_rss_kb"] / r["N"])])
                  for r in rows])


def precision(rows):
    rows = [r for r in rows if "failed" not in r]
    return table(["method", "step [ms]", "steps", "CPU [ms]", "error [m]", "worst gap [m]"],
                 [[f"{r['engine']} {r['solver']}",
                   "its own" if r["solver"].startswith(("rkm", "dp")) else f"{1e3 * r['dt']:g}",
                   str(r["steps"]), number(1e3 * r["cpu_s"]), number(r["error_m"], 2),
                   number(r["drift_m"], 2)] for r in rows])


def alone(rows):
    return table(["", "solver", "N", "us a step or call", "times real time"],
                 [[r["scenario"], r["solver"], str(r["N"]), number(r["us_per_step"]),
                   number(r["speed_factor"]) if r["sim_s"] else ""] for r in rows])


def piles(rows):
    """Tables of scenes and numbers of bodies, and the picture of those of 1000 boxes."""
    rows = [r for r in rows if "failed" not in r]
    out = []
    for scene, n in dict.fromkeys((r["scenario"], r["N"]) for r in rows):
        mine = [r for r in rows if (r["scenario"], r["N"]) == (scene, n)]
        out.append(f"{scene}, N = {n}, {mine[0]['sim_s']:g} s\n\n" + table(
            ["engine", "CPU a step [ms]", "in the last third", "us a body", "overlap, mean [m]",
             "greatest [m]", "speeds, rms [m/s]"],
            [[f"{r['engine']} {r['solver']}", number(r["us_per_step"] / 1e3),
              number(r["late_us"] / 1e3), number(r["us_per_step"] / n), number(r["depth_mean_m"], 2),
              number(r["depth_max_m"], 2), number(r["speed_rms"], 2)] for r in mine]))
    return "\n".join(out)


def picture(rows, path):
    """Time a step over mean overlap, both logarithmic, a line an engine."""
    lines = {}
    for r in rows:
        if "failed" not in r and r["depth_mean_m"]:
            lines.setdefault(r["engine"], []).append(
                (math.log10(r["depth_mean_m"]), math.log10(r["us_per_step"] / 1e3), r["solver"]))
    every = [p for line in lines.values() for p in line]
    x0, x1 = (f(p[0] for p in every) for f in (min, max))
    y0, y1 = (f(p[1] for p in every) for f in (min, max))
    x0, x1, y0, y1 = math.floor(x0), math.ceil(x1), math.floor(y0), math.ceil(y1)
    at = lambda x, y: (70 + 560 * (x - x0) / (x1 - x0), 320 - 280 * (y - y0) / (y1 - y0))
    text = lambda x, y, s, more="": (f'<text x="{x:.0f}" y="{y:.0f}" {more}>{s}</text>')
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="680" height="380" '
           'font-family="sans-serif" font-size="12">', '<rect width="680" height="380" fill="#fff"/>']
    for k in range(x0, x1 + 1):
        x, y = at(k, y0)
        out += [f'<path d="M{x:.0f} 320V40" stroke="#ddd"/>',
                text(x, 338, f"1e{k}", 'text-anchor="middle"')]
    for k in range(y0, y1 + 1):
        x, y = at(x0, k)
        out += [f'<path d="M70 {y:.0f}H630" stroke="#ddd"/>',
                text(62, y + 4, f"{10.0 ** k:g}", 'text-anchor="end"')]
    colors = ["#1f6fb4", "#d95f02", "#2a9d55", "#8a4fb5"]
    for i, (engine, line) in enumerate(sorted(lines.items())):
        color = colors[i % len(colors)]
        line.sort()
        points = [(*at(x, y), s) for x, y, s in line]
        out.append('<polyline fill="none" stroke="%s" points="%s"/>' % (
            color, " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)))
        for x, y, s in points:
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>',
                    text(x + 5, y - 5, s, f'fill="{color}" font-size="10"')]
        out.append(text(80 + 140 * i, 28, engine, f'fill="{color}" font-weight="bold"'))
    out += [text(350, 362, "mean overlap [m]", 'text-anchor="middle"'),
            text(18, 180, "CPU a step [ms]", 'text-anchor="middle" transform="rotate(-90 18 180)"'),
            "</svg>\n"]
    Path(path).write_text("\n".join(out))


def machine():
    match = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return match[1].strip() if match else "unknown"


def tables(rows):
    out = [f"Run of {datetime.date.today()}, processor: {machine()}. `*`: cut off, the figure "
           "holds for the part that ran; empty: not asked.\n"]
    for group in dict.fromkeys(r["group"] for r in rows):
        mine = [r for r in rows if r["group"] == group]
        special = {"hand": by_hand, "memory": memory, "precision": precision, "piles": piles,
                   "heaps": piles}
        show = special.get(group, alone if group not in TIME else
                           lambda rows, group=group: side_by_side(rows, group))
        out.append(f"### {group}\n\n{show(mine)}")
    return "\n".join(out)


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--piles":
        rows = [r for r in read(sys.argv[2]) if (r["scenario"], r["N"]) == ("pile", 1000)]
        return picture(rows, sys.argv[3])
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    text = tables(read(sys.argv[1]))
    if len(sys.argv) == 2:
        print(text)
        return
    document = Path(sys.argv[2])
    before, rest = document.read_text().split(BEGIN)
    document.write_text(before + BEGIN + "\n" + text + END + rest.split(END)[1])


if __name__ == "__main__":
    main()

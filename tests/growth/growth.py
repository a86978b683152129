#!/usr/bin/env python3
"""How cost grows with each kind of element: CPU time of `trammel run` at n/4, n/2 and n (the least of three runs where
they are short), and the exponent between the last two, after the cost of a scene with almost nothing in it. A table,
no verdict: times hang on the machine.

usage: growth.py TRAMMEL [WORDS...]   only kinds with one of the words in their names; n is kinds.py's
"""
import math
import os
import resource
import subprocess
import sys
import tempfile

import kinds

REASONS = {
    "links of a chain": "caches; from some 20 000 on single steps, 20 km away, are found by Newton on rows and momenta",
    "bodies, affine, free": "caches: 230 MB are written and copied at n",
    "systems": "caches: each system has a program of its own formulas",
    "materials": "the table of laws has a cell for each pair of materials",
    "export to VTK, frames": "a file for each frame shown: the time is the file system's",
    "links on one body": "from some 400 on steps are found by Newton on rows and momenta, whose sparse LU fills in",
    "springs on one body": "springs to the ground on one body are one dense block",
    "springs of a formula on one body": "likewise",
    "energy: springs on one body": "likewise",
    "ropes on one body": "likewise",
    "acceleration: balls that rest": "all points that stay in touch are one dense problem",
}
MOST = 1.1  # exponent that wants a reason: where there is none, what follows tells noise and caches from growth
SHORT = 2  # [s]: longer runs are made once


def cpu_of(command):
    """CPU time [s] and peak memory [MB] of a command; its exit code has to be 0 or 3 (a warning)."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        raise RuntimeError(" ".join(command) + "\n" + text)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def least_cpu_of(command):
    cpu, memory = cpu_of(command)
    for _ in range(2 if cpu < SHORT else 0):
        cpu = min(cpu, cpu_of(command)[0])
    return cpu, memory


def run(program, folder, kind, n):
    path = os.path.join(folder, "scene.toml")
    with open(path, "w") as file:
        file.write(kind(n))
    return least_cpu_of([program, "run", path, "-o", os.path.join(folder, "out"), "--force", "--quiet"])


def export(program, folder, arguments, n):
    run(program, folder, kinds.frames, n)
    arguments = arguments[:-1] + [os.path.join(folder, f"{n}_{arguments[-1]}")]
    return least_cpu_of([program, "export", os.path.join(folder, "out"), *arguments])


def row(name, measure, n):
    least, _ = measure(2)

    def time_of(size):
        cpu, memory = measure(size)
        return max(cpu - least, 1e-3), cpu, memory

    found = [time_of(size) for size in (n // 4, n // 2, n)]
    exponent = math.log2(found[2][0] / found[1][0])
    cells = " | ".join(f"{cpu:.2f}" for _, cpu, _ in found)
    reason = ""
    if exponent > MOST:
        reason = REASONS.get(name) or f"{math.log2(time_of(2 * n)[0] / found[2][0]):.2f} from n to 2n"
    print(f"| {name} | {n} | {cells} | {found[2][2]:.0f} | {exponent:.2f} | {reason} |", flush=True)


def main():
    program, words = sys.argv[1], sys.argv[2:]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print("| kind | n | CPU at n/4 [s] | n/2 | n | memory at n [MB] | exponent | why |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, (kind, n) in {**kinds.VELOCITY, **kinds.OTHER}.items():
            if not words or any(word in name for word in words):
                row(name, lambda size, kind=kind: run(program, folder, kind, size), n)
        for name, arguments in kinds.EXPORTS.items():
            if not words or any(word in name for word in words):
                row(name, lambda size, a=arguments: export(program, folder, a, size), 200000)


if __name__ == "__main__":
    main()

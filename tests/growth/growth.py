#!/usr/bin/env python3
"""How cost grows with each kind of element: CPU time of `trammel run` at n/4, n/2 and n, and the exponent between
the last two, after the cost of a scene with almost nothing in it. A table, no verdict: times hang on the machine.

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
    "links on one body": "from some 400 on steps are found by Newton on rows and momenta, whose sparse LU fills in",
    "springs on one body": "springs to the ground on one body are one dense block",
    "springs of a formula on one body": "likewise",
    "ropes on one body": "likewise",
    "acceleration: springs on one body": "likewise",
}


def cpu_of(command):
    """CPU time [s] and peak memory [MB] of a command; its exit code has to be 0 or 3 (a warning)."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    text = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        raise RuntimeError(" ".join(command) + "\n" + text)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def run(program, folder, kind, n):
    path = os.path.join(folder, "scene.toml")
    with open(path, "w") as file:
        file.write(kind(n))
    return cpu_of([program, "run", path, "-o", os.path.join(folder, "out"), "--force", "--quiet"])


def export(program, folder, arguments, n):
    run(program, folder, kinds.frames, n)
    arguments = arguments[:-1] + [os.path.join(folder, f"{n}_{arguments[-1]}")]
    return cpu_of([program, "export", os.path.join(folder, "out"), *arguments])


def row(name, measure, n):
    sizes = [n // 4, n // 2, n]
    least, _ = measure(2)
    found = [measure(size) for size in sizes]
    times = [max(cpu - least, 1e-3) for cpu, _ in found]
    exponent = math.log2(times[2] / times[1])
    cells = " | ".join(f"{cpu:.2f}" for cpu, _ in found)
    reason = REASONS.get(name, "") if exponent > 1.1 else ""
    print(f"| {name} | {n} | {cells} | {found[2][1]:.0f} | {exponent:.2f} | {reason} |", flush=True)


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

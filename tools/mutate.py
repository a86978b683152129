#!/usr/bin/python3 -B
"""Plants faults in a copy of the sources, one at a time, and lists those that no test notices.

Wants build/plain built as release, a file an object, tests included (./dev mutate sees to it). A mutant is one object, compiled from
a changed copy of its file and put before the archives when the test programs are linked: nothing in
the tree or its build changes. Only tests that run the function changed are run, quick ones first, up to
the first that fails; a test that takes many times its usual CPU time or memory has failed. With
--no-cover, which spares the counting of some ten minutes, all tests that link the file are run,
those of its own layer first.
"""
import argparse
import concurrent.futures
import difflib
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import coverage_map
import mutants

LAYERS = ("form", "constraint", "model", "law", "joint", "body", "track", "sim", "verify")
PATIENCE = 8  # CPU time that tests may take: times their usual one (and --patience seconds)
MEMORY = 12 << 30                 # bytes of address space
BATCHES = (0.4, 2, 8, 30, 1e9)    # seconds of tests that are run in one go, quick ones first
FAR, QUICK = 3, 2e-3              # tests of other layers are as good as ones so many times as slow; s
CHECKED = ["-UNDEBUG", "-D_GLIBCXX_ASSERTIONS"]  # as in the suite under sanitisers: indices are looked at
LONGEST = 90_000                  # characters of a filter


class Lines:
    """What is printed by several threads."""
    lock = threading.Lock()

    @classmethod
    def say(cls, text):
        with cls.lock:
            print(text, flush=True)


def run(command, cwd, seconds=None, env=None, wall=3600, keep=20000):
    """(exit code, output, CPU seconds with children's) of a command with limits."""
    def limit():
        import resource
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    with tempfile.TemporaryFile("w+", errors="replace") as out:
        p = subprocess.Popen(command, cwd=cwd, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                             env={**os.environ, **(env or {})}, preexec_fn=limit)
        alarm = threading.Timer(wall, lambda: os.killpg(p.pid, signal.SIGKILL))
        alarm.start()
        _, status, usage = os.wait4(p.pid, 0)
        alarm.cancel()
        try:
            os.killpg(p.pid, signal.SIGKILL)  # what it may have left behind
        except ProcessLookupError:
            pass
        p.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return p.returncode, out.read()[-keep:], usage.ru_utime + usage.ru_stime


class Build:
    """A copy of the sources and of what a built tree links, and how it compiles and links."""

    def __init__(self, root, folder, preset="plain"):
        self.root, self.folder, self.lock = root, folder, threading.Lock()
        self.built = root / "build" / preset
        self.src, self.base = folder / "src", folder / "base"
        commands = json.loads((self.built / "compile_commands.json").read_text())
        self.compile_lines = {str(Path(c["file"]).relative_to(root)): c["command"] for c in commands
                              if Path(c["file"]).is_relative_to(root)}
        self.programs = {}
        for path in sorted((self.built / "bin").glob("*_test")) + [self.built / "bin/trammel"]:
            if path.exists():
                self.programs[path.name] = self.link_line(path.name)

    def link_line(self, name):
        lines = subprocess.run(["ninja", "-C", self.built, "-t", "commands", "-s", f"bin/{name}"],
                               capture_output=True, text=True, check=True).stdout.strip().split("\n")
        words = shlex.split(lines[-1])
        return words[2:-2] if words[0] == ":" else words

    def refresh(self):
        """Copies what changed since."""
        for path in [*self.root.glob("src/**/*.h"), *self.root.glob("src/**/*.cpp")]:
            copy_newer(path, self.folder / path.relative_to(self.root))
        for path in self.src.glob("**/*.*"):
            if not (self.root / "src" / path.relative_to(self.src)).exists():
                path.unlink()
        inputs = {w for line in self.programs.values() for w in line
                  if w.endswith((".o", ".a", ".so")) and not w.startswith("/")}
        for name in sorted(inputs):
            copy_newer(self.built / name, self.base / name)
        (self.base / "bin").mkdir(parents=True, exist_ok=True)
        for name in self.programs:
            copy_newer(self.built / "bin" / name, self.base / "bin" / name)

    def state(self):
        """A digest of all that tests are made of."""
        h = hashlib.sha256()
        for path in sorted([*self.src.glob("**/*.*"), *self.root.glob("tests/*.*"),
                            *(p for p in self.root.glob("scenes/**/*") if p.is_file())]):
            h.update(path.name.encode() + path.read_bytes())
        return h.hexdigest()[:16]

    def dependents(self, path):
        """The library sources that a change of the file changes."""
        if path.endswith(".cpp"):
            return [path]
        want, out = f'"{path.removeprefix("src/")}"', []
        reach, todo = {want}, [want]
        includes = {f: set(re.findall(r'^#include ("[^"]+")', (self.folder / f).read_text(), re.M))
                    for f in (str(p.relative_to(self.folder)) for p in self.src.glob("**/*.*"))
                    if f.endswith((".h", ".cpp"))}
        while todo:
            one = todo.pop()
            for f, which in includes.items():
                name = f'"{f.removeprefix("src/")}"'
                if one in which and name not in reach:
                    reach.add(name)
                    todo.append(name)
        for name in sorted(reach):
            f = "src/" + name.strip('"')
            if f.endswith(".cpp") and not f.endswith(("_test.cpp", "_fuzz.cpp")) and f in self.compile_lines:
                out.append(f)
        return out

    def compile(self, source, path, out, overlay=None, extra=()):
        """Compiles `source` in the place of the tree's `path`."""
        words = shlex.split(self.compile_lines[path])
        words = [w for w in words if w not in ("-Werror", "-g1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow")]
        words = ["-O1" if w == "-O3" else w for w in words]  # half the time, and what is wrong stays wrong
        words = [w.replace(str(self.root / "src"), str(self.src)) if w.startswith("-I") else w for w in words]
        words[1:1] = CHECKED
        if "-include" in words:
            at = words.index("-include")
            words[at + 1] = self.precompiled(Path(words[at + 1]), words[:at] + words[at + 2:words.index("-o")])
        words[words.index("-o") + 1] = str(out)
        words[words.index("-c") + 1] = str(source)
        if overlay:
            words.insert(1, f"-I{overlay}")
        return run(words + ["-w", *extra], self.built, wall=1200)

    def precompiled(self, header, words):
        """The tree's precompiled header once more, as CHECKED has it."""
        words = [w for w in words if w != "-Winvalid-pch"]
        copy = self.folder / "pch" / header.parent.name / header.name
        with self.lock:
            if not copy.exists() or copy.read_bytes() != header.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(header, copy)
                run([*words, "-w", "-x", "c++-header", "-o", f"{copy}.gch", "-c", str(copy)], self.built)
        return str(copy)

    def link(self, name, objects, out, extra=()):
        words = list(self.programs[name])
        words[words.index("-o") + 1] = str(out)
        at = next(i for i, w in enumerate(words) if w.endswith(".o"))
        fast = ["-fuse-ld=lld", "-Wl,--strip-debug"] if shutil.which("ld.lld") else []
        words[at:at] = [*map(str, objects), *fast, *extra]
        return run(words, self.base, wall=600)

    def links(self, name, layer):
        """Whether the program has the layer in it."""
        return any(w.endswith(f"libtrammel_{layer}.a") for w in self.programs[name]) or not any(
            "libtrammel_" in w for w in self.programs[name])

    def list_tests(self, name, slow):
        """The names that the suite runs; slow and full ones go by the name of their suite."""
        leave_out = "Full*:*/Full*" if slow else "Slow*:*/Slow*:Full*:*/Full*"
        text = subprocess.run([self.base / "bin" / name, "--gtest_list_tests", f"--gtest_filter=-{leave_out}"],
                              capture_output=True, text=True, errors="replace", check=True).stdout
        out, suite = [], ""
        for line in text.split("\n"):
            line = line.split("#")[0].rstrip()
            if line and not line.startswith(" "):
                suite = line if line.endswith(".") else ""
            elif line and suite and "DISABLED_" not in line:
                out.append(suite + line.strip())
        return out


def copy_newer(a, b):
    if b.exists() and b.stat().st_mtime_ns == a.stat().st_mtime_ns and b.stat().st_size == a.stat().st_size:
        return
    b.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(a, b)


class Hunt:
    """Tries mutants; remembers what became of each, and which tests are good at it."""

    def __init__(self, build, cover, tests, folder, state, patience):
        self.patience = patience
        self.build, self.cover, self.tests, self.folder = build, cover, tests, folder
        self.file = folder / "results.jsonl"
        self.lock, self.done, self.kills = threading.Lock(), {}, Counter()
        for line in self.file.read_text().split("\n") if self.file.exists() else []:
            if line:
                r = json.loads(line)
                if r["test"]:
                    self.kills[r["test"], r["path"].split("/")[1]] += 1
                if r["state"] == state:
                    self.done[r["key"]] = r
        self.state = state

    def remember(self, result):
        with self.lock:
            self.done[result["key"]] = result
            if result["test"]:
                self.kills[result["test"], result["path"].split("/")[1]] += 1
            with self.file.open("a") as f:
                f.write(json.dumps(result) + "\n")

    def batches(self, path, line):
        """[(program, tests)] that may notice a change in that line, the quick and the keen first."""
        layer = path.split("/")[1]
        covering = self.cover.tests_of(path, line, self.build.src)
        known = self.cover.seconds
        far = {p: 1 if p == f"{layer}_test" else FAR for p in self.build.programs
               if self.build.links(p, layer)}
        with self.lock:
            rank = {t: far[self.tests[t]] * (QUICK + known.get(t, 0.5)) / (1 + 4 * self.kills[t, layer])
                    for t in self.tests if self.tests[t] in far and
                    (covering is None or t in covering or t not in known)}
        out, batch, total, level = [], {}, 0.0, 0
        for test in sorted(rank, key=lambda t: (rank[t], t)):
            batch.setdefault(self.tests[test], []).append(test)
            total += known.get(test, 0.5)
            if total > BATCHES[level]:
                out += batch.items()
                batch, total, level = {}, 0.0, min(level + 1, len(BATCHES) - 1)
        return out + list(batch.items()), len(rank)

    def objects(self, m, text, place):
        """(problem or None, objects, CPU seconds)."""
        changed = place / "overlay" / m.path.removeprefix("src/")
        changed.parent.mkdir(parents=True, exist_ok=True)
        changed.write_text(m.apply(text))
        objects, cpu = [], 0.0
        for i, path in enumerate(self.build.dependents(m.path)):
            source = changed if path == m.path else self.build.folder / path
            out = place / f"{i}.o"
            code, said, t = self.build.compile(source, path, out, place / "overlay")
            cpu += t
            if code != 0:
                return said, [], cpu
            objects.append(out)
        return None, objects, cpu

    def try_one(self, m, text):
        """What becomes of one: killed, survived, or not one at all (does not compile, is the same)."""
        place = Path(tempfile.mkdtemp(prefix="mutant-", dir=self.folder))
        try:
            return self.judged(m, text, place)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def judged(self, m, text, place):
        r = {"key": m.key(text), "path": m.path, "line": m.line, "kind": m.kind, "state": self.state,
             "test": "", "how": "", "diff": diff(m, text)}
        problem, objects, cpu = self.objects(m, text, place)
        r["compile"] = round(cpu, 2)
        if problem is not None:
            return {**r, "verdict": "no program", "cpu": round(cpu, 2)}
        batches, r["covering"] = self.batches(m.path, m.line)
        linked, ran = {}, 0.0
        for program, some in batches:
            for needed in ([program, "trammel"] if program == "acceptance_test" else [program]):
                if needed not in linked and needed in self.build.programs:
                    code, said, t = self.build.link(needed, objects, place / needed)
                    cpu += t
                    if code != 0:
                        return {**r, "verdict": "no program", "cpu": round(cpu, 2), "how": said[-500:]}
                    linked[needed] = place / needed
            test, how, t = self.run_tests(linked, program, some, place)
            ran += t
            if how:
                return {**r, "verdict": "killed", "test": test, "how": how, "tests": round(ran, 2),
                        "cpu": round(cpu + ran, 2)}
        verdict = "survived"
        if self.same_code(m, objects, place):
            verdict = "same code"
        return {**r, "verdict": verdict, "tests": round(ran, 2), "cpu": round(cpu + ran, 2)}

    def run_tests(self, linked, program, tests, place):
        """(the test that failed, how, CPU seconds)."""
        usual = sum(self.cover.seconds.get(t, 0.5) for t in tests)
        env = {"TMPDIR": str(place), "TEST_TMPDIR": str(place), "TRAMMEL_PROGRAM": str(place / "trammel"),
               "GTEST_FAIL_FAST": "1"}
        total = 0.0
        for some in chunks(tests):
            limit = PATIENCE * usual + self.patience
            code, said, cpu = run([linked[program], "--gtest_filter=" + ":".join(some)], place, limit, env,
                                  wall=30 * limit)
            total += cpu
            if code != 0:
                ran = re.findall(r"^\[ RUN      \] (\S+)", said, re.M)
                failed = re.findall(r"^\[  FAILED  \] ([^\s,]+)", said, re.M)
                test = failed[0] if failed else ran[-1] if ran else "?"
                how = "fails" if failed and code == 1 else "does not end" if code in (
                    -signal.SIGXCPU, -signal.SIGKILL) else f"crashes ({code})"
                return test, how, total
        return "", "", total

    def same_code(self, m, objects, place):
        """Whether the compiler made the same of both."""
        for i, path in enumerate(self.build.dependents(m.path)):
            source = place / "original" / path.removeprefix("src/")
            source.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.build.folder / path, source)
            self.build.compile(source, path, place / "same.o", place / "original")
            if stripped(place / "same.o") != stripped(objects[i]):
                return False
        return True


def stripped(path):
    subprocess.run(["objcopy", "--strip-debug", "--remove-section=.comment", path], check=False)
    text = subprocess.run(["objdump", "-dr", "-s", "--no-show-raw-insn", path], capture_output=True, text=True).stdout
    return [line for line in text.split("\n") if "file format" not in line]


def chunks(tests):
    out, some, size = [], [], 0
    for t in tests:
        if some and size + len(t) > LONGEST:
            out.append(some)
            some, size = [], 0
        some.append(t)
        size += len(t) + 1
    return out + [some]


def diff(m, text):
    a, b = text.split("\n"), m.apply(text).split("\n")
    return "\n".join(difflib.unified_diff(a, b, f"a/{m.path}", f"b/{m.path}", n=2, lineterm=""))


def read_equivalent(root):
    """{what a mutant is: why it cannot change a result}, from the reviewed list."""
    out, path = {}, root / "tools/mutate_equivalent.txt"
    what = None
    for line in path.read_text().split("\n") if path.exists() else []:
        if line.startswith("  ") and what:
            out[what] = line.strip()
        elif line and not line.startswith("#"):
            what = line.strip()
    return out


def sources(root, names):
    """{layer: files} to plant in: those named, or all sources of the layers that are not tests."""
    paths = []
    for name in names or [layer for layer in LAYERS if (root / "src" / layer).exists()]:
        path = next((p for p in (root / name, root / "src" / name) if p.exists()), None)
        if path is None:
            sys.exit(f"mutate: no file or folder {name}")
        paths += sorted(path.glob("**/*.cpp")) if path.is_dir() else [path]
    out = {}
    for p in paths:
        if not p.name.endswith(("_test.cpp", "_fuzz.cpp")):
            r = str(p.resolve().relative_to(root))
            out.setdefault(r.split("/")[1], []).append(r)
    return out


def hand_made(build, patch):
    """Mutants of a file of unified diffs, one for each hunk: faults known from elsewhere."""
    out = []
    for part in re.split(r"^(?=--- )", Path(patch).read_text(), flags=re.M):
        name = re.search(r"^\+\+\+ (?:b/)?(\S+)", part, re.M)
        if not name:
            continue
        text = (build.folder / name[1]).read_text()
        for hunk in re.split(r"^@@.*\n", part, flags=re.M)[1:]:
            lines = [x for x in hunk.split("\n") if x[:1] in (" ", "+", "-")]
            old = "\n".join(x[1:] for x in lines if x[0] != "+")
            new = "\n".join(x[1:] for x in lines if x[0] != "-")
            at = text.find(old)
            if at < 0:
                sys.exit(f"mutate: a hunk of {name[1]} is not in the file any more:\n{hunk}")
            first = text.count("\n", 0, at) + 1 + next(i for i, x in enumerate(lines) if x[0] != " ")
            out.append((mutants.Mutant(name[1], "by hand", at, at + len(old), new, first), text))
    return out


def chosen(build, args, hunt):
    """The mutants to try, in order, without end of the list known."""
    if args.plant:
        yield from hand_made(build, args.plant)
        return
    by_layer, texts = {}, {}
    for layer, files in sources(build.root, args.files).items():
        for f in files:
            texts[f] = (build.folder / f).read_text()
            by_layer.setdefault(layer, []).extend(mutants.mutants(f, texts[f]))
    if args.again:
        keys = {r["key"] for r in last_survivors(hunt.file)}
        every = [m for layer in by_layer.values() for m in layer]
        yield from ((m, texts[m.path]) for m in every if m.key(texts[m.path]) in keys)
        return
    for m in mutants.draw(by_layer, args.seed):
        yield m, texts[m.path]


def last_survivors(file):
    last = {}
    for line in file.read_text().split("\n") if file.exists() else []:
        if line:
            r = json.loads(line)
            last[r["key"]] = r
    return [r for r in last.values() if r["verdict"] == "survived"]


def hunt_all(hunt, which, args, equivalent):
    """Results of the first N that are faults, in their order."""
    results, lock, which = [], threading.Lock(), iter(which)
    wanted = 10**9 if args.plant or args.again else args.number

    def counted():
        return sum(r is not None and r["verdict"] in ("killed", "survived") for r in results)

    def worker():
        while True:
            with lock:
                running = sum(r is None for r in results)
                if counted() + running >= wanted:
                    if not running or counted() >= wanted:
                        return
                    item = None
                else:
                    item = next(which, "end")
                    if item == "end":
                        return
                    slot = len(results)
                    results.append(None)
            if item is None:
                time.sleep(0.2)
                continue
            m, text = item
            key = m.key(text)
            old = hunt.done.get(key)
            if key in equivalent:
                r = {"key": key, "path": m.path, "line": m.line, "kind": m.kind, "verdict": "equivalent", "cpu": 0,
                     "test": "", "how": equivalent[key], "diff": diff(m, text), "state": hunt.state}
            elif old and not args.again:
                r = old
            else:
                r = hunt.try_one(m, text)
                hunt.remember(r)
            with lock:
                results[slot] = r
                n = counted()
            of = "" if wanted == 10**9 else f"/{wanted}"
            Lines.say(f"[{n}{of}] {r['verdict']}: {m.path}:{m.line} {m.kind}"
                      + (f", {r['test']} {r['how']}" if r["test"] else "") + f" ({r['cpu']:.0f} s)")

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for f in [pool.submit(worker) for _ in range(args.jobs)]:
            f.result()
    return [r for r in results if r]


def report(results, args):
    faults = [r for r in results if r["verdict"] in ("killed", "survived")]
    lost = [r for r in faults if r["verdict"] == "survived"]
    killed = len(faults) - len(lost)
    out = [f"# {len(faults)} faults planted (seed {args.seed}): {killed} killed, {len(lost)} survive"
           + (f" ({100 * killed / len(faults):.0f} % killed)" if faults else ""), ""]
    for what, of in (("layer", lambda r: r["path"].split("/")[1]), ("kind", lambda r: r["kind"])):
        every, dead = Counter(map(of, faults)), Counter(of(r) for r in faults if r["verdict"] == "killed")
        out.append(f"by {what}: " + ", ".join(f"{k} {dead[k]}/{n}" for k, n in sorted(every.items())))
    others = Counter(r["verdict"] for r in results if r not in faults)
    out.append("not counted: " + (", ".join(f"{n} {v}" for v, n in others.items()) or "none"))
    spent = sum(r["cpu"] for r in results)
    out += [f"CPU time: {spent:.0f} s, {spent / max(1, len(faults)):.1f} s a fault", ""]
    for r in lost:
        out += [f"## {r['path']}:{r['line']} ({r['kind']}; {r['covering']} tests ran it and passed)", "",
                "```diff", r["diff"], "```", f"    {r['key']}", ""]
    return "\n".join(out)


def arguments():
    p = argparse.ArgumentParser(prog="./dev mutate", description=__doc__.split("\n")[0])
    p.add_argument("number", nargs="?", default="20", help="how many faults (20)")
    p.add_argument("files", nargs="*", help=f"files or folders to plant in; by default src/{{{','.join(LAYERS)}}}")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--slow", action="store_true", help="let the slow tests look as well")
    p.add_argument("--again", action="store_true", help="only those that survived last time")
    p.add_argument("--plant", metavar="FILE", help="the faults of a file of unified diffs instead, one a hunk")
    p.add_argument("--check-arguments", action="store_true", help=argparse.SUPPRESS)  # before the build
    p.add_argument("--list", action="store_true", help="print what would be planted, build nothing")
    p.add_argument("--no-cover", action="store_true", help="do not find that out: cheaper below some fifty faults")
    p.add_argument("--cover", action="store_true", help="find out anew which tests run which functions")
    p.add_argument("--patience", type=float, default=8, help="seconds of CPU more than usual to wait for a test (8)")
    p.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help=argparse.SUPPRESS)
    p.add_argument("--jobs", "-j", type=int, default=os.cpu_count())
    args = p.parse_args()
    if not args.number.isdigit():
        args.files.insert(0, args.number)
        args.number = "20"
    args.number = int(args.number)
    return args


def main():
    args = arguments()
    root = args.root
    if args.check_arguments:
        if args.plant and not Path(args.plant).is_file():
            sys.exit(f"mutate: there is no file {args.plant}")
        sources(root, args.files)
        return 0
    if args.list:
        by_layer = {layer: [m for f in files for m in mutants.mutants(f, (root / f).read_text())]
                    for layer, files in sources(root, args.files).items()}
        for m, _ in zip(mutants.draw(by_layer, args.seed), range(args.number)):
            print(f"{m.path}:{m.line} {m.kind}\n{diff(m, (root / m.path).read_text())}\n")
        return 0
    folder = root / "build/mutate"
    folder.mkdir(parents=True, exist_ok=True)
    build = Build(root, folder)
    build.refresh()
    tests = {t: p for p in build.programs if p != "trammel" for t in build.list_tests(p, args.slow)}
    cover = coverage_map.Map(build, folder / "coverage", run, Lines.say)
    if args.no_cover:
        bad = cover.time(tests)
    else:
        bad = cover.fill(tests, sum(sources(root, None).values(), []), args.jobs, args.cover)
    for t in bad:
        Lines.say(f"fails without a fault, left out: {t}")
        tests.pop(t, None)
    hunt = Hunt(build, cover, tests, folder, build.state(), args.patience)
    results = hunt_all(hunt, chosen(build, args, hunt), args, read_equivalent(root))
    text = report(results, args)
    (folder / "report.md").write_text(text)
    print(text)
    print(f"-- {folder.relative_to(root)}/report.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())

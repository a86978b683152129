"""Which tests run which functions: found out once with g++'s profile counters, kept in a file.

The sources in question are compiled once more with counters and put before the archives of every test
program; each test is run alone. A function counts as run where any of its counters moved.
"""
import concurrent.futures
import difflib
import json
import re
import shutil
import struct
import tempfile
from pathlib import Path

LEFT_OUT = "Slow*:*/Slow*:Full*:*/Full*"
FUNCTION, COUNTERS = 0x01000000, 0x01A10000


def words(data, at, n):
    return struct.unpack_from(f"<{n}I", data, at)


def text(data, at):
    """(string, past it); lengths are bytes as of g++ 12."""
    (n,) = words(data, at, 1)
    return data[at + 4:at + 4 + n].rstrip(b"\0").decode(errors="replace"), at + 4 + n


def read_notes(path):
    """{ident: (source, first line, last line, name)} of a .gcno file."""
    data, out = path.read_bytes(), {}
    _, at = text(data, 16)
    at += 4
    while at + 8 <= len(data):
        tag, length = words(data, at, 2)
        at += 8
        if tag == FUNCTION:
            ident = words(data, at, 1)[0]
            name, k = text(data, at + 12)
            source, k = text(data, k + 4)
            first, _, last, _ = words(data, k, 4)
            out[ident] = (source, first, last, name)
        at += length
    return out


def read_counts(path):
    """Idents of the functions that ran, of a .gcda file."""
    data, ran, at, ident = path.read_bytes(), set(), 16, None
    while at + 8 <= len(data):
        tag, length = struct.unpack_from("<Ii", data, at)
        at += 8
        if tag == 0:
            break
        if tag == FUNCTION and length:
            ident = words(data, at, 1)[0]
        elif tag == COUNTERS:
            if length > 0 and any(data[at:at + length]):
                ran.add(ident)
            length = max(length, 0)  # negative: all of them zero, and left out
        at += length
    return ran


class Map:
    def __init__(self, build, folder, run, say):
        self.build, self.folder, self.run, self.say = build, folder, run, say
        self.file = folder / "map.json"
        self.seconds, self.ran, self.functions, self.moved = {}, {}, [], {}

    def fill(self, tests, sources, jobs, anew):
        """Reads the map, makes it where there is none; returns the tests that fail without a fault."""
        if anew or not self.file.exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            (self.folder / "obj").mkdir(parents=True)
            self.make(tests, sources, jobs)
        data = json.loads(self.file.read_text())
        self.seconds = {t: x["seconds"] for t, x in data["tests"].items()}
        self.ran = {t: set(x["ran"]) for t, x in data["tests"].items()}
        self.functions = data["functions"]
        self.by_path = {}
        for i, (path, first, last, _) in enumerate(self.functions):
            self.by_path.setdefault(path, []).append((first, last, i))
        return [t for t, x in data["tests"].items() if x["failed"] and t in tests]

    def time(self, tests):
        """How long the tests take, from one run of each program, kept; returns those that fail."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "seconds.json"
        if not file.exists():
            self.say(f"-- {len(tests)} tests, once")
            out = {}
            for program in sorted(set(tests.values())):
                env = {"TRAMMEL_PROGRAM": str(self.build.built / "bin/trammel")}
                _, said, _ = self.run([self.build.built / "bin" / program, "--gtest_filter=-" + LEFT_OUT],
                                      self.folder, None, env, keep=1 << 26)
                for ok, test, ms in re.findall(r"^\[ +(OK|FAILED) +\] ([^\s,]+).* \((\d+) ms\)$", said, re.M):
                    out[test] = {"seconds": int(ms) / 1000, "failed": ok == "FAILED"}
            file.write_text(json.dumps(out))
        data = json.loads(file.read_text())
        self.seconds = {t: x["seconds"] for t, x in data.items()}
        self.by_path = {}
        return [t for t, x in data.items() if x["failed"] and t in tests]

    def make(self, tests, sources, jobs):
        pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.say(f"-- counters: {len(sources)} files, once")
        objects = {s: self.folder / "obj" / (s.replace("/", "__") + ".o") for s in sources}

        def compile_one(s):
            code, said, _ = self.build.compile(self.build.folder / s, s, objects[s], None, ["-O1", "--coverage"])
            if code != 0:
                raise RuntimeError(said)
        list(pool.map(compile_one, sources))
        programs = sorted({*tests.values(), *({"trammel"} & set(self.build.programs))})
        for p in programs:
            counted = [o for s, o in objects.items() if self.build.links(p, s.split("/")[1])]
            code, said, _ = self.build.link(p, counted, self.folder / p, ["--coverage"])
            if code != 0:
                raise RuntimeError(said)
        notes, functions = {}, {}
        for s, o in objects.items():
            for ident, f in read_notes(o.with_suffix(".gcno")).items():
                path = self.inside(f[0])
                notes[o.stem, ident] = functions.setdefault((path, *f[1:]), len(functions)) if path else -1
        out, done = {}, [0]
        self.say(f"-- {len(tests)} tests, each alone, once")

        def one(test):
            out[test] = self.look(test, tests[test], notes)
            done[0] += 1
            if done[0] % 100 == 0:
                self.say(f"   {done[0]} of {len(tests)}")
        list(pool.map(one, sorted(tests)))
        shutil.copytree(self.build.src, self.folder / "src")
        self.file.write_text(json.dumps({"functions": list(functions), "tests": out}))

    def inside(self, source):
        path = Path(source)
        return str(path.relative_to(self.build.folder)) if path.is_relative_to(self.build.folder) else None

    def look(self, test, program, notes):
        with tempfile.TemporaryDirectory(dir=self.folder) as place:
            env = {"GCOV_PREFIX": place + "/counts", "TMPDIR": place, "TRAMMEL_PROGRAM": str(self.folder / "trammel")}
            code, _, cpu = self.run([self.folder / program, f"--gtest_filter={test}"], place, None, env)
            ran = set()
            for path in Path(place, "counts").glob("**/*.gcda"):
                try:
                    ran |= {notes.get((path.stem, ident), -1) for ident in read_counts(path)}
                except struct.error:  # cut short, by a test of full disks: any may have run
                    ran |= {n for (stem, _), n in notes.items() if stem == path.stem}
        return {"seconds": round(cpu, 3), "failed": code != 0, "ran": sorted(ran - {-1})}

    def old_lines(self, path, src):
        """{line of today: line when the map was made}; None where the file is new."""
        if path not in self.moved:
            then, now = self.folder / path, src.parent / path
            if not then.exists():
                self.moved[path] = None
            else:
                match = difflib.SequenceMatcher(None, then.read_text().split("\n"), now.read_text().split("\n"), False)
                self.moved[path] = {b + k + 1: a + k + 1 for a, b, n in match.get_matching_blocks() for k in range(n)}
        return self.moved[path]

    def tests_of(self, path, line, src):
        """The tests that run the function around a line; None: not known, all may."""
        known = self.by_path.get(path)
        if not known:
            return None
        lines = self.old_lines(path, src)
        if lines is None:
            return None
        old, around = lines.get(line), []
        if old is not None:
            around = [(first, i) for first, last, i in known if first <= old <= last]
        if not around:
            which = {i for _, _, i in known}
        else:
            innermost = max(first for first, _ in around)
            which = {i for first, i in around if first == innermost}
        return {t for t, ran in self.ran.items() if ran & which}

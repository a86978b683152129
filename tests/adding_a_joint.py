#!/usr/bin/python3
"""Applies each change of docs/adding-a-joint.md to a copy and runs the joints' tests with it.

usage: adding_a_joint.py SOURCE BUILD

Only the file that the change touches is compiled, with the flags of BUILD; the rest is linked from
there, as an incremental build would do.
"""
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Of each change: its name on the page, the file that it is to touch, what it brings to the tests.
CHANGES = (("adding_a_joint", "src/joint/table.cpp", {"pin_slot"}),
           ("adding_a_function", "src/joint/function.cpp", {"acos", "acos_along_a_track"}))


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))}\nfailed:\n{done.stdout}{done.stderr}")
    return done.stdout


def change_of(page, name):
    text = re.search(name + r" applies this -->\n```diff\n(.*?)```\n<!-- end -->", page, re.S)
    if not text:
        sys.exit(f"the page holds no change between the markers of {name}")
    return text[1]


def apply(change, table, source, copy):
    """The copy of src/joint with the change; it must touch the table alone."""
    touched = set(re.findall(r"^(?:---|\+\+\+) [ab]/(\S+)", change, re.M))
    if touched != {table}:
        sys.exit(f"the change touches {sorted(touched)}, not the table alone")
    shutil.copytree(source / "src/joint", copy / "src/joint")
    before = {path.name: path.read_bytes() for path in (copy / "src/joint").iterdir()}
    run(["git", "apply", "-p1", "-"], cwd=copy, input=change)
    changed = [path.name for path in (copy / "src/joint").iterdir()
               if path.read_bytes() != before.get(path.name)]
    if changed != [Path(table).name]:
        sys.exit(f"the change did not change the table alone but {changed}")


def compile_command(table, source, build, copy, out):
    entries = json.loads((build / "compile_commands.json").read_text())
    original = str(source / table)
    command = shlex.split(next(e["command"] for e in entries if e["file"] == original))
    command[command.index("-o") + 1] = str(out)
    return [str(copy / table) if word == original else word for word in command]


def link_command(build, table, out):
    """That of joint_test, the new table before the libraries, of which only what is needed is taken: not the old one."""
    lines = run(["ninja", "-C", build, "-t", "commands", "joint_test"]).splitlines()
    line = next(line for line in reversed(lines) if re.search(r"-o bin/joint_test\b", line))
    words = shlex.split(line.removeprefix(": && ").split(" && ")[0])
    words[words.index("-o") + 1] = str(out)
    whole, end = words.index("-Wl,--whole-archive"), words.index("-Wl,--no-whole-archive")
    del words[whole:end + 1]
    first = next(i for i, word in enumerate(words) if word.endswith(".o"))
    return words[:first] + [str(table)] + words[first:]


def names(program):
    return set(re.findall(r"^  \S+/(\S+)", run([program, "--gtest_list_tests"]), re.M))


def try_change(name, table, wanted, source, build):
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        apply(change_of((source / "docs/adding-a-joint.md").read_text(), name), table, source, copy)
        run(compile_command(table, source, build, copy, copy / "table.o"), cwd=build)
        run(link_command(build, copy / "table.o", copy / "joint_test"), cwd=build)
        added = names(copy / "joint_test") - names(build / "bin/joint_test")
        if added != wanted:
            sys.exit(f"what came to the tests: {sorted(added)}, not {sorted(wanted)}")
        run([copy / "joint_test", "--gtest_brief=1"], cwd=copy)
        filters = ":".join(f"*/{one}" for one in sorted(wanted))
        ran = run([copy / "joint_test", f"--gtest_filter={filters}"], cwd=copy)
        print(re.search(r"\[  PASSED  \] .*", ran)[0], "of", *sorted(wanted))


def main():
    source, build = Path(sys.argv[1]), Path(sys.argv[2])
    run(["ninja", "-C", build, "joint_test"])
    for name, table, wanted in CHANGES:
        try_change(name, table, wanted, source, build)


main()

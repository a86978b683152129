#!/usr/bin/python3 -B
"""./dev mutate: finds the places of every kind, keeps out of the others, kills and spares rightly."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).parent
sys.path.insert(0, str(TOOLS))
import mutants  # noqa: E402

# Functions and what a test asks of each: one fault of each kind in it has to be noticed.
SAMPLE = {
    "sign": ("double sign(double a, double b) { return a - b; }", "sign(5, 3) == 2", "a + b"),
    "factor": ("double factor(double a) { return 0.5 * a; }", "factor(4) == 2", "return a;"),
    "term": ("double term(double a, double b) { return a + b * b; }", "term(1, 2) == 5", "return a ;"),
    "argument": ("double argument(double a, double b) { return sign(a, b); }", "argument(3, 1) == 2", "sign(b, a)"),
    "index": ("double index(const double* x) { return x[1]; }", "index(kTwo) == 7", "x[0]"),
    "bound": ("int bound(int n) {\n  int k = 0;\n  for (int i = 0; i < n; ++i) k += i;\n  return k;\n}",
              "bound(3) == 3", "i <= n"),
    "condition": ("int condition(int a) {\n  if (a > 2) return 1;\n  return 0;\n}", "condition(5) == 1",
                  "if (!(a > 2))"),
    "statement": ("int statement(int a) {\n  a += 2;\n  return a;\n}", "statement(1) == 3", ";"),
}
UNTESTED = "double untested(double a) { return a + 1; }"

# A program that lists and runs tests as GoogleTest's do.
MAIN = """
#include <cstdio>
#include <cstring>
#include <string>
%s
const double kTwo[] = {3, 7};
struct Test { const char* name; bool (*passes)(); };
const Test kTests[] = {%s};
int main(int argc, char** argv) {
  bool failed = false;
  std::setbuf(stdout, nullptr);
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--gtest_list_tests")) {
      std::puts("Sample.");
      for (const Test& t : kTests) std::printf("  %%s\\n", t.name);
      return 0;
    }
    const std::string filter = std::string(argv[i]).substr(15) + ":";
    for (const Test& t : kTests) {
      if (filter.find(std::string("Sample.") + t.name + ":") == std::string::npos) continue;
      std::printf("[ RUN      ] Sample.%%s\\n", t.name);
      if (t.passes()) continue;
      failed = true;
      std::printf("[  FAILED  ] Sample.%%s\\n", t.name);
    }
  }
  return failed;
}
"""
NINJA = """
rule cxx
  command = g++ -g0 -I%(root)s/src -o $out -c $in
rule link
  command = : && g++ $in -o $out && :
rule ar
  command = ar qc $out $in
build sample.o: cxx %(root)s/src/form/sample.cpp
build main.o: cxx %(root)s/tests/sample_test.cpp
build libform.a: ar sample.o
build bin/sample_test: link main.o libform.a
"""


class Sites(unittest.TestCase):
    def of(self, text):
        return mutants.mutants("src/form/a.cpp", text)

    def kinds(self, body):
        return {m.kind for m in self.of("void f(int a, int b) {\n" + body + "\n}\n")}

    def test_every_kind_is_found(self):
        for kind, (text, _, changed) in SAMPLE.items():
            with self.subTest(kind=kind):
                self.assertTrue([m for m in self.of(text) if m.kind == kind and changed in m.apply(text)])

    def test_nothing_that_says_nothing_of_results(self):
        for body in ("// a = a + b;", "/* if (a < b) a = b; */", "#define X a + b", "assert(a + 1 < b);",
                     "static_assert(2 + 2 == 4);", 'throw std::runtime_error("a" + b);', "out.reserve(2 * a);",
                     'report.push_back(fmt::format("{} < {}", a, b));', "int c;", "const double* x;",
                     "std::vector<int> x;", "auto&& x;", "return x < 1e-3;"):
            with self.subTest(body=body):
                self.assertEqual(self.kinds(body), set())

    def test_only_in_functions(self):
        self.assertEqual(self.of("constexpr int k = 3 + 4;\nenum E { a = 1 };\nint f(int a = 2 * 3);\n"), [])
        self.assertTrue(self.of("namespace n {\nA::A(int a) : a_(a) {\n  b_ = a + 1;\n}\n}\n"))

    def test_what_it_makes(self):
        text = "double f(const V& p) {\n  if (p.n < 2 && p.m == 3) return 0;\n  out.x += 2 * h(p.a, p.b) - p.x();\n}\n"
        made = {" ".join(m.apply(text).split()) for m in self.of(text)}
        head = "double f(const V& p) {"
        for body in ("if (p.n <= 2 && p.m == 3) return 0; out.x += 2 * h(p.a, p.b) - p.x(); }",
                     "if (p.n < 2 || p.m == 3) return 0; out.x += 2 * h(p.a, p.b) - p.x(); }",
                     "if (!(p.n < 2 && p.m == 3)) return 0; out.x += 2 * h(p.a, p.b) - p.x(); }",
                     "if (p.n < 2 && p.m != 3) return 0; out.x += 2 * h(p.a, p.b) - p.x(); }",
                     "if (p.n < 2 && p.m == 3) return 0; out.x -= 2 * h(p.a, p.b) - p.x(); }",
                     "if (p.n < 2 && p.m == 3) return 0; out.x += h(p.a, p.b) - p.x(); }",
                     "if (p.n < 2 && p.m == 3) return 0; out.x += 2 * h(p.b, p.a) - p.x(); }",
                     "if (p.n < 2 && p.m == 3) return 0; out.x += 2 * h(p.a, p.b) ; }",
                     "if (p.n < 2 && p.m == 3) return 0; out.x += 2 * h(p.a, p.b) - p.y(); }",
                     "if (p.n < 2 && p.m == 3) return 0; ; }"):
            self.assertIn(f"{head} {body}", made)

    def test_the_same_order_for_the_same_seed(self):
        text = "\n".join(s[0] for s in SAMPLE.values())
        one, same, other = (list(mutants.draw({"form": self.of(text)}, seed)) for seed in (1, 1, 2))
        self.assertEqual(one, same)
        self.assertNotEqual(one, other)
        self.assertEqual(set(one), set(other))


class Hunt(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = root = Path(self.folder.name)
        heads = "\n".join(text.split(" {")[0] + ";" for text, _, _ in SAMPLE.values())
        cases = ", ".join(f'{{"{k}", [] {{ return {ask}; }}}}' for k, (_, ask, _) in SAMPLE.items())
        files = {"src/form/sample.cpp": "\n".join([heads, *(x[0] for x in SAMPLE.values()), UNTESTED]) + "\n",
                 "scenes/drive/crane.toml": "format = 1\n",  # scenes stand in folders as well
                 "tests/sample_test.cpp": MAIN % (heads, cases),
                 "build/plain/build.ninja": NINJA % {"root": root}}
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        built = root / "build/plain"
        source = root / "src/form/sample.cpp"
        (built / "compile_commands.json").write_text(json.dumps([{
            "file": str(source), "command": f"g++ -g0 -I{root}/src -o sample.o -c {source}"}]))
        subprocess.run(["ninja", "-C", built], check=True, capture_output=True)

    def tearDown(self):
        self.folder.cleanup()

    def mutate(self, *args):
        done = subprocess.run([sys.executable, "-B", TOOLS / "mutate.py", "--root", self.root, *args],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def patch(self, changes):
        text = (self.root / "src/form/sample.cpp").read_text()
        out = "--- a/src/form/sample.cpp\n+++ b/src/form/sample.cpp\n"
        for old, new in changes:
            self.assertEqual(text.count(old), 1, old)
            out += f"@@ @@\n-{old}\n+{new}\n"
        (self.root / "faults.diff").write_text(out)

    def test_kills_what_a_test_notices_and_spares_the_rest(self):
        text = self.mutate("1000", "--patience", "1")
        for kind in SAMPLE:
            self.assertIn(f"{kind} ", text)
            self.assertIn(f", Sample.{kind} fails", text)
        survivors = [x for x in text.split("\n") if x.startswith("## ")]
        self.assertIn("return a + 1;", text.split("survive")[-1])
        self.assertTrue(all("src/form/sample.cpp" in x for x in survivors))
        self.assertIn("0 tests ran it", text)
        # another time nothing is tried that was
        self.assertEqual([x for x in text.split("\n") if x.startswith("#")],
                         [x for x in self.mutate("1000", "--patience", "1").split("\n") if x.startswith("#")])

    def test_without_knowing_what_runs_what(self):
        text = self.mutate("1000", "--patience", "1", "--no-cover")
        self.assertIn("25 faults planted (seed 1): 19 killed, 6 survive", text)
        self.assertFalse((self.root / "build/mutate/coverage/map.json").exists())

    def test_faults_by_hand_and_those_that_do_not_end(self):
        self.patch([("double sign(double a, double b) { return a - b; }",
                     "double sign(double a, double b) { return 3 - b + a - 3; }"),
                    ("double factor(double a) { return 0.5 * a; }",
                     "double factor(double a) { for (volatile int i = 0; ; ) {} }"),
                    ("  return k;", "  return 0 * k + *static_cast<volatile int*>(nullptr);")])
        text = self.mutate("--patience", "1", "--plant", str(self.root / "faults.diff"))
        self.assertIn("3 faults planted (seed 1): 2 killed, 1 survive", text)
        self.assertIn("Sample.factor does not end", text)
        self.assertIn("Sample.bound crashes", text)


if __name__ == "__main__":
    unittest.main()

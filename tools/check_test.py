#!/usr/bin/python3
"""The checks can fail: each is shown small trees it has to refuse, and some it must not."""
import subprocess
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).parent
ORDER = "layer(math)\nlayer(geom)\nlayer(io lib)\nlayer(sim)\n"


class Checks(unittest.TestCase):
    def run_check(self, check, files):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            style = (TOOLS.parent / ".clang-format").read_text()
            for name, text in {"CMakeLists.txt": ORDER, ".clang-format": style, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            done = subprocess.run([TOOLS / check, root], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

    def accepts(self, check, files, says=""):
        code, text = self.run_check(check, files)
        self.assertEqual(code, 0, text)
        self.assertIn(says, text)

    def refuses(self, check, files, says):
        code, text = self.run_check(check, files)
        self.assertEqual(code, 1, text)
        self.assertIn(says, text)

    def test_layers(self):
        check, types = "check_layers", {"src/math/types.h": "#include <vector>\n"}

        def geom(line):
            return {"src/geom/a.h": line + "\n", "src/sim/s.h": "", **types}

        self.accepts(check, geom('#include "math/types.h"'), "3 files")
        self.accepts(check, {"tests/t.cpp": '#include "math/types.h"\n', **types})
        self.refuses(check, geom('  #  include "sim/s.h"'), "src/geom/a.h:1")
        self.refuses(check, geom('#include "a.h"'), "write the path")
        self.refuses(check, geom('#include "../math/types.h"'), "no src/")
        self.refuses(check, geom('#include "math/no.h"'), "no src/math/no.h")
        self.refuses(check, geom("#include <math/types.h>"), "quotes")
        self.refuses(check, geom("#include <iostream>"), "fmt")
        self.refuses(check, geom("#include <ranges>"), "up to sim")
        self.refuses(check, geom("#include <hdf5.h>"), "stays behind io")
        self.refuses(check, {"src/other/a.h": ""}, "no layer")
        self.refuses(check, {"bench/b.cpp": '#include "math/no.h"\n'}, "no src/math/no.h")
        public = {"cmake/public_headers.txt": "# list\ngeom/a.h\n"}
        self.refuses(check, {**public, **geom('#include "math/types.h"')}, "not public")

    def function(self, lines, head="int f()"):
        return head + " {\n" + "  g();\n" * (lines - 2) + "}\n"

    def test_file_size(self):
        self.accepts("check_sizes", {"src/math/a.h": "\n" * 600}, "longest file 600 (src/math/a.h)")
        self.refuses("check_sizes", {"src/math/a.h": "\n" * 601}, "601 lines")

    def test_function_size_in_every_form(self):
        heads = {
            "f": "int f()",
            "Foo::Foo": "Foo::Foo(int a)\n    : x_{a}, y_(b), Base<int>{1}",
            "Foo::at": "template <class T, class U = std::vector<T>>\nauto Foo::at(U u) const -> T&",
            "operator()": "struct F {\n  int x{3};\n  bool operator()(int a) const noexcept(true)",
            "take": "namespace a::b {\nvoid take(std::function<void(int)> f = {}, int b = 1)",
            "TEST(Suite, Name)": "TEST(Suite, Name)",
            "fold": 'constexpr char kOpen = \'{\', *kText = "}{"; // { (\nauto fold = [](int a) -> int',
            "operator==": "class A final : public B<void(int)> {\n public:\n  bool operator==(A b)",
            "limit": "template <class T>\n  requires(sizeof(T) > 4)\nvoid limit(T t)",
        }
        for name, head in heads.items():
            closing = "};\n" * head.count("{\n")
            for lines, check in ((100, self.accepts), (101, self.refuses)):
                extra = head.count("\n") if head.startswith(("Foo", "template")) else 0
                text = self.function(lines - extra, head) + closing
                says = f"function 100 ({name}," if lines == 100 else f"{name} has 101 lines"
                with self.subTest(name=name, lines=lines):
                    check("check_sizes", {"src/math/a.cpp": text}, says)

    def test_function_size_ignores(self):
        table = "const std::vector<std::vector<int>> table = {\n" + "  {1, 2},\n" * 200 + "};\n"
        scope = "namespace a {\nstruct B {\n" + "  int b{1};\n  int f() { return 1'000; }\n" * 80 + "};\n}\n"
        raw = 'auto text = R"x(' + "{\n" * 150 + ')x";\n'
        macro = "#define OPEN {\n#if 1\n" + "/* {\n\n{ */\n" + self.function(30) + "#endif\n"
        self.accepts("check_sizes", {"src/math/a.cpp": table + scope + raw + macro}, "function 30 (f")

    def test_lambdas_count_with_their_function(self):
        text = "int f() {\n  run([&] {\n" + "  g();\n" * 99 + "  });\n}\n"
        self.refuses("check_sizes", {"src/math/a.cpp": text}, "f has 103 lines")

    def test_lambda_in_a_table(self):
        text = 'const Entry kTable[] = {{"a", [](int i) {\n' + "  g();\n" * 100 + "}}};\n"
        self.refuses("check_sizes", {"src/math/a.cpp": text}, "102 lines")

    def test_unbalanced_braces(self):
        self.refuses("check_sizes", {"src/math/a.cpp": "int f() {\n"}, "stays open")
        self.refuses("check_sizes", {"src/math/a.cpp": "int f() {}\n}\n"}, "none opened")

    def test_python_function(self):
        text = "def f():\n" + "    g()\n" * 100
        self.refuses("check_sizes", {"tools/a.py": text}, "f has 101 lines")

    def test_lists(self):
        lists = {
            "src/joint/table.cpp": 'constexpr Entry kEntries[] = {\n  {"fixed", "D"},\n'
                                   '  {"point-on-line", "Ay.D"},\n};\n',
            "src/law/spring.h": 'inline constexpr Type kSpring{"spring", "linear"};\n',
            "src/form/settings.h": "enum class Formulation : char {\n  velocity,  // impulses\n"
                                   "  energy,\n};\nenum class Difference { bdf1, bdf2 };\n",
            "src/joint/function.cpp": 'const Function kFunctions[] = {\n    {.name = ""},\n'
                                      '    {.name = "sqrt", .unit = Unit::metre},\n'
                                      '    {.name = "slip"},\n};\n'}

        def tree(name, text):
            return {**lists, name: lists.get(name, "") + text + "\n"}

        check = "check_lists"
        self.accepts(check, lists, "2 joints, 1 laws, 4 formulations, 2 row functions; 4 files")
        self.accepts(check, tree("src/form/a.cpp", "// a spring\nbool fixed = spring || energy;"))
        self.accepts(check, tree("src/form/a_test.cpp", 'auto j = "fixed";'))
        self.accepts(check, tree("src/law/a.h", "double energy = x; /* bdf1 */ // PointOnLine"))
        for text in ('if (name == "fixed")', "point_on_line()", "struct PointOnLine", '"point-on-line x"'):
            for folder in ("form", "solve", "law", "body"):
                self.refuses(check, tree(f"src/{folder}/a.h", text), f"src/{folder}/a.h:1")
        for text in ("Formulation::velocity", "use(bdf2);", "Energy& form", 'is("energy")'):
            for name in ("src/joint/a.cpp", "src/law/a.h", "src/body/a.h"):
                self.refuses(check, tree(name, text), f"{name}:1")
        self.refuses(check, tree("src/form/a.cpp", '\nis("spring")'), "src/form/a.cpp:2")
        self.refuses(check, {**lists, "src/law/spring.h": ""}, "no law is found")
        self.refuses(check, {**lists, "src/joint/function.cpp": ""}, "no row function is found")
        tells = ("if (row.fn == joint::Function::atan2)", "switch (row.fn) {", "a.fn->name", "&kFunctions[3]",
                 "for (auto& f : joint::functions())", "return x.row.fn != y.fn;", "if (row.fn < last)",
                 'parse_row("slip( Ay, Ax)")', 'is("far = -sqrt(D.D)")', '#include "joint/own.h"')
        for text in tells:
            for name in ("model/a.cpp", "sim/a.h", "verify/a.cpp", "io/a.cpp", "form/a.cpp", "cli/a.cpp"):
                self.refuses(check, tree(f"src/{name}", "\n" + text), f"src/{name}:2: {text}: tells")
            self.accepts(check, tree("src/joint/table.cpp", text))
            self.accepts(check, tree("src/model/a_test.cpp", text))
            self.accepts(check, tree("src/expr/a.cpp", text))
        self.refuses(check, tree("src/joint/evaluate.cpp", tells[0]), "src/joint/evaluate.cpp:1")
        self.accepts(check, tree("src/joint/evaluate.cpp", tells[-1]))
        for text in ("if (row.fn->margin == nullptr)", "if (row.fn->turns) // sqrt(D.D)", "x == a.row.fn->rest",
                     '"write sqrt(...)"', "expr::Function::order", "std::function<int()> fn;"):
            self.accepts(check, tree("src/model/a.cpp", text), "3 tell no")

    def test_kinds_and_loads_are_asked_for_at_home(self):
        lists = {
            "src/joint/table.cpp": 'constexpr Entry kEntries[] = {\n  {"fixed", "D"},\n};\n',
            "src/law/spring.h": 'inline constexpr Type kSpring{"spring", "linear"};\n',
            "src/form/settings.h": "enum class Formulation { velocity };\n",
            "src/body/pool.h": "enum class MotionKind { rigid, affine };\nif (c == MotionKind::rigid) f();\n",
            "src/body/rigid.h": 'static constexpr std::string_view kKind = "rigid";\n',
            "src/law/load.h": "struct LoadType {};\n",
            "src/joint/function.cpp": 'const Function kFunctions[] = {\n    {.name = "sqrt"},\n};\n',
            "src/law/drag.h": 'inline constexpr LoadType kDragLoad{.name = "drag"};\n'}
        check = "check_lists"
        self.accepts(check, lists, "1 body kinds, 1 load types")
        sound = ('f(MotionKind c, can_strain(c));', '// MotionKind::rigid', 'add("rigid", "drag");',
                 'const LoadType* t = find_load_type(name);', 'if (parameter == "drag") f();')
        kind = ('if (o.motion_kind == body::MotionKind::rigid)', 'if (pool.kind() != "rigid")',
                'return "rigid" == kind;', 'std::make_shared<body::RigidPool>()',
                'dynamic_cast<const MyPool*>(&pool)', 'if (motion_size(c) == 6)', 'if (pool.nv == 12)',
                'if (o.prescribed >= 0)')
        load = ('if (load.type->name == "drag")', 'l.type == "drag"', 'kind = LoadKind::drag;',
                'law::find_load_type("drag")', 'load.type == &law::kDragLoad')
        shape = ('if (d.level == law::Level::unilateral)', 'const auto stop = law::to_stop(d, x);', 'd.breakaway > d.hi')
        for line in shape:
            for folder in ("model", "sim", "verify", "io", "form", "cli"):
                self.refuses(check, {**lists, f"src/{folder}/a.cpp": line + "\n"}, "asks for the shape of a specification")
            for folder in ("law", "constraint"):
                self.accepts(check, {**lists, f"src/{folder}/a.cpp": line + "\n"})
        for folder in ("model", "sim", "verify", "io", "form", "joint", "cli"):
            for line in sound:
                self.accepts(check, {**lists, f"src/{folder}/a.cpp": line + "\n"})
            for line in kind:
                self.refuses(check, {**lists, f"src/{folder}/a.cpp": "\n" + line + "\n"},
                             f"src/{folder}/a.cpp:2: {line}: asks for a body kind")
            for line in load:
                self.refuses(check, {**lists, f"src/{folder}/a.h": line + "\n"},
                             f"src/{folder}/a.h:1: {line}: asks for a load type")
            self.accepts(check, {**lists, f"src/{folder}/a_test.cpp": kind[0] + load[0]})
        for home in ("src/body/a.cpp", "src/model/build_affine.cpp", "src/io/scene_specs.cpp"):
            self.accepts(check, {**lists, home: "\n".join(kind)})
        self.accepts(check, {**lists, "src/law/a.cpp": "\n".join(load)})
        self.refuses(check, {**lists, "src/law/drag.h": ""}, "no load type is found")
        self.refuses(check, {**lists, "src/body/rigid.h": ""}, "no body kind is found")

    def test_names(self):
        sources = {"src/form/a.cpp": "void stage_P() {}\n", "src/form/a.h": "struct Step {};\n"}
        page = "docs/theory/velocity.md"
        self.accepts("check_names", {**sources, page: "`stage_P()`, `Step::stage_P`, `a.cpp`, `src/form/a.h`, `form/a.h`\n"},
                     "names: 5")
        for wrong in ("stage_Q", "Step::stage_Q", "b.cpp", "src/form/b.h"):
            self.refuses("check_names", {**sources, page: f"\nas `{wrong}` does\n"}, f"{page}:2: there is no {wrong}")

    def test_unread(self):
        def tree(header, source="", public=""):
            return {"src/form/a.h": header, "src/form/b.cpp": '#include "form/a.h"\n' + source,
                    "src/form/a_test.cpp": "x_; f(); g();\n", "cmake/public_headers.txt": public}

        check, member, function = "check_unread", "struct A {\n  double x_ = 0;\n};\n", "double f(int a);\n"
        self.refuses(check, tree(member), "src/form/a.h: nothing reads 'x_'")
        self.refuses(check, tree(function), "src/form/a.h: nothing calls 'f'")
        self.refuses(check, tree(function, "double f(int a) {\n  return a;\n}\n"), "nothing calls 'f'")
        self.accepts(check, tree(member, "double y(const A& a) {\n  return a.x_;\n}\n"), "unread: ")
        self.accepts(check, tree(function, "double f(int a) {\n  return a;\n}\nint y = f(2);\n"))
        self.accepts(check, tree(function, public="form/a.h\n"))
        self.accepts(check, {**tree(""), "src/form/test_b.h": function, "src/form/c.h": function})

    def test_words(self):
        self.accepts("check_words", {"a.md": "shared_ptr, a workshop, working, todos\n"}, "words:")
        for bad in ("see /wo" "rk/main", "DES" "IGN.md", "// TO" "DO(#3)", "in sha" "red/data",
                    "<<<" "<<<< ours", '"reso' 'lved": "https://mirror.example/x.tgz"'):
            self.refuses("check_words", {"src/math/a.h": bad + "\n"}, "src/math/a.h:1")

    def test_format(self):
        self.accepts("check_format", {"src/math/a.h": "int f(int a);\n"})
        for folder in ("src/math", "bench", "tests"):
            self.refuses("check_format", {f"{folder}/a.h": "int  f (int a) ;\n"}, f"{folder}/a.h:1")

    def test_baseline(self):
        with tempfile.TemporaryDirectory() as folder:
            for code, text in ((0, "vaddpd %ymm0,%ymm1,%ymm15"), (1, "vaddpd %zmm0,%zmm1,%zmm2"),
                               (1, "vaddpd %ymm0,%ymm1,%ymm16"), (1, "kmovw %k1,%eax")):
                made = Path(folder) / "a.o"
                subprocess.run(["as", "-o", made], input="f:\n" + text + "\n", text=True, check=True)
                done = subprocess.run([TOOLS / "check_baseline", made], capture_output=True, text=True)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                self.assertIn("f: vaddpd %zmm0" if "zmm" in text else str(made) if code else "1 files", done.stdout)

    def test_docs_site(self):
        def site(folder, link):
            Path(folder, "docs").mkdir(exist_ok=True)
            Path(folder, "README.md").write_text(f"# Home\n\n[there]({link})\n")
            Path(folder, "docs", "a.md").write_text("# A\n\n## The part\n")
            done = subprocess.run(["/usr/bin/python3", TOOLS / "docs_site.py", f"{folder}/out", "--root", folder],
                                  capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

        with tempfile.TemporaryDirectory() as folder:
            for link in ("docs/a.md", "docs/a.md#the-part", "https://example.org/x"):
                self.assertEqual(site(folder, link)[0], 0)
            for link in ("docs/b.md", "docs/a.md#a-part", "#nowhere"):
                code, text = site(folder, link)
                self.assertEqual(code, 1)
                self.assertIn("index.html: there is no", text)


unittest.main()

#!/usr/bin/python3
"""The checks can fail: each is shown small trees it has to refuse, and some it must not."""
import re
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

    def test_knows(self):
        def files(lines, folder):
            functions = "\n".join(f"int f_{k}() {{\n  {line}\n}}" for k, line in enumerate(lines))
            return {f"src/{folder}/a.cpp": functions + "\n"}

        text = (TOOLS / "check_knows").read_text()
        contact, shapes = (int(n) for n in re.findall(r'"src/constraint/"\), (\d+)\)', text))
        for line, most, home, what in [("return Contact();", contact, "contact", "contact"),
                                       ("return spec.is_rigid();", shapes, "law", "shapes of laws")]:
            said = f"functions elsewhere name {what}"
            self.accepts("check_knows", files(most * [line], "sim"), f"{most} {said}")
            self.accepts("check_knows", files(300 * [line], home), f"0 {said}")
            self.refuses("check_knows", files((most + 1) * [line], "sim"), f"{most + 1} {said}")
        others = ["return drive.level == Drive::Level::velocity;", "return roles.unilateral;",
                  "return Hold::nothing;", "return Level::sum;", 'return "d.is_force()";']
        asked = ["return d->bounded();", "return hold == constraint::Hold::rate;",
                 "return any(&ConstraintSpec::is_force);", "return was.level != now.level;",
                 "return d.level == law::Level::force;"]
        self.accepts("check_knows", files(others + asked, "sim"),
                     f"{len(asked)} functions elsewhere name shapes of laws")

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
        self.accepts("check_sizes", {"bench/a.cpp": table + scope + raw + macro}, "function 30 (f")

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

    def test_members_of_classes(self):
        def members(data, methods, head="class Big {"):
            body = [f"  int a{i};\n" for i in range(data)] + [f"  int f{i}();\n" for i in range(methods)]
            return "namespace trammel::geom {\n" + head + "\n" + "".join(body) + "};\n}\n"

        check, above, at = "check_sizes", "tools/check_sizes_above.txt", "src/geom/a.h"
        self.accepts(check, {at: members(20, 25)}, f"most data members 20 (geom::Big, {at}:2), most methods 25 (geom::Big,")
        for data, methods in ((21, 0), (0, 26), (21, 26)):
            has = f"geom::Big has {data} data members and {methods} methods"
            for name in (at, "src/geom/a.cpp", "tests/a_test.cpp"):
                self.refuses(check, {name: members(data, methods)}, f"{name}:2: {has}, at most 20 and 25")
            listed = {at: members(data, methods), above: f"# head\ngeom::Big: {data}/{methods}\n"}
            self.accepts(check, listed)
            self.refuses(check, {**listed, at: members(data + 1, methods)}, f"at most {data} and {methods} by {above}")
            self.refuses(check, {**listed, at: members(data, methods + 1)}, f"at most {data} and {methods} by {above}")
            self.refuses(check, {**listed, "src/geom/b.cpp": members(max(data, 21) - 1, 26)}, "b.cpp:2: geom::Big has")
        self.refuses(check, {at: members(30, 2), above: "geom::Big: 31/2\n"}, "lower its entry to 30/2")
        self.refuses(check, {at: members(30, 2), above: "geom::Big: 30/3\n"}, "lower its entry to 30/2")
        self.refuses(check, {at: members(20, 2), above: "geom::Big: 21/2\n"}, "within the limits: remove its entry")
        self.refuses(check, {above: "geom::Big: 21/2\n"}, "there is no class geom::Big")
        self.refuses(check, {above: "geom::Big 21/2\n"}, "is not 'name: data members/methods'")
        two = {at: members(30, 2), "src/geom/b.h": members(2, 30, "struct Also {")}
        self.accepts(check, {**two, above: "geom::Also: 2/30\ngeom::Big: 30/2\n"})
        self.refuses(check, {**two, above: "geom::Big: 30/2\ngeom::Also: 2/30\n"}, "not sorted")
        heads = {"Big": "class Big final : public Base<int(int)>, B {", "Big<3>": "template <>\nstruct Big<3> {",
                 "In::Big": "struct In {\nstruct Big {", "Big::In": "template <class T> class Big {\nclass In {",
                 "Big ": "void f() {\nstruct alignas(64) Big {", "unnamed": "const struct {",
                 " Big": "struct In { int a; };\nclass [[nodiscard]] Big {"}
        for name, head in heads.items():
            text = members(21, 1, head) + "};\n" * (head.count("{") - head.count("}") - 1)
            self.refuses(check, {at: text}, f"geom::{name.strip()} has 21 data members and 1 methods")

    def test_each_declaration_of_a_class(self):
        counts = {
            (1, 0): ("int a;", "int a = 1;", "int a{1};", "Vec a = {1, 2};", "int a : 3 = 1;", "mutable int a;",
                     "std::map<int, Pair<int, 2>> a;", "std::function<int(int, int)> a = {};", "T a = f(1, {2, 3});",
                     "std::function<int()> a = [](int b) { return b; };", "std::function<int()> a{[] { g(); h(); }};",
                     "int a = [] {\n  int b = 1;\n  return b;\n}();", "int (*a)(int, int) = nullptr;", "int (&a)[3];",
                     "static constexpr int kA = 1 << 2;", "inline static const Vec kA{1, 2};", "bool a = 1 < 2;",
                     "std::array<int, (2 > 1)> a;", "double a[2][3] = {{1, 2, 3}, {4, 5, 6}};", "A::B::C* a;",
                     "const A& a;", "struct B* a;", "enum class K : char { x, y } a = K::x;", "alignas(64) int a;",
                     "[[maybe_unused]] int a;", "decltype(f(1)) a;", "int a = b ? c : d;", "double A::*a = &A::b;",
                     "template <class T> static constexpr T kA = T(1);", "char a = ';';", 'std::string a = "{;";',
                     "std::array<int, 1 << 2> a;", "int default_ = default_value;", "struct { int b, c; } a;",
                     "int a : sizeof(int);"),
            (2, 0): ("int a, b;", "int a = 1, b{2};", "int a : 3, b : 4;", "std::map<int, int> a, b;", "int *a, b[2];",
                     "Vec a = {1, 2}, b = f(1, 2);", "int (*a)(int), (*b)(int, int);", "double a = g<int, 2>(), b;",
                     "public: int a; private: int b;", "struct B { int x, y, z; } a, b;", "int a; // int c;\nint b;",
                     "enum { x, y } a, b;", "bool a = x <= 1, b = y >= 2;"),
            (0, 1): ("void f();", "Big();", "~Big();", "explicit Big(int a) : a_{a}, b_(a), Base<int>{1} {}",
                     "Big(int a) noexcept : a_(a) { b = 1; }", "virtual void f() const = 0;", "int f(int a, int b = 1);",
                     "static std::pair<int, int> f(T t = {1, 2}) { return {1, 2}; }", "bool operator==(const A&) const;",
                     "A& operator=(const A& o) { return *this; }", "bool operator()(int a) const { return a < 1; }",
                     "bool operator<(const A& o) const { return a < o.a; }", "operator std::map<int, int>() const;",
                     "explicit operator bool() const { return true; }", "A* operator->() const;", "void f() const&;",
                     "template <class T, class U = std::vector<T>> void f(T t, U u) { t(u); }", "auto f() -> T<1, 2>;",
                     "template <class T>\n  requires(sizeof(T) > 4)\nvoid f(T t);", "const std::vector<A>& f() const {}",
                     "[[nodiscard]] int f() noexcept(true) { return 1; };", "decltype(auto) f() { return g(); }",
                     "void f(std::function<void(int)> g = [](int) {});", "struct B f();", "struct B f() { return {}; }",
                     "void f() { int a; struct B { int c; }; }", "std::function<void(int)> f() { return {}; }"),
            (0, 2): ("void f(); void f(int);", "void f() {} void g() {}", "public: void f() {} private: Big() {}"),
            (1, 1): ("int a; void f();", "void f() {}\n int a{1};", "Big() : a{1} {} int a;", "int a; void f() {};"),
            (0, 0): ("", "Big() = default;", "Big(const Big&) = delete;", "A& operator=(A&&) noexcept = default;",
                     "bool operator==(const A&) const = default;", "auto operator<=>(const A&) const = default;",
                     "friend class A;", "friend void f(int a) { g(a); }", "friend bool operator==(A a, A b);",
                     "template <class T> friend class A;", "inline friend void f() {}", "using A = B<int, int>;",
                     "using Base::Base;", "typedef int A[2];", "static_assert(sizeof(int) == 4, \"a, b\");", "class A;",
                     "enum A { x, y };", "enum class A : char { x = 1, y };", "struct A { int a; void f(); };",
                     "class A final : public B, C { int a{1}; void f() {} };", "enum class A : char;", "public:",
                     "template <class T> struct A { T a; };", "#define A int b;", "/* int a; */", "using F = int (*)(int);",
                     "[[maybe_unused]] typedef int A;", "struct A;", "union A;",
                     "constexpr friend bool operator<(A a, A b) { return a.x < b.x; }"),
        }
        texts, files = [], {}
        for (data, methods), listed in counts.items():
            body = "int z;\n" * (21 - data) + "void z();\n" * (26 - methods)
            for text in listed:
                for inside in (f"{body}\n{text}\n", f"{text}\n{body}"):
                    files[f"src/geom/a{len(texts)}.h"] = "struct Big {\n" + inside + "};\n"
                    texts.append(text)
        code, found = self.run_check("check_sizes", files)
        self.assertEqual(code, 1, found)
        for text, name in zip(texts, files):
            with self.subTest(text=text):
                self.assertIn(f"{name}:1: Big has 21 data members and 26 methods,", found)

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

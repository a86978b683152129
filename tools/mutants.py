"""Faults to plant in C++: where a text may be changed, how, and of what kind the change is.

A light tokenizer, no parser. It leans on the format of the sources (.clang-format): a binary operator
has white space on both sides, a unary one, a pointer or a template bracket has not.
"""
import bisect
import random
import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"(?P<skip>\s+|//(?:\\\n|[^\n])*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)"
    r'|(?P<str>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\')'
    r"|(?P<num>\.?\d(?:[eE][+-]|[\w.']|(?<=\d)'(?=\d))*)"
    r"|(?P<id>[A-Za-z_]\w*)"
    r"|(?P<op><=>|\.\.\.|->\*|<<=|>>=|::|->|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|==|!=|<=|>=|&&|\|\||<<"
    r"|[-+*/%<>=!&|^~?:;,.(){}\[\]])", re.S | re.M)

KINDS = ("sign", "factor", "term", "argument", "index", "bound", "condition", "statement")

# What is written inside the brackets of these says nothing about results.
SILENT = {"assert", "static_assert", "reserve", "shrink_to_fit", "runtime_error", "logic_error", "throw",
          "alignas", "sizeof", "decltype", "format", "print", "noexcept", "TRAMMEL_ASSERT"}
NOT_A_STATEMENT = {
    "return", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "const",
    "auto", "using", "static", "constexpr", "typedef", "throw", "struct", "class", "enum", "goto", "delete",
    "template", "namespace", "public", "private", "co_return", "assert", "static_assert", "friend"}
SYMMETRIC = {"max", "min", "swap", "hypot", "abs"}
COUNT = re.compile(r"(^|\W)(size\(\)|[ijkn]|n_\w*|count\w*|\w*_count|\w*index\w*)$")
NOT_A_CALL = {"if", "for", "while", "switch", "return", "catch", "sizeof", "constexpr", "requires"}
TWINS = [("first", "second"), ("lo", "hi"), ("a", "b"), ("A", "B"), ("x", "y"), ("y", "z"), ("z", "x"),
         ("front", "back"), ("min", "max"), ("sin", "cos"), ("p", "v"), ("start", "end"), ("floor", "ceil")]
TWIN = {a: b for a, b in TWINS} | {b: a for a, b in TWINS if len(b) > 1 or b in "bB"}


@dataclass(frozen=True)
class Mutant:
    path: str
    kind: str
    start: int
    end: int
    new: str
    line: int

    def apply(self, text):
        return text[:self.start] + self.new + text[self.end:]

    def key(self, text):
        """What it is, whatever stands above it: the lines before and after the change."""
        a = text.rfind("\n", 0, self.start) + 1
        b = text.find("\n", self.end)
        old, new = text[a:b], text[a:self.start] + self.new + text[self.end:b]
        return f"{self.path}: {' '.join(old.split())} => {' '.join(new.split())}"


class Source:
    """The tokens of a text, their brackets, and which of them lie in the body of a function."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.kind, self.tok, self.at, self.to = [], [], [], []
        at = 0
        while at < len(text):
            m = TOKEN.match(text, at)
            if not m:
                at += 1
                continue
            if m.lastgroup != "skip" and not m["skip"]:
                self.kind.append("str" if m["str"] else "num" if m["num"] else "id" if m["id"] else "op")
                self.tok.append(m[0])
                self.at.append(m.start())
                self.to.append(m.end())
            at = m.end()
        self.lines = [m.start() for m in re.finditer("\n", text)]
        self.match_brackets()
        self.find_bodies()
        self.find_statements()
        self.find_silent()

    def line(self, at):
        return bisect.bisect_left(self.lines, at) + 1

    def match_brackets(self):
        self.mate, stack = {}, []
        for i, t in enumerate(self.tok):
            if t in ("(", "[", "{") and self.kind[i] == "op":
                stack.append(i)
            elif t in (")", "]", "}") and self.kind[i] == "op" and stack:
                j = stack.pop()
                self.mate[i], self.mate[j] = j, i

    def find_bodies(self):
        """A brace opens a function's body where a parameter list stands before it, outside of any other."""
        n = len(self.tok)
        self.inside = [False] * n
        i = since = 0
        while i < n:
            t = self.tok[i]
            if t == "{" and self.mate.get(i):
                head = self.tok[since:i]
                if "(" in head and not {"namespace", "class", "struct", "enum", "union"} & set(head[:1]):
                    end = self.mate[i]
                    self.inside[i + 1:end] = [True] * (end - i - 1)
                    i = end
                since = i + 1
            elif t in (";", "}"):
                since = i + 1
            i += 1

    def find_statements(self):
        """Where each token's statement begins and ends; the brackets of if, for and while end one."""
        n = len(self.tok)
        self.begin, ends, heads = [0] * n, {}, set()
        for i, t in enumerate(self.tok):
            if t == "(" and i and (self.tok[i - 1] in ("if", "for", "while", "switch") or
                                   self.tok[i - 2:i] == ["if", "constexpr"]) and i in self.mate:
                heads.add(self.mate[i])
        start = 0
        for i, t in enumerate(self.tok):
            self.begin[i] = start
            if t in (";", "{", "}") or i in heads or t == "else" or (
                    t == ":" and self.tok[start] in ("case", "default")):
                ends[start] = i
                start = i + 1
        self.end = [ends.get(b, n - 1) for b in self.begin]

    def find_silent(self):
        """Statements that speak (strings in them), and what is in the brackets of SILENT."""
        n = len(self.tok)
        self.silent = [False] * n
        for i in range(n):
            if self.kind[i] == "str" or self.tok[i] == "throw":
                b, e = self.begin[i], self.end[i]
                self.silent[b:e + 1] = [True] * (e + 1 - b)
            if self.tok[i] in SILENT and i + 1 < n and self.tok[i + 1] == "(":
                e = self.mate.get(i + 1, i)
                self.silent[i:e + 1] = [True] * (e + 1 - i)

    def binary(self, i):
        """White space on both sides."""
        return self.text[self.at[i] - 1].isspace() and self.text[self.to[i]:self.to[i] + 1].isspace()

    def after_operand(self, i):
        """The index past the operand that begins at i; i itself where there is none."""
        n, j = len(self.tok), i
        while j < n and self.tok[j] in ("-", "+", "!", "*", "&", "~") and not self.binary(j):
            j += 1
        if j >= n or not (self.kind[j] in ("id", "num") or self.tok[j] == "("):
            return i
        j = self.mate.get(j, n - 1) + 1 if self.tok[j] == "(" else j + 1
        while j < n:
            if self.tok[j] in ("(", "[") or (self.tok[j] == "{" and self.kind[j - 1] == "id"):
                j = self.mate.get(j, n - 1) + 1
            elif self.tok[j] in (".", "->", "::"):
                j += 2
            elif self.tok[j] == "<" and not self.binary(j):
                j = self.after_angle(j)
            else:
                break
        return j

    def after_angle(self, j):
        depth = 0
        while j < len(self.tok):
            depth += {"<": 1, ">": -1}.get(self.tok[j], 0)
            j += 1
            if depth == 0:
                break
        return j

    def operand_before(self, i):
        """The index of the first token of the operand that ends just before i."""
        j = i - 1
        while j >= 0:
            if self.tok[j] in (")", "]") and j in self.mate:
                j = self.mate[j]
                if self.tok[j - 1] == ">" and self.tok[j] == "(":
                    depth = 0
                    while j > 0:
                        j -= 1
                        depth += {">": 1, "<": -1}.get(self.tok[j], 0)
                        if depth == 0:
                            break
                if self.kind[j - 1] == "id" and self.tok[j - 1] not in NOT_A_CALL or self.tok[j - 1] in ("]", ")"):
                    j -= 1
                    continue
            elif not self.kind[j] in ("id", "num"):
                return j + 1
            if self.tok[j - 1] in (".", "->", "::"):
                j -= 2
                continue
            break
        while self.tok[j - 1] in ("-", "!", "*", "~") and not self.binary(j - 1):
            j -= 1
        return max(j, 0)

    def after_term(self, i):
        j = self.after_operand(i)
        while j < len(self.tok) and self.tok[j] in ("*", "/", "%") and self.binary(j):
            j = self.after_operand(j + 1)
        return j

    def arguments(self, i):
        """[(first, past)] of what stands between the bracket at i and its mate, parted by commas."""
        out, first, j = [], i + 1, i + 1
        while j < self.mate[i]:
            if self.tok[j] in ("(", "[", "{") and j in self.mate:
                j = self.mate[j]
            elif self.tok[j] == "<" and not self.binary(j):
                j = self.after_angle(j) - 1
            elif self.tok[j] == ",":
                out.append((first, j))
                first = j + 1
            j += 1
        if first < self.mate[i]:
            out.append((first, self.mate[i]))
        return out

    def cut(self, i, j):
        """The text of the tokens [i, j)."""
        return self.text[self.at[i]:self.to[j - 1]]


def mutants(path, text):
    """Every fault that could be planted, in the order of the text."""
    s = Source(path, text)
    out = []

    def put(kind, first, past, new):
        a, b = s.at[first], s.to[past - 1]
        if text[a:b] != new:
            out.append(Mutant(path, kind, a, b, new, s.line(a)))

    for i, t in enumerate(s.tok):
        if not s.inside[i] or s.silent[i]:
            continue
        for find in (of_signs, of_factors, of_terms, of_arguments, of_indices, of_bounds, of_conditions,
                     of_statements):
            find(s, i, t, put)
    return sorted(set(out), key=lambda m: (m.start, m.end, m.kind, m.new))


def of_signs(s, i, t, put):
    if t in ("+", "-") and s.binary(i):
        put("sign", i, i + 1, "-" if t == "+" else "+")
    elif t in ("+=", "-="):
        put("sign", i, i + 1, "-=" if t == "+=" else "+=")
    elif t == "-" and s.after_operand(i) > i and not (s.kind[i - 1] in ("id", "num") and s.tok[i - 1] != "return"):
        put("sign", i, i + 1, "")


def of_factors(s, i, t, put):
    if t in ("*=", "/="):
        put("factor", i, i + 1, "/=" if t == "*=" else "*=")
    if t not in ("*", "/") or not s.binary(i):
        return
    past = s.after_operand(i + 1)
    if past > i + 1:
        put("factor", i, past, "")
    first = s.operand_before(i)
    if t == "*" and first < i and past > i + 1:
        put("factor", first, past, s.cut(i + 1, past))


def of_terms(s, i, t, put):
    if t not in ("+", "-") or not s.binary(i):
        return
    past = s.after_term(i + 1)
    if past > i + 1:
        put("term", i, past, "")
    first = s.operand_before(i)
    if first < i and past > i + 1 and s.tok[first - 1] in ("(", "=", "return", ",", "+=", "-=", "{"):
        put("term", first, past, ("" if t == "+" else "-") + s.cut(i + 1, past))


def of_arguments(s, i, t, put):
    if not (t == "(" and s.kind[i - 1] == "id" and s.tok[i - 1] not in NOT_A_CALL | SILENT) and not (
            t == "{" and s.begin[i] != i and s.tok[i - 1] in ("=", "return", ",", "(")):
        return
    if i not in s.mate or s.tok[s.mate[i] - 1] == ";":
        return
    args = s.arguments(i)
    for (a, b), (c, d) in zip(args, args[1:]):
        if s.cut(a, b) != s.cut(c, d) and "[" not in (s.tok[a], s.tok[c]) and s.tok[i - 1] not in SYMMETRIC:
            put("argument", a, d, f"{s.cut(c, d)}, {s.cut(a, b)}")
    if len(args) > 1 and t == "(":
        put("argument", args[-2][1], args[-1][1], "")


def of_indices(s, i, t, put):
    if t == "[" and s.mate.get(i) == i + 2 and s.kind[i - 1] == "id" or (
            t == "[" and s.tok[i - 1] in ("]", ")") and s.mate.get(i) == i + 2):
        k, b = s.tok[i + 1], s.begin[i]
        if declares(s, b, i) and "=" not in s.tok[b:i]:
            pass  # the size of an array
        elif k.isdigit():
            put("index", i + 1, i + 2, "1" if k == "0" else str(int(k) - 1))
        else:
            others = sorted({s.tok[j + 1] for j in range(max(0, i - 150), min(len(s.tok) - 2, i + 150))
                             if s.tok[j] == "[" and s.tok[j + 2] == "]" and s.kind[j + 1] == "id"} - {k})
            for other in others[:2]:
                put("index", i + 1, i + 2, other)
    if s.kind[i] == "id" and s.tok[i - 1] in (".", "->", "::") and t in TWIN:
        put("index", i, i + 1, TWIN[t])
    elif s.kind[i] == "id" and t[-2:] in ("_A", "_B"):
        put("index", i, i + 1, t[:-1] + ("B" if t[-1] == "A" else "A"))


def of_bounds(s, i, t, put):
    if t in ("<", "<=", ">", ">=") and s.binary(i) and counts(s, i):
        put("bound", i, i + 1, t[0] if len(t) == 2 else t + "=")
    if s.kind[i] == "num" and t in ("0", "1") and s.tok[i - 1] in ("=", "+", "-") and s.binary(i - 1):
        put("bound", i, i + 1, "1" if t == "0" else "2")


def counts(s, i):
    """Whether integers are compared, as far as that can be seen: equal reals are a matter of luck."""
    first, past = s.operand_before(i), s.after_operand(i + 1)
    left, right = s.cut(first, i), s.cut(i + 1, past) if past > i + 1 else ""
    return in_head(s, s.begin[i]) or any(COUNT.search(x) for x in (left, right)) or right in ("1", "2", "3")


def of_conditions(s, i, t, put):
    if t == "(" and s.tok[i - 1] == "if" and i in s.mate:
        first, past = i + 1, s.mate[i]
        for j in range(past - 1, first, -1):
            if s.tok[j] == ";":
                first = j + 1
                break
        plain = not any(s.tok[j] == "=" for j in range(first, past)) and not any(
            s.kind[j] == "id" and s.kind[j + 1] == "id" for j in range(first, past - 1))
        if plain and past > first:
            put("condition", first, past, f"!({s.cut(first, past)})")
    if t in ("==", "!=") and s.binary(i):
        put("condition", i, i + 1, "!=" if t == "==" else "==")
    if t in ("&&", "||") and s.binary(i):
        put("condition", i, i + 1, "||" if t == "&&" else "&&")


def of_statements(s, i, t, put):
    if t != ";" or s.begin[i] == i:
        return
    b = s.begin[i]
    if s.tok[b] in NOT_A_STATEMENT or s.tok[b - 1] == "(" or s.tok[b - 1] == ";" and in_head(s, b):
        return
    if in_head(s, b) or declares(s, b, i):
        return
    if not any(s.silent[b:i]):
        put("statement", b, i, "")


def in_head(s, b):
    """Whether the statement lies in the brackets of a for or an if."""
    depth = 0
    for j in range(b - 1, max(0, b - 60), -1):
        depth += {")": 1, "(": -1}.get(s.tok[j], 0)
        if depth < 0:
            return True
        if s.tok[j] in ("{", "}"):
            return False
    return False


def declares(s, b, end):
    """A type, then a name."""
    j = b
    if s.tok[b] == "return":
        return False
    while j < end and (s.kind[j] == "id" or s.tok[j] == "::"):
        if s.kind[j] == "id" and s.kind[j + 1] == "id":
            return True
        j += 1
        if s.tok[j] == "<" and not s.binary(j):
            j = s.after_angle(j)
            if s.kind[j] == "id":
                return True
    while s.tok[j] in ("*", "&", "&&") and not s.binary(j):
        j += 1
        return s.kind[j] == "id"
    return s.kind[j] == "id"


def draw(by_layer, seed):
    """All mutants in an order that a seed settles: layers by their number of faults, kinds alike."""
    rng = random.Random(seed)
    pools = {}
    for layer in sorted(by_layer):
        for m in by_layer[layer]:
            pools.setdefault(layer, {}).setdefault(m.kind, []).append(m)
    size = {layer: sum(map(len, kinds.values())) for layer, kinds in pools.items()}
    for kinds in pools.values():
        for some in kinds.values():
            rng.shuffle(some)
    while pools:
        layer = rng.choices(list(pools), [size[x] for x in pools])[0]
        kinds = pools[layer]
        kind = rng.choice([k for k in KINDS if k in kinds])
        yield kinds[kind].pop()
        if not kinds[kind]:
            del kinds[kind]
        if not kinds:
            del pools[layer]

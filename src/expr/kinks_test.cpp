// Functions with kinks and jumps, at them and beside: by the graph and by the tape alike.
#include <array>

#include "expr/derivative.h"
#include "expr/test_expressions.h"

namespace trammel::expr::kinks_test {
namespace {

struct Kink {
  const char* text;
  double x, value, d, dd;
};

void PrintTo(const Kink& k, std::ostream* out) { *out << k.text << " at " << k.x; }

// At a kink: abs to the right, min and max of equals the first, piecewise the branch taken.
constexpr Kink kKinks[] = {
    {"abs(x)", -2, 2, -1, 0},
    {"abs(x)", -0.0, 0, 1, 0},
    {"abs(x)", 0, 0, 1, 0},
    {"abs(x)", 3, 3, 1, 0},
    {"x*abs(x)", -2, -4, 4, -2},
    {"x*abs(x)", 0, 0, 0, 2},
    {"abs(x)^2", 0, 0, 0, 2},
    {"sign(x)", -2, -1, 0, 0},
    {"sign(x)", 0, 0, 0, 0},
    {"sign(x)", 2, 1, 0, 0},
    {"floor(x)", -1.5, -2, 0, 0},
    {"floor(x)", 2, 2, 0, 0},
    {"x - floor(x)", 2, 0, 1, 0},
    {"min(x, 1)", 0.5, 0.5, 1, 0},
    {"min(x, 1)", 1, 1, 1, 0},
    {"min(1, x)", 1, 1, 0, 0},
    {"min(x, 1)", 2, 1, 0, 0},
    {"max(x^2, 4)", 1, 4, 0, 0},
    {"max(x^2, 4)", 2, 4, 4, 2},
    {"max(4, x^2)", 2, 4, 0, 0},
    {"max(x^2, 4)", 3, 9, 6, 2},
    {"max(x, -x, 2*x)", 0, 0, 1, 0},
    {"clamp(x, -1, 1)", -2, -1, 0, 0},
    {"clamp(x, -1, 1)", -1, -1, 1, 0},
    {"clamp(x, -1, 1)", 0.5, 0.5, 1, 0},
    {"clamp(x, -1, 1)", 1, 1, 1, 0},
    {"clamp(x, -1, 1)", 2, 1, 0, 0},
    {"step(x)", -1, 0, 0, 0},
    {"step(x)", 0, 1, 0, 0},
    {"smoothstep(0, 2, x)", -1, 0, 0, 0},
    {"smoothstep(0, 2, x)", 0, 0, 0, 1.5},
    {"smoothstep(0, 2, x)", 1, 0.5, 0.75, 0},
    {"smoothstep(0, 2, x)", 2, 1, 0, -1.5},
    {"smoothstep(0, 2, x)", 3, 1, 0, 0},
    {"smoothstep(2, 0, x)", 1, 0.5, -0.75, 0},
    {"if(x < 0, x^2, x)", -1, 1, -2, 2},
    {"if(x < 0, x^2, x)", 0, 0, 1, 0},
    {"if(x <= 0, x^2, x)", 0, 0, 0, 2},
    {"if(not x > 0, x^2, x)", 0, 0, 0, 2},
    {"if(x == 0, x^2, x)", 0, 0, 0, 2},
    {"if(x != 0, x^2, x)", 0, 0, 1, 0},
    {"if(x < 0 or x >= 1, x^2, x)", 1, 1, 2, 2},
    {"if(x > 0 and x < 1, x^2, x)", 1, 1, 1, 0},
    {"piecewise(x < 0, -x, x < 1, x^2, 2*x - 1)", -1, 1, -1, 0},
    {"piecewise(x < 0, -x, x < 1, x^2, 2*x - 1)", 0, 0, 0, 2},
    {"piecewise(x < 0, -x, x < 1, x^2, 2*x - 1)", 1, 1, 2, 0},
    // what is not taken is not seen, even where it is no number
    {"if(x < 0, sqrt(-x), 1/x)", -4, 2, -0.25, -0.03125},
    {"if(x < 0, sqrt(-x), 1/x)", 2, 0.5, -0.5 * 0.5, 0.25},
    {"if(x == 0, 1, sin(x)/x)", 0, 1, 0, 0},
    {"min(sqrt(x), 5)", 36, 5, 0, 0},
};

class Kinks : public testing::TestWithParam<Kink> {
 protected:
  void SetUp() override {
    EXPECT_EQ(symbols.variable("x"), "");
    const Parsed parsed = parse(GetParam().text, symbols);
    ASSERT_TRUE(parsed) << parsed.problems[0].text;
    e = parsed.expression;
  }
  Graph g;
  Symbols symbols{g};
  Expression e;
};

TEST_P(Kinks, ByTheGraph) {
  const std::vector inputs = {g.variable("x")};
  const Derivative d = derivative(e, inputs[0]), dd = derivative(d.value, inputs[0]);
  EXPECT_EQ(value_of(e, inputs, {GetParam().x}), GetParam().value) << GetParam().text;
  EXPECT_EQ(value_of(d.value, inputs, {GetParam().x}), GetParam().d) << to_text(d.value);
  EXPECT_EQ(value_of(dd.value, inputs, {GetParam().x}), GetParam().dd) << to_text(dd.value);
}

TEST_P(Kinks, ByTheTape) {
  const Compiled c = Tape::compile(std::span(&e, 1), std::array{g.variable("x")});
  std::vector<double> scratch(c.tape.scratch_size());
  std::array<double, 1> y, dy, y1, y2;
  c.tape.all(std::array{GetParam().x}, {std::array{1.0}, std::array{0.0}}, {y, dy, y1, y2},
             scratch);
  EXPECT_EQ(y[0], GetParam().value) << GetParam().text;
  EXPECT_EQ(dy[0], GetParam().d) << GetParam().text;
  EXPECT_EQ(y1[0], GetParam().d) << GetParam().text;
  EXPECT_EQ(y2[0], GetParam().dd) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(All, Kinks, testing::ValuesIn(kKinks));

TEST(NotANumber, GoesThroughEverythingThatIsTaken) {
  Graph g;
  Symbols symbols(g);
  ASSERT_EQ(symbols.variable("x"), "");
  for (const char* text :
       {"min(x, 1)", "min(1, x)", "max(x, 1)", "max(1, x)", "clamp(x, 0, 1)", "clamp(0, x, 1)",
        "sign(x)", "floor(x)", "step(x)", "if(x < 0, 1, 2)", "if(x == x, 1, 2)", "if(x != x, 1, 2)",
        "if(x < 0 and 1 < 0, 1, 2)", "if(x < 0 or 0 < 1, 1, 2)", "if(not x < 0, 1, 2)", "0*x",
        "x - x", "smoothstep(0, 1, x)"}) {
    const Parsed parsed = parse(text, symbols);
    ASSERT_TRUE(parsed) << text;
    EXPECT_TRUE(std::isnan(value_of(parsed.expression, {g.variable("x")}, {kNaN}))) << text;
  }
}

// Beside the kinks, which lie at whole numbers, against central differences of step 1e-4.
// Truncation: h^2/6 f''' < 1e-7; rounding: 1e-16/h.
TEST(Kinks, DerivativesBesideAreThoseOfTheValues) {
  for (const char* text :
       {"abs(sin(pi*x))", "min(x, 1, x^2 - 2)", "max(x, -1)*clamp(x, 0, 2)", "smoothstep(-1, 1, x)",
        "piecewise(x < -1, x^3, x < 1, exp(x), 2 - x)", "(x - floor(x))^2", "x*step(x)"}) {
    Graph g;
    Symbols symbols(g);
    ASSERT_EQ(symbols.variable("x"), "");
    const std::vector inputs = {g.variable("x")};
    const Expression e = parse(text, symbols).expression;
    const Expression d = derivative(e, inputs[0]).value;
    for_all(text, [&] {
      const double h = 1e-4, x = range(-3, 3) + uniform(0.001, 0.999);
      const double slope = (value_of(e, inputs, {x + h}) - value_of(e, inputs, {x - h})) / (2 * h);
      RC_ASSERT(std::abs(slope - value_of(d, inputs, {x})) < 2e-7);
    });
  }
}

}  // namespace
}  // namespace trammel::expr::kinks_test

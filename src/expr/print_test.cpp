// An expression, its text, and the expression read from that are the same.
#include <array>

#include "expr/derivative.h"
#include "expr/test_expressions.h"

namespace trammel::expr::print_test {
namespace {

class Print : public testing::Test {
 protected:
  void SetUp() override { declare(symbols); }
  static void declare(Symbols& s) {
    EXPECT_EQ(s.variable("x") + s.variable("y"), "");
    EXPECT_EQ(s.points("cam", {{0, 1, 2}, {0, 1, 0}}), "");
    const auto jet = [](std::span<const double>, int, std::span<double>) {};
    EXPECT_EQ(s.function({.name = "f", .arity = 2, .order = 4, .jet = jet}), "");
  }
  static std::string anew(const std::string& text) {
    Graph graph;
    Symbols names(graph);
    declare(names);
    const Parsed parsed = parse(text, names);
    return parsed ? to_text(parsed.expression) : parsed.problems[0].text;
  }
  Graph g;
  Symbols symbols{g};
};

TEST_F(Print, UsesFewParentheses) {
  for (const char* text : {"x",
                           "-x",
                           "x + y*2",
                           "(x + y)*2",
                           "x - (y - 2)",
                           "x - y - 2",
                           "x - (y + 2)",
                           "x/(y*2)",
                           "x/y/2",
                           "x/(y/2)",
                           "x^2*y",
                           "(x*y)^2",
                           "-x^3",
                           "(-x)^3",
                           "x^y^2",
                           "(x^y)^2",
                           "x^(-2)",
                           "x^(y + 1)",
                           "2^(-x)",
                           "(-2)^x",
                           "x*(-2)",
                           "-2*x",
                           "-(x*y)",
                           "-(x + y)",
                           "-x - y",
                           "0.1*x",
                           "1e-30*x",
                           "sin(x + y)",
                           "min(x, y, 2)",
                           "min(x, min(y, 2))",
                           "max(min(x, y), 2)",
                           "if(x < y, 1, 2)",
                           "if(x <= y or x == 1, 1, 2)",
                           "if(not (x < y and x != 1), 1, 2)",
                           "if((x < 1 or x < 2) and not x < y, 1, 2)",
                           "if(x < 1 or x < 2 and x < 3, 1, 2)",
                           "if(x < 1 and (x < 2 and x < 3), 1, 2)",
                           "piecewise(x < 1, 2, x < 2, y, 3)",
                           "if(x < 1, if(x < 2, 3, 4), 5)",
                           "table(x, cam)*spline'(x + 1, cam)",
                           "f(x, y) + f'12(x, y)*f'2(y, x)"})
    EXPECT_EQ(anew(text), text);
  EXPECT_EQ(to_text(parse("if(x > y, 1, 2)", symbols).expression), "if(y < x, 1, 2)");
  EXPECT_EQ(to_text(parse("clamp(x, 0, 5 [mm])", symbols).expression), "min(max(x, 0), 0.005)");
}

TEST_F(Print, ReadsBackTheSameForRandomExpressions) {
  for_all("in the same graph and in a new one", [this] {
    const TreeMaker make{{-2, -1.5, -1, -0.0, 0, 0.1, 1, 2, 3, 1e17, 1e-9}};
    const Expression e = make.number(range(1, 6)).build({g.variable("x"), g.variable("y")});
    const std::string text = to_text(e);
    if (text.find("/0)") != text.npos) return;  // infinite or no number: not readable
    const Parsed same = parse(text, symbols);
    if (!same && same.problems[0].text.ends_with("beyond the limit of 1024")) return;
    if (!same) RC_FAIL(text + ": " + same.problems[0].text);
    if (same.expression != e) RC_FAIL(text + " is read as " + to_text(same.expression));
    RC_ASSERT(anew(text) == text);
  });
}

TEST_F(Print, ReadsBackDerivatives) {
  for (const char* text : {"sin(x)^y*tanh(x/y)", "f(x*y, x)^2", "spline(x^2, cam)*table(x, cam)",
                           "piecewise(x < 0, x^3, x < 1, atan2(x, y), acosh(x))",
                           "max(abs(x), hypot(x, y), asin(x))"}) {
    const std::array by = {g.variable("x"), g.variable("y"), g.variable("x")};
    const Derivative d = derivative(parse(text, symbols).expression, by);
    ASSERT_TRUE(d) << d.error;
    const Parsed again = parse(to_text(d.value), symbols);
    ASSERT_TRUE(again) << to_text(d.value) << again.problems[0].text;
    EXPECT_EQ(again.expression, d.value) << to_text(d.value);
  }
}

TEST_F(Print, IsCutWhereCommonPartsMakeItLong) {
  Expression e = g.variable("x");
  for (int i = 0; i < 60; ++i) e = apply(Op::sin, e) * e;  // 2^60 bytes in full
  const std::string text = to_text(e, 1000);
  EXPECT_EQ(text.size(), 1000u);
  EXPECT_TRUE(text.ends_with("..."));
  EXPECT_EQ(to_text(g.variable("x"), 1), "x");
  EXPECT_EQ(to_text(g.constant(kInf)) + to_text(g.constant(-kInf)) + to_text(g.constant(kNaN)),
            "(1/0)(-1/0)(0/0)");
}

}  // namespace
}  // namespace trammel::expr::print_test

// Expressions for people: the same values, and how they are written.
#include "expr/readable.h"

#include "expr/latex.h"
#include "expr/parse.h"
#include "expr/test_expressions.h"

namespace trammel::expr::readable_test {
namespace {

class Readable : public testing::Test {
 protected:
  Graph g;
  Expression read(const std::string& text) {
    Symbols symbols(g);
    for (const char* name : {"a", "b", "x", "u", "v"}) EXPECT_EQ(symbols.variable(name), "");
    const Parsed p = parse(text, symbols);
    EXPECT_TRUE(p) << text;
    return p.expression;
  }
  std::string written(const std::string& text) { return to_text(readable(read(text))); }
};

TEST_F(Readable, LikeTermsAreOne) {
  EXPECT_EQ(written("(x + 1)*(x - 1) + 1"), "x^2");
  EXPECT_EQ(written("2*x*u - u*x*3"), "-(u*x)");
  EXPECT_EQ(written("x*(u + v) - x*u - v*x"), "0");
  EXPECT_EQ(written("(x^2*u)/(x*v)"), "u*x/v");
}

TEST_F(Readable, CirclesAreOne) {
  EXPECT_EQ(written("sin(a)^2*x + x*cos(a)^2"), "x");
  EXPECT_EQ(written("cos(a)*cos(b) + sin(a)*sin(b)"), "cos(a - b)");
  EXPECT_EQ(written("cos(b)*cos(a)*x*2 - 2*x*sin(a)*sin(b)"), "2*x*cos(a + b)");
  EXPECT_EQ(written("sin(a)*cos(b) - cos(a)*sin(b)"), "sin(a - b)");
  EXPECT_EQ(written("cos(a)*sin(b) - sin(a)*cos(b)"), "-sin(a - b)");
  EXPECT_EQ(written("sin(a)*sin(b) - cos(a)*cos(b)"), "-cos(a + b)");
  EXPECT_EQ(written("sin(-a)"), "-sin(a)");
}

TEST_F(Readable, KeepsTheValue) {
  const std::vector<Expression> inputs = {g.variable("a"), g.variable("b"), g.variable("x"),
                                          g.variable("u"), g.variable("v")};
  for (const char* text :
       {"(cos(a)*u + sin(b)*v)^3", "x/(1 + sin(a)^2) + cos(a - b)*sin(a - b)",
        "(sin(a)*cos(b) + cos(a)*sin(b))*(x - u)^2/v", "sqrt(x^2 + (u*sin(a))^2 + (u*cos(a))^2)",
        "exp(a)*exp(-a) + hypot(x, u) - max(u, v)", "((a + b)^2)^-2"}) {
    const Expression e = read(text), r = readable(e);
    const std::vector<double> at = {0.3, -1.1, 0.7, 1.9, -0.4};
    EXPECT_NEAR(value_of(r, inputs, at), value_of(e, inputs, at), 1e-13) << text;
  }
}

TEST_F(Readable, WhatGrowsTooLongStays) {
  const Expression e = read("(a + b + x + u + v)^8");
  EXPECT_EQ(readable(e), e);
}

TEST(Latex, WritesNamesAndFunctions) {
  Graph g;
  const Expression t = g.variable("theta1"), w = g.variable("theta1'"), s = g.variable("slider");
  const auto sin = [](Expression e) { return apply(Op::sin, e); };
  EXPECT_EQ(to_latex(2 * t * pow(w, 2) - sin(t - s)),
            "2 \\theta_{1} \\dot{\\theta}_{1}^{2} - \\sin\\left(\\theta_{1} - "
            "\\mathrm{slider}\\right)");
  EXPECT_EQ(to_latex(pow(sin(t), 2) / (1 + s)),
            "\\frac{\\sin^{2} \\theta_{1}}{1 + \\mathrm{slider}}");
  EXPECT_EQ(to_latex(sin(t) * 0.5 * w), "0.5 \\sin \\theta_{1} \\dot{\\theta}_{1}");
  EXPECT_EQ(to_latex(-(t * (s - 1e-9))),
            "-\\theta_{1} \\left(\\mathrm{slider} - 1 \\cdot 10^{-9}\\right)");
}

}  // namespace
}  // namespace trammel::expr::readable_test

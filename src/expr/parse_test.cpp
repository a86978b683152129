#include "expr/parse.h"

#include <fmt/core.h>

#include <numbers>

#include "expr/derivative.h"
#include "expr/test_expressions.h"

namespace trammel::expr::parse_test {
namespace {

class Parse : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"x", "y", "joint.angle", "_a1"}) EXPECT_EQ(symbols.variable(name), "");
  }
  double value(const std::string& text) {
    const Parsed parsed = parse(text, symbols);
    if (!parsed) return ADD_FAILURE() << text << ": " << parsed.problems[0].text, kNaN;
    return value_of(parsed.expression, {read("x"), read("y"), read("joint.angle"), read("_a1")},
                    {2, 3, 5, 7});
  }
  Expression read(const std::string& text) { return parse(text, symbols).expression; }
  Graph g;
  Symbols symbols{g};
};

TEST_F(Parse, OperatorsBindAsUsual) {
  EXPECT_EQ(value("x + y*4"), 14);
  EXPECT_EQ(value("(x + y)*4"), 20);
  EXPECT_EQ(value("x - y - 4"), -5);
  EXPECT_EQ(value("24/x/y"), 4);
  EXPECT_EQ(value("24/(x*y)"), 4);
  EXPECT_EQ(value("-x^2"), -4);
  EXPECT_EQ(value("(-x)^2"), 4);
  EXPECT_EQ(value("x^-1"), 0.5);
  EXPECT_EQ(value("x^y^2"), 512);
  EXPECT_EQ(value("(x^y)^2"), 64);
  EXPECT_EQ(value("2^-x*3"), 0.75);
  EXPECT_EQ(value("x*-y"), -6);
  EXPECT_EQ(value("--x"), 2);
  EXPECT_EQ(value("x - -y"), 5);
  EXPECT_EQ(value(" x\t+\n y\r"), 5);
}

TEST_F(Parse, ConditionsBindAsUsual) {
  const auto holds = [&](const std::string& c) { return value("if(" + c + ", 1, 0)") == 1; };
  EXPECT_TRUE(holds("x < y"));
  EXPECT_FALSE(holds("x > y"));
  EXPECT_TRUE(holds("x <= 2 and y >= 3"));
  EXPECT_TRUE(holds("x == 2"));
  EXPECT_FALSE(holds("x != 2"));
  EXPECT_TRUE(holds("x == 2 or x == 3 and y == 0"));
  EXPECT_FALSE(holds("(x == 2 or x == 3) and y == 0"));
  EXPECT_TRUE(holds("not x > y and x + 1 == y"));
  EXPECT_FALSE(holds("not (x < y and x > 0)"));
  EXPECT_TRUE(holds("not not x < y"));
}

TEST_F(Parse, NumbersAreTheNearestDoubles) {
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("5."), 5);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("1.5E+3"), 1500);
  EXPECT_EQ(value("1.7976931348623157e308"), 1.7976931348623157e308);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("tau"), 2 * std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
}

TEST_F(Parse, NumbersMayHaveUnits) {
  EXPECT_EQ(value("1435 [mm]"), 1.435);
  EXPECT_EQ(value("90[km/h]"), 25);
  EXPECT_EQ(value("2 [N m/(rad s)] * x"), 4);
  EXPECT_EQ(value("180 [deg]"), std::numbers::pi);
  EXPECT_EQ(value("25 [%]"), 0.25);
  EXPECT_EQ(value("20 [degC]"), 293.15);
  EXPECT_EQ(value("-5 [mm]"), -0.005);
  EXPECT_EQ(value("2 [m]^3"), 8);
  const Parsed parsed = parse("5 [MN/m]", symbols);
  EXPECT_EQ(parsed.dimension, units::kStiffness);
  EXPECT_EQ(parse("5", symbols).dimension, std::nullopt);
}

TEST_F(Parse, NamesHaveParts) {
  EXPECT_EQ(value("joint.angle - _a1"), -2);
  EXPECT_EQ(symbols.define("k", g.constant(4)), "");
  EXPECT_EQ(symbols.define("sum", read("x + y")), "");
  EXPECT_EQ(value("k*sum"), 20);
}

TEST_F(Parse, FunctionsHaveTheirArguments) {
  EXPECT_EQ(value("min(x, y, 1, 4)"), 1);
  EXPECT_EQ(value("max(x, y, 1)"), 3);
  EXPECT_EQ(value("clamp(x, 3, 4)"), 3);
  EXPECT_EQ(value("hypot(3, 4)"), 5);
  EXPECT_EQ(value("atan2(1, 0)"), std::atan2(1, 0));
  EXPECT_EQ(value("smoothstep(1, 3, x)"), 0.5);
  EXPECT_EQ(value("step(x - y) + 2*step(y - x)"), 2);
  EXPECT_EQ(value("piecewise(x > y, 1, x == 2, 5, 6)"), 5);
  EXPECT_EQ(value("sign(-x)*floor(2.7)"), -2);
}

TEST_F(Parse, WhatIsTheSameIsShared) {
  const std::size_t size = (read("sin(x)*y + sin(x)"), g.size());
  read("y*sin(x) + sin(x)");
  EXPECT_EQ(g.size(), size);
}

}  // namespace
}  // namespace trammel::expr::parse_test

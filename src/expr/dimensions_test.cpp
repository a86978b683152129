#include "expr/dimensions.h"

#include <fmt/core.h>

#include "expr/test_expressions.h"

namespace trammel::expr::dimensions_test {
namespace {

using units::Dimension;

class Dimensions : public testing::Test {
 protected:
  void SetUp() override {
    const std::pair<const char*, Dimension> all[] = {
        {"x", units::kLength},    {"v", units::kSpeed}, {"t", units::kTime},
        {"k", units::kStiffness}, {"a", units::kAngle}, {"w", units::kAngularSpeed},
        {"n", units::kRatio},     {"m", units::kMass},  {"area", units::kArea}};
    for (const auto& [name, dimension] : all) EXPECT_EQ(symbols.variable(name, dimension), "");
    EXPECT_EQ(symbols.variable("free"), "");
    EXPECT_EQ(symbols.points("cam", {.x = {0, 1},
                                     .y = {0, 1},
                                     .x_dimension = units::kAngle,
                                     .y_dimension = units::kLength}),
              "");
    EXPECT_EQ(symbols.points("loose", {{0, 1}, {0, 1}}), "");
    const auto jet = [](std::span<const double>, int, std::span<double>) {};
    EXPECT_EQ(symbols.function({.name = "height",
                                .arity = 2,
                                .jet = jet,
                                .arguments = {units::kLength, units::kLength},
                                .result = units::kLength}),
              "");
  }
  std::string of(const std::string& text, MaybeDimension needed = {}) {
    const Parsed parsed = parse(text, symbols, needed);
    if (!parsed) return fmt::format("{}: {}", parsed.problems[0].column, parsed.problems[0].text);
    return parsed.dimension ? describe(*parsed.dimension) : "any";
  }
  Graph g;
  Symbols symbols{g};
};

TEST_F(Dimensions, FollowTheOperations) {
  EXPECT_EQ(of("x + 2*x - 5 [mm]"), "a length [m]");
  EXPECT_EQ(of("k*x"), "a force [N]");
  EXPECT_EQ(of("x/t"), "a speed [m/s]");
  EXPECT_EQ(of("-v"), "a speed [m/s]");
  EXPECT_EQ(of("v^2/x"), "an acceleration [m/s^2]");
  EXPECT_EQ(of("x^-1"), "a curvature [1/m]");
  EXPECT_EQ(of("(x*x)^0.5"), "a length [m]");
  EXPECT_EQ(of("(x^3)^(1/3)"), "a length [m]");
  EXPECT_EQ(of("area^1.5"), "a volume [m^3]");
  EXPECT_EQ(of("sqrt(k/m)"), "a frequency [Hz]");
  EXPECT_EQ(of("cbrt(x^6)"), "an area [m^2]");
  EXPECT_EQ(of("sqrt(v^2 + k*x^2/m)"), "a speed [m/s]");
  EXPECT_EQ(of("hypot(x, 3 [m])"), "a length [m]");
  EXPECT_EQ(of("atan2(x, 2 [m])"), "an angle [rad]");
  EXPECT_EQ(of("sin(w*t) + cos(n)"), "a plain number");
  EXPECT_EQ(of("max(x, 1 [mm], 0)"), "a length [m]");
  EXPECT_EQ(of("clamp(v, -1, 1)"), "a speed [m/s]");
  EXPECT_EQ(of("smoothstep(0 [m], 1 [m], x)"), "a plain number");
  EXPECT_EQ(of("if(x < 5 [mm], k, 2*k)"), "a stiffness [N/m]");
  EXPECT_EQ(of("sign(x) + step(t)"), "a plain number");
  EXPECT_EQ(of("abs(x)*pi"), "a length [m]");
  EXPECT_EQ(of("table(a, cam)"), "a length [m]");
  EXPECT_EQ(of("spline''(a, cam)"), "a quantity in m/rad^2");
  EXPECT_EQ(of("height(x, x)/t"), "a speed [m/s]");
}

TEST_F(Dimensions, RadiansCountAsOne) {
  EXPECT_EQ(of("x*w + v", units::kSpeed), "a quantity in m rad/s");
  EXPECT_EQ(of("a + n + pi/2 + 90 [deg]"), "an angle [rad]");
  EXPECT_EQ(of("x*a", units::kLength), "a quantity in m rad");
  EXPECT_EQ(of("exp(a)"), "a plain number");
  EXPECT_EQ(of("sqrt(a)"), "a plain number");
}

TEST_F(Dimensions, OfPlainNumbersAndOfTheUndeclaredAreOpen) {
  EXPECT_EQ(of("x + 0.05"), "a length [m]");
  EXPECT_EQ(of("-2000*x"), "any");
  EXPECT_EQ(of("-2000*x", units::kForce), "any");
  EXPECT_EQ(of("2*x + v"), "a speed [m/s]");
  EXPECT_EQ(of("free + x"), "a length [m]");
  EXPECT_EQ(of("free*x + v*free"), "any");
  EXPECT_EQ(of("sin(free*x)"), "a plain number");
  EXPECT_EQ(of("table(x, loose)"), "any");
  EXPECT_EQ(of("free^x"), "5: the exponent 'x' is a length [m], a plain number is needed");
}

TEST_F(Dimensions, AreComplainedOf) {
  EXPECT_EQ(of("x + t"), "4: 'x' is a length [m], 't' is a time [s]: they cannot be added");
  EXPECT_EQ(of("2 + x + 3 - t"),
            "12: '2 + x + 3' is a length [m], 't' is a time [s]: they cannot be subtracted");
  EXPECT_EQ(of("if(x > t, 1, 2)"),
            "7: 'x' is a length [m], 't' is a time [s]: they cannot be compared");
  EXPECT_EQ(of("if(x > 1, x, t)"),
            "13: 'x' is a length [m], 't' is a time [s]: they cannot be together in if");
  EXPECT_EQ(of("max(x, 1, t)"),
            "10: 'x' is a length [m], 't' is a time [s]: they cannot be together in max");
  EXPECT_EQ(of("5 [mm] + 3 [s]"),
            "9: '5 [mm]' is a length [m], '3 [s]' is a time [s]: they cannot be added");
  EXPECT_EQ(of("1 + sin(x)"), "8: sin of 'x', a length [m]: a plain number or an angle is needed");
  EXPECT_EQ(of("exp(t)"), "4: exp of 't', a time [s]: a plain number or an angle is needed");
  EXPECT_EQ(of("2^t"), "2: the exponent 't' is a time [s], a plain number is needed");
  EXPECT_EQ(of("x^n"), "2: 'x' is a length [m]: its exponent must be a constant, not 'n'");
  EXPECT_EQ(of("x^0.5"), "2: 'x' is a length [m]: its power 0.5 has no unit");
  EXPECT_EQ(of("x^1000"), "2: 'x' is a length [m]: its power 1000 has no unit");
  EXPECT_EQ(of("x^13"), "2: the unit is beyond the power of 12");
  EXPECT_EQ(of("x^12*x"), "5: the unit is beyond the power of 12");
  EXPECT_EQ(of("sqrt(x)"), "5: the square root of 'x', a length [m], has no unit");
  EXPECT_EQ(of("cbrt(v)"), "5: the cubic root of 'v', a speed [m/s], has no unit");
  EXPECT_EQ(of("table(x, cam)"), "6: 'x' is a length [m], an angle [rad] is needed by table");
  EXPECT_EQ(of("height(x, t)"), "10: 't' is a time [s], a length [m] is needed by height");
  EXPECT_EQ(of("k*v", units::kForce),
            "0: the result is a quantity in kg m/s^3, a force [N] is needed");
}

}  // namespace
}  // namespace trammel::expr::dimensions_test

#include "track/twist.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "geom/curve_check.h"

namespace trammel::track::twist_test {
namespace {

using geom::Shape;
using geom::slope;

constexpr Shape kShapes[] = {Shape::constant, Shape::linear,  Shape::bloss,   Shape::cosine,
                             Shape::sine,     Shape::helmert, Shape::viennese};

void expect_derivatives(const Twist& twist, double from, double to) {
  for (std::size_t i = 0; i < twist.starts().size(); ++i)
    for (const double sigma : {from, 0.3 * from + 0.7 * to, to}) {
      const auto eval = [&](double x) {
        TwistPoint out;
        twist.eval(x, i, 2, out);
        return out;
      };
      const auto angle = [&](double x) { return std::atan2(eval(x).s, eval(x).c); };
      const auto rate = [&](double x) { return eval(x).d1; };
      const TwistPoint at = eval(sigma);
      EXPECT_NEAR(slope<double>(angle, sigma, 0.02), at.d1, 1e-11);
      EXPECT_NEAR(slope<double>(rate, sigma, 0.02), at.d2, 1e-11);
      EXPECT_NEAR(at.c * at.c + at.s * at.s, 1, 3e-16);
    }
}

TEST(Twist, EveryShapeHasItsDerivatives) {
  for (const Shape shape : kShapes) {
    SCOPED_TRACE(static_cast<int>(shape));
    expect_derivatives(Twist(CantSpec{.elements = {{shape, 40, -0.1, 0.3, 0.2, 0.05}}}), 2, 38);
    expect_derivatives(Twist(TwistSpec{.elements = {{shape, 40, -0.4, 1.2}}}), 2, 38);
  }
}

TEST(Twist, SineOfTheTwistIsCantOverBase) {
  for (const Shape shape : kShapes) {
    const Twist twist(CantSpec{.elements = {{shape, 40, 0.01, 0.15, 0.03, 0}}});
    EXPECT_NEAR(twist.angle(0), std::asin(-0.02 / 1.5), 1e-16);
    if (shape == Shape::constant) continue;
    EXPECT_NEAR(twist.angle(20), std::asin(0.065 / 1.5), 1e-16);  // every ramp is half way there
    EXPECT_NEAR(twist.angle(40), std::asin(0.15 / 1.5), 1e-15);
  }
  const Twist narrow(CantSpec{.elements = {{.length = 1, .left0 = 0.06}}, .base = 0.6});
  EXPECT_NEAR(narrow.angle(0.5), std::asin(0.1), 1e-16);
}

TEST(Twist, BankingOfARightCurveLiftsTheLeftRail) {
  const CantElement left{.length = 10, .left0 = 0.1}, right{.length = 10, .right0 = 0.1};
  EXPECT_GT(Twist(CantSpec{.elements = {left}}).angle(5), 0);
  EXPECT_LT(Twist(CantSpec{.elements = {right}}).angle(5), 0);
}

bool says(const std::vector<Problem>& problems, const std::string& path, const std::string& text) {
  for (const Problem& p : problems)
    if (p.path == path && p.text.find(text) != std::string::npos) return true;
  return false;
}

TEST(Twist, Complains) {
  const auto problems = check(CantSpec{
      .elements = {{.length = 0}, {Shape::linear, 10, 0, 1.6, 0, 0}, {.length = 5, .left0 = 0.1}}});
  EXPECT_TRUE(says(problems, "[0].length", "length 0 m"));
  EXPECT_TRUE(
      says(problems, "[1]", "cant 1.6 m (left over right): must be less than the base 1.5"));
  CantSpec step{.elements = {{.length = 5}, {.length = 5, .left0 = 0.15}}};
  EXPECT_TRUE(says(check(step), "[1]", "a step of 0.100167 rad"));
  step.max_step = 0.2;
  EXPECT_TRUE(check(step).empty());
  EXPECT_TRUE(says(check(CantSpec{}), "", "no elements"));
  EXPECT_TRUE(says(check(CantSpec{.elements = {{.length = 1}}, .base = 0}), "base", "base 0 m"));
  EXPECT_TRUE(says(check(TwistSpec{.elements = {{Shape::linear, -1, 0, NAN}}}), "[0]", "nan"));
  EXPECT_TRUE(says(check(TwistSpec{.elements = {{.length = 1}, {.length = 1, .w0 = 1}}}), "[1]",
                   "a step of 1 rad"));
}

}  // namespace
}  // namespace trammel::track::twist_test

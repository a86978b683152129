#include "expr/points.h"

#include <array>

#include "expr/derivative.h"
#include "expr/test_expressions.h"

namespace trammel::expr::points_test {
namespace {

std::array<double, 4> jet(const Function& f, double x) {
  std::array<double, 4> out;
  f.jet(std::span(&x, 1), 3, out);
  return out;
}

TEST(Table, IsLinearBetweenAndConstantOutside) {
  const auto f = table("data", {{0, 1, 3}, {2, 4, 0}});
  EXPECT_EQ(jet(*f, -1), (std::array<double, 4>{2, 0, 0, 0}));
  EXPECT_EQ(jet(*f, 0), (std::array<double, 4>{2, 2, 0, 0}));  // to the right
  EXPECT_EQ(jet(*f, 0.5), (std::array<double, 4>{3, 2, 0, 0}));
  EXPECT_EQ(jet(*f, 1), (std::array<double, 4>{4, -2, 0, 0}));
  EXPECT_EQ(jet(*f, 2), (std::array<double, 4>{2, -2, 0, 0}));
  EXPECT_EQ(jet(*f, 3), (std::array<double, 4>{0, 0, 0, 0}));
  EXPECT_EQ(jet(*f, kInf), (std::array<double, 4>{0, 0, 0, 0}));
  EXPECT_EQ(jet(*f, -kInf), (std::array<double, 4>{2, 0, 0, 0}));
  EXPECT_TRUE(std::isnan(jet(*f, kNaN)[0]));
}

Points random_points(int n) {
  Points p;
  for (int i = 0; i < n; ++i) {
    p.x.push_back((p.x.empty() ? 0 : p.x.back()) + uniform(0.1, 2));
    p.y.push_back(uniform(-5, 5));
  }
  return p;
}

// With the right slopes at the ends a cubic is its own spline. Tolerance: rounding.
TEST(Spline, ReproducesCubics) {
  for_all("with the ends' slopes given", [] {
    const double a = uniform(-2, 2), b = uniform(-2, 2), c = uniform(-2, 2), d = uniform(-2, 2);
    Points p = random_points(range(2, 8));
    const auto slope = [&](double x) { return b + x * (2 * c + x * 3 * d); };
    for (std::size_t i = 0; i < p.x.size(); ++i)
      p.y[i] = a + p.x[i] * (b + p.x[i] * (c + p.x[i] * d));
    p.slope_first = slope(p.x.front());
    p.slope_last = slope(p.x.back());
    const double x = uniform(p.x.front(), p.x.back());
    const auto [y, y1, y2, y3] = jet(*spline("data", p), x);
    RC_ASSERT(std::abs(y - (a + x * (b + x * (c + x * d)))) < 1e-10);
    RC_ASSERT(std::abs(y1 - slope(x)) < 1e-10);
    RC_ASSERT(std::abs(y2 - (2 * c + 6 * d * x)) < 1e-9);
    RC_ASSERT(std::abs(y3 - 6 * d) < 1e-8);
  });
}

// The jets on both sides of each point agree up to the second derivative. Tolerance: rounding, and
// 1e-9 of the third derivative.
TEST(Spline, IsTwiceContinuouslyDifferentiableEverywhere) {
  for_all("natural", [] {
    const Points p = random_points(range(2, 8));
    const auto f = spline("data", p);
    for (std::size_t i = 0; i < p.x.size(); ++i) {
      const auto left = jet(*f, p.x[i] - 1e-9), right = jet(*f, p.x[i]);
      RC_ASSERT(std::abs(right[0] - p.y[i]) < 1e-12);
      RC_ASSERT(std::abs(left[0] - right[0]) < 1e-6);
      RC_ASSERT(std::abs(left[1] - right[1]) < 1e-4);
      RC_ASSERT(std::abs(left[2] - right[2]) < 1e-4);
    }
    RC_ASSERT(std::abs(jet(*f, p.x.front())[2]) < 1e-10);
    const double beyond = uniform(0, 3), slope = jet(*f, p.x.back())[1];
    RC_ASSERT(std::abs(jet(*f, p.x.back() + beyond)[0] - (p.y.back() + slope * beyond)) < 1e-12);
  });
}

TEST(Spline, TakesTheSlopesOfItsEnds) {
  const auto f = spline("data", {{0, 1, 2}, {0, 1, 0}, 3, -2});
  EXPECT_NEAR(jet(*f, 0)[1], 3, 1e-15);
  EXPECT_NEAR(jet(*f, 2)[1], -2, 1e-15);
  EXPECT_NEAR(jet(*f, -1)[0], -3, 1e-15);
  EXPECT_NEAR(jet(*f, 1)[0], 1, 1e-15);
}

TEST(Data, IsChecked) {
  EXPECT_EQ(complaint({{0, 1}, {0}}), "there are 2 x and 1 y");
  EXPECT_EQ(complaint({{0}, {0}}), "at least two points are needed");
  EXPECT_EQ(complaint({{0, 1, 1}, {0, 0, 0}}), "x must rise, 1 at point 2 follows 1");
  EXPECT_EQ(complaint({{0, 1, kNaN}, {0, 0, 0}}), "point 2 is not finite");
  EXPECT_EQ(complaint({{0, 1}, {0, kInf}}), "point 1 is not finite");
  EXPECT_EQ(complaint({{0, 1e-300}, {0, 1e300}}), "the slope before point 1 is not finite");
  EXPECT_EQ(complaint({{0, 1}, {0, 1}, kNaN}), "the slope at an end is not finite");
  EXPECT_EQ(complaint({{0, 1}, {0, 1}}), "");
  Graph g;
  Symbols symbols(g);
  EXPECT_EQ(symbols.points("cam", {{0}, {0}}), "'cam': at least two points are needed");
}

TEST(Data, IsUsedByName) {
  Graph g;
  Symbols symbols(g);
  ASSERT_EQ(symbols.variable("x") + symbols.points("cam", {{0, 1, 3}, {2, 4, 0}}), "");
  const auto value = [&](const char* text, double x) {
    const Parsed parsed = parse(text, symbols);
    EXPECT_TRUE(parsed) << text;
    return value_of(parsed.expression, {g.variable("x")}, {x});
  };
  EXPECT_EQ(value("table(2*x, cam)", 0.25), 3);
  EXPECT_EQ(value("table'(2*x, cam)", 0.25), 2);
  EXPECT_EQ(value("spline(x, cam)", 1), 4);
  const Expression f = parse("table(x^2, cam)", symbols).expression;
  EXPECT_EQ(to_text(derivative(f, g.variable("x")).value), "table'(x^2, cam)*(2*x)");
}

}  // namespace
}  // namespace trammel::expr::points_test

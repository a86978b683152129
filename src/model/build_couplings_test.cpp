// Profiles of cams by points: the spline through them, its derivatives, and what lies beyond.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/builder.h"

namespace trammel::model::build_couplings_test {
namespace {

/// At places between the points, too: values, and derivatives against differences.
void expect_follows(const joint::Profile& f, double from, double to, double (*exact)(double),
                    double within) {
  constexpr double e = 1e-5;
  for (int i = 1; i < 97; ++i) {
    const double x = from + (to - from) * (i + 0.31) / 98;
    const Jet at = f(x);
    EXPECT_NEAR(at.x, exact(x), within) << x;
    EXPECT_NEAR(at.v, (f(x + e).x - f(x - e).x) / (2 * e), 1e-8) << x;
    EXPECT_NEAR(at.a, (f(x + e).v - f(x - e).v) / (2 * e), 1e-4) << x;  // third ones jump at points
  }
}

TEST(Tabulated, IsTheSplineThroughItsPoints) {
  std::vector<double> x, y;
  for (int i = 0; i <= 24; ++i) {
    x.push_back(2 * M_PI * (i + 0.3 * std::sin(i)) / 24);
    y.push_back(2 + std::sin(x.back()));
  }
  y.back() = y.front();
  x.back() = x.front() + 2 * M_PI;
  const auto wave = [](double at) { return 2 + std::sin(at); };
  // h^4/384 of the fourth derivative, h = 0.4
  expect_follows(tabulated(x, y, true), x.front(), x.back(), wave, 2e-4);
  expect_follows(tabulated(x, y, true), x.front() - 7, x.front() - 1, wave, 2e-4);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(tabulated(x, y, true)(x[i]).x, y[i], 1e-14);
}

TEST(Tabulated, GoesStraightOnBeyondItsPoints) {
  const std::vector<double> x{-1, 0, 0.5, 2}, y{3, 1, 1.5, -1};
  const joint::Profile f = tabulated(x, y);
  for (const double end : {-1., 2.}) {
    const double out = end > 0 ? 0.7 : -0.7;
    EXPECT_NEAR(f(end).a, 0, 1e-13);  // natural ends
    EXPECT_NEAR(f(end + out).x, f(end).x + out * f(end).v, 1e-14);
    EXPECT_EQ(f(end + out).v, f(end).v);
    EXPECT_EQ(f(end + out).a, 0);
  }
}

}  // namespace
}  // namespace trammel::model::build_couplings_test

// Grids, distances, and orders and limits of runs whose errors are known.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "math/rotation.h"
#include "verify/series.h"

namespace trammel::verify::samples_test {
namespace {

TEST(Grid, EndsAtTheHorizonWhereItCan) {
  for (const long steps : {1L, 7L, 40L, 63L, 96L, 1000L, 2000L, 95000L}) {
    const Grid g = make_grid(1e-3, 1e-3 * static_cast<double>(steps));
    EXPECT_EQ(g.stride * g.count, steps);
    EXPECT_EQ(g.stride % g.coarse(), 0);
    EXPECT_LE(g.count, 50);
    EXPECT_LE(g.coarse(), 20);
  }
  const Grid prime = make_grid(1e-3, 10.007);  // 10007 steps
  EXPECT_LT(prime.stride * prime.count, 10007);
  EXPECT_GT(prime.stride * prime.count, 9500);
  EXPECT_EQ(prime.coarse(), 20);
  EXPECT_EQ(make_grid(1e-3, 50 * 0.353).coarse(), 20);  // 353 is a prime
}

TEST(Distance, OfPoses) {
  const Vec3 turn(0, 1e-9, 0);
  const std::vector<Pose> a{{}, {{1, 0, 0}, Mat3::Identity()}};
  const std::vector<Pose> b{{{0, 3, 4}, Mat3::Identity()}, {{1, 0, 0}, exp_matrix(turn)}};
  const Distance d = apart(a.data(), b.data(), 2);
  EXPECT_EQ(d.length, 5);
  EXPECT_EQ(d.length_body, 0);
  EXPECT_NEAR(d.angle, 1e-9, 1e-15);  // rounding
  EXPECT_EQ(d.angle_body, 1);
}

/// A body at (t, 0, 0), turned by t about z, both off by a h^p + b h^(p+2).
Series known(int p, int observed, double a, double b) {
  Series s;
  s.nominal = p;
  for (int level = 0; level < 3; ++level) {
    const double h = std::pow(0.5, level);
    const double e = a * std::pow(h, observed) + b * std::pow(h, observed + 2);
    Samples run;
    run.object = {1};
    run.step = h;
    for (int k = 1; k <= 10; ++k) {
      const double x = k * (0.1 + e);
      run.X.push_back({Vec3(x, 0, 0), exp_matrix(Vec3(0, 0, x))});
    }
    s.runs.push_back(run);
  }
  return s;
}

TEST(Series, FindsOrderAndLimit) {
  for (const int p : {2, 4}) {
    Series s = known(p, p, 1e-4, 1e-6);
    extrapolate(s, {.size = 1, .usable = 10});
    EXPECT_NEAR(s.order, p, 0.03);
    EXPECT_TRUE(s.extrapolated);
    const double left = (s.limit.back().p - Vec3(1, 0, 0)).norm();
    EXPECT_LT(left, 2e-6);  // of the order p + 2
    EXPECT_LT(left, s.uncertainty.back().length);
    EXPECT_LT(s.uncertainty.back().length, 2e-5);
    const double angle = apart(&s.limit.back(), &s.limit.back(), 1).angle;
    EXPECT_EQ(angle, 0);
    const Pose exact{Vec3(1, 0, 0), exp_matrix(Vec3(0, 0, 1))};
    EXPECT_NEAR(apart(&s.limit.back(), &exact, 1).angle, left, 1e-12);
    EXPECT_NEAR(s.error.back().length, 1e-3, 2e-5);
  }
}

TEST(Series, DoesNotExtrapolateWhatHasAnotherOrder) {
  Series s = known(2, 1, 1e-4, 0);
  extrapolate(s, {.size = 1, .usable = 10});
  EXPECT_NEAR(s.order, 1, 1e-6);
  EXPECT_FALSE(s.extrapolated);
  const double left = (s.limit.back().p - Vec3(1, 0, 0)).norm();
  EXPECT_NEAR(s.uncertainty.back().length, left, 1e-9);  // order one: what two runs differ by
  EXPECT_FALSE(s.note.empty());
}

// An order between the nominal one and the next shows where both have a part, and both are taken
// away. What that changes is the uncertainty. Beyond the next order nothing is known.
TEST(Series, ExtrapolatesUpToTheNextOrder) {
  Series s = known(2, 3, 1e-4, 0);
  extrapolate(s, {.size = 1, .usable = 10});
  EXPECT_NEAR(s.order, 3, 1e-6);
  EXPECT_TRUE(s.extrapolated);
  const double left = (s.limit.back().p - Vec3(1, 0, 0)).norm();
  const double of_one = 4. / 3 * 1e-3 / 64;  // h/4 and h/2: 1/64 + (1/64 - 1/8)/3
  EXPECT_LT(left, 1e-3 * of_one);
  EXPECT_NEAR(s.uncertainty.back().length, of_one, 1e-2 * of_one);
  Series other = known(2, 4, 1e-4, 0);
  extrapolate(other, {.size = 1, .usable = 10});
  EXPECT_FALSE(other.extrapolated);
}

/// Energy that a scheme takes, which falls with the square of the step: none is left in the limit,
/// and the uncertainty is that of the steps. What is left strains the bodies.
TEST(Series, WhatIsDampedInTheLimitIsUncertain) {
  for (const double left : {0., 2e-6}) {
    Series s = known(2, 2, 1e-4, 0), rigid = s;
    s.vibrating = {100, 0.5};  // [J], [m]
    for (std::size_t level = 0; level < 3; ++level)
      s.runs[level].taken.assign(10, left + 3e-3 * std::pow(0.25, level));
    extrapolate(s, {.size = 1, .usable = 10});
    extrapolate(rigid, {.size = 1, .usable = 10});
    const double strain = std::sqrt(2 * left / 100);
    EXPECT_NEAR(s.uncertainty.back().angle - rigid.uncertainty.back().angle, strain, 1e-9);
    EXPECT_NEAR(s.uncertainty.back().length - rigid.uncertainty.back().length, strain, 1e-9);
  }
}

}  // namespace
}  // namespace trammel::verify::samples_test

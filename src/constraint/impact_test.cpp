#include "constraint/impact.h"

#include <gtest/gtest.h>

#include <random>

#include "math/index.h"

namespace trammel::constraint::impact_test {
namespace {

constexpr double kNone = 1e-12;

ImpactResult solved(Impacts how, const std::vector<ImpactPoint>& points, const MatX& W) {
  DenseImpact response(W);
  return solve_impact(how, points, kNone, 1e-13, response);
}

VecX rates(const std::vector<ImpactPoint>& points) {
  VecX u(3 * count(points));
  for (int i = 0; i < count(points); ++i) u.segment<3>(3 * i) = points[at(i)].before;
  return u;
}

VecX rates_after(const std::vector<ImpactPoint>& points, const MatX& W, const VecX& p) {
  return rates(points) + W * p;
}

double work(const std::vector<ImpactPoint>& points, const MatX& W, const VecX& p) {
  return p.dot(rates(points) + 0.5 * W * p);
}

/// Of the lower end of a rod of 2 m and 3 kg, so far from upright, on the ground.
MatX rod(double angle) {
  const double m = 3, l = 1, I = m * l * l / 3;
  const Vec3 r = l * Vec3(-std::sin(angle), 0, -std::cos(angle));  // from its middle
  const Vec3 axes[] = {Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY()};
  MatX W(3, 3);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      W(i, k) = axes[i].dot(axes[k]) / m + r.cross(axes[i]).dot(r.cross(axes[k])) / I;
  return W;
}

/// Equal balls of 1 kg in a row, the contacts between them.
MatX row_of_balls(int contacts) {
  MatX W = MatX::Zero(3 * contacts, 3 * contacts);
  for (int i = 0; i < contacts; ++i)
    for (int k = 0; k < contacts; ++k)
      for (int d = 0; d < 3; ++d)
        W(3 * i + d, 3 * k + d) = i == k ? 2 : std::abs(i - k) == 1 ? -1 : 0;
  return W;
}

std::vector<ImpactPoint> struck_row(int contacts, double e) {
  std::vector<ImpactPoint> out(at(contacts));
  for (int i = 0; i < contacts; ++i) {
    out[at(i)].pair = i;
    out[at(i)].restitution = e;
  }
  out[0].before = {-1, 0, 0};
  return out;
}

TEST(Impact, OfOnePointWithoutFrictionIsTheSameByNewtonAndPoisson) {
  for (const double e : {0., 0.3, 1.}) {
    ImpactPoint point;
    point.restitution = e;
    point.before = {-2, 5, 0};
    const MatX W = rod(0.4);
    const VecX newton = solved(Impacts::simultaneous, {point}, W).p;
    point.poisson = true;
    const VecX poisson = solved(Impacts::simultaneous, {point}, W).p;
    EXPECT_NEAR((newton - poisson).norm(), 0, 1e-13);
    EXPECT_NEAR(newton[0], 2 * (1 + e) / W(0, 0), 1e-13);
  }
}

// A rod that falls obliquely: friction stops its slip, which presses its end harder, so that to
// leave as fast as it came it has to be pushed with more than it has brought (Kane 1984).
TEST(Impact, OfARodGainsEnergyByNewtonAndNotByPoisson) {
  ImpactPoint point;
  point.mu = 0.4;
  point.restitution = 0.95;
  point.before = {-1, 0.75, 0};
  const MatX W = rod(0.5);
  const VecX newton = solved(Impacts::simultaneous, {point}, W).p;
  EXPECT_NEAR(rates_after({point}, W, newton)[0], 0.95, 1e-12);
  EXPECT_GT(work({point}, W, newton), 0.1);
  point.poisson = true;
  const VecX poisson = solved(Impacts::simultaneous, {point}, W).p;
  EXPECT_LT(work({point}, W, poisson), 0);
  EXPECT_LE(poisson.tail<2>().norm(), point.mu * poisson[0] * (1 + 1e-12));
}

// Rods at any angle, slip, friction and restitution.
TEST(Impact, ByPoissonNeverGains) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  int by_newton = 0;
  for (int k = 0; k < 2000; ++k) {
    ImpactPoint point;
    point.mu = 0.75 * (1 + any(random));
    point.restitution = 0.5 * (1 + any(random));
    point.before = {-1, 3 * any(random), 3 * any(random)};
    const MatX W = rod(1.5 * any(random));
    const VecX newton = solved(Impacts::simultaneous, {point}, W).p;
    by_newton += work({point}, W, newton) > 1e-9;
    point.poisson = true;
    const ImpactResult result = solved(Impacts::simultaneous, {point}, W);
    ASSERT_TRUE(result.effort.converged) << k << ", " << result.effort.merit;
    ASSERT_LT(work({point}, W, result.p), 1e-12) << k;
    const VecX after = rates_after({point}, W, result.p);
    ASSERT_GE(after[0], -1e-12) << k;
    // Coulomb's law of the whole: what slips is rubbed by all that friction can, against the slip
    if (after.tail<2>().norm() < 1e-9) continue;
    const Vec3 p = result.p, slip = after;
    EXPECT_NEAR(p.tail<2>().norm(), point.mu * p[0], 1e-9) << k;
    EXPECT_NEAR(p.tail<2>().dot(slip.tail<2>()), -p.tail<2>().norm() * slip.tail<2>().norm(), 1e-8);
  }
  EXPECT_GT(by_newton, 0);
}

TEST(Impact, OneAfterTheOtherGoesThroughARow) {
  const auto points = struck_row(4, 1);
  const MatX W = row_of_balls(4);
  const ImpactResult result = solved(Impacts::sequential, points, W);
  EXPECT_EQ(result.impacts, 4);
  EXPECT_TRUE(result.ended);
  const VecX after = rates_after(points, W, result.p);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(after[3 * i], i == 3 ? 1 : 0, 1e-13) << i;
}

// The last ball has a gap still: it is struck if what comes closes that in the same instant.
TEST(Impact, WhatIsApartIsStruckByWhatIsFastEnough) {
  const MatX W = row_of_balls(4);
  for (const double apart : {0.5, 2.}) {
    auto points = struck_row(4, 1);
    points[3].apart = apart;
    const ImpactResult result = solved(Impacts::sequential, points, W);
    EXPECT_EQ(result.impacts, apart < 1 ? 4 : 3);
    const VecX after = rates_after(points, W, result.p);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(after[3 * i], 0, 1e-13) << i;
    EXPECT_NEAR(after[6], apart < 1 ? 0 : 1, 1e-13);
    EXPECT_NEAR(after[9], apart < 1 ? 1 : -1, 1e-13);
  }
}

// The first one flies back with 3/5, the others go on with 2/5 together.
TEST(Impact, AtOnceThrowsTheFirstBack) {
  const MatX W = row_of_balls(4);
  for (const bool poisson : {false, true}) {
    auto points = struck_row(4, 1);
    for (ImpactPoint& p : points) p.poisson = poisson;
    const VecX p = solved(Impacts::simultaneous, points, W).p;
    const VecX after = rates_after(points, W, p);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(after[3 * i], i == 0 ? 1 : 0, 1e-13) << i;
    EXPECT_NEAR(p[0], 8. / 5, 1e-13);
  }
}

// Between a wall and what strikes, balls without restitution come to rest in ever so many impacts.
TEST(Impact, WithoutEndIsEndedAtOnce) {
  const int n = 30;
  auto points = struck_row(n, 0.5);
  MatX W = row_of_balls(n);
  for (int d = 0; d < 3; ++d) W(3 * n - 3 + d, 3 * n - 3 + d) = 1;  // the last contact is a wall's
  const ImpactResult result = solved(Impacts::sequential, points, W);
  EXPECT_FALSE(result.ended);
  EXPECT_EQ(result.impacts, 200 * n);
  EXPECT_GE(rates_after(points, W, result.p).minCoeff(), -1e-12);
  EXPECT_LT(work(points, W, result.p), 0);
}

// Bodies and their dense operator say the same.
TEST(Impact, OfBodiesIsThatOfTheirOperator) {
  piles::ContactSystem system;
  std::vector<piles::ContactBody> bodies(4);
  std::vector<piles::ContactPoint> between;
  for (int i = 0; i < 3; ++i) {
    bodies[at(i)] = {1. / (1 + i), Mat3(Vec3(2, 3, 4).asDiagonal())};
    piles::ContactPoint c;
    c.a = i == 2 ? 3 : i;
    c.b = i == 2 ? 2 : i + 1;
    c.n = Vec3::UnitX(), c.t = Vec3::UnitY(), c.s = Vec3::UnitZ();
    c.r_a = {0.5, 0.1 * i, 0.2};
    c.r_b = {-0.5, 0.3, -0.1 * i};
    c.mu = 0.3;
    between.push_back(c);
  }
  system.build(bodies, between);
  MatX W(9, 9);
  for (int c = 0; c < 9; ++c) {
    BodyImpact one(system);
    one.push(c / 3, Vec3::Unit(c % 3));
    for (int i = 0; i < 3; ++i) W.col(c).segment<3>(3 * i) = one.change(i);
  }
  for (const int i : {0, 1, 2})
    EXPECT_LT((BodyImpact(system).operator_of(std::array{i}) - W.block<3, 3>(3 * i, 3 * i)).norm(),
              1e-14);
  EXPECT_LT((W - W.transpose()).norm(), 1e-14);
  auto points = struck_row(3, 0.6);
  points[2].before = {-0.5, 1, 0.2};
  for (ImpactPoint& p : points) p.mu = 0.3;
  for (const Impacts how : {Impacts::simultaneous, Impacts::sequential})
    for (const bool poisson : {false, true}) {
      for (ImpactPoint& p : points) p.poisson = poisson;
      BodyImpact response(system);
      const ImpactResult by_bodies = solve_impact(how, points, kNone, 1e-13, response);
      const ImpactResult dense = solved(how, points, W);
      EXPECT_LT((by_bodies.p - dense.p).norm(), 1e-10);
      for (int i = 0; i < 3; ++i)
        EXPECT_LT((response.change(i) - (W * dense.p).segment<3>(3 * i)).norm(), 1e-10);
    }
}

}  // namespace
}  // namespace trammel::constraint::impact_test

// Curved cores: what is said of where they touch is proved by what it says alone. Both places lie
// on the shapes, and planes across the normal hold one on either side: so nothing is nearer.
#include "contact/direction.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "contact/hull.h"
#include "contact/narrow.h"
#include "contact/trimesh.h"
#include "contact/try.h"

namespace trammel::contact::direction_test {
namespace {

using Kind = Shape::Kind;

Shape egg(Dice& dice) {
  return {.kind = Kind::ellipsoid,
          .size = {dice.between(0.1, 0.5), dice.between(0.1, 0.5), dice.between(0.1, 0.5)}};
}

Shape rock(Dice& dice) {
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.push_back(dice.vector(0.4));
  const HullOrFault made = hull_about(points);
  EXPECT_TRUE(made.hull) << made.fault;
  return {.kind = Kind::hull, .hull = made.hull};
}

/// Others, a new one of each kind every time.
std::vector<Shape> others(Dice& dice) {
  return {{.kind = Kind::sphere, .size = {dice.between(0.05, 0.4), 0, 0}},
          {.kind = Kind::box, .size = Vec3::Constant(0.7) + dice.vector(0.4)},
          {.kind = Kind::capsule, .size = {dice.between(0.05, 0.2), dice.between(0.1, 0.6), 0}},
          {.kind = Kind::cylinder, .size = {dice.between(0.1, 0.4), dice.between(0.1, 0.6), 0}},
          {.kind = Kind::cone, .size = {dice.between(0.1, 0.4), dice.between(0.1, 0.6), 0.05}},
          rock(dice),
          egg(dice)};
}

double beyond(const Convex& c, const Vec3& n) { return n.dot(support(c, n).p) + c.radius; }

/// How far a place lies outside an ellipsoid, of its size.
double outside(const Convex& c, const Vec3& p) {
  return (c.X.R.transpose() * (p - c.X.p)).cwiseQuotient(c.size).norm() - 1;
}

Nearest only_point(const Convex& A, const Convex& B) {
  std::vector<Point> points;
  touch(A, B, 10, points);
  EXPECT_EQ(points.size(), 1u);
  if (points.size() != 1) return {};
  Nearest out;
  out.p_A = points[0].p_A;
  out.p_B = points[0].p_B;
  out.n = points[0].n;
  out.gap = points[0].gap;
  return out;
}

/// Both places lie where their shapes are farthest along the normal, across from each other.
void expect_proved(const Convex& A, const Convex& B, const Nearest& c, double rounding) {
  EXPECT_NEAR(c.n.norm(), 1, 1e-14);
  EXPECT_NEAR(c.n.dot(c.p_A), beyond(A, c.n), rounding);
  EXPECT_NEAR(-c.n.dot(c.p_B), beyond(B, -c.n), rounding);
  EXPECT_LT((c.p_B - c.p_A - c.gap * c.n).norm(), rounding);
  for (const auto& [shape, p] : {std::pair(&A, &c.p_A), {&B, &c.p_B}})
    if (is_smooth(*shape)) {
      EXPECT_LT(std::abs(outside(*shape, *p)), rounding);
    }
}

TEST(Smooth, WhatIsNearestIsProvedByPlanes) {
  Dice dice(5);
  int apart = 0;
  for (int i = 0; i < 400; ++i)
    for (const Shape& other : others(dice)) {
      Convex a = convex_of(egg(dice)), b = convex_of(other);
      a.X.R = dice.rotation();
      b.X = {dice.vector(1), dice.rotation()};
      const Nearest c = only_point(a, b);
      if (c.gap < 0) continue;
      ++apart;
      SCOPED_TRACE(std::string(name_of(other.kind)) + " " + std::to_string(i));
      expect_proved(a, b, c, 1e-12);
      const Nearest back = only_point(b, a);
      EXPECT_NEAR(back.gap, c.gap, 1e-13);
      EXPECT_LT((back.n + c.n).norm(), 1e-10);
    }
  EXPECT_GT(apart, 1000);
}

/// Moved along the normal until they touch, or overlap by a little, they do so at the same places.
TEST(Smooth, TouchesWhereItIsNearest) {
  Dice dice(6);
  for (int i = 0; i < 200; ++i)
    for (const Shape& other : others(dice)) {
      Convex a = convex_of(egg(dice)), b = convex_of(other);
      a.X.R = dice.rotation();
      b.X = {dice.vector(1), dice.rotation()};
      const Nearest far = only_point(a, b);
      if (far.gap < 0.01) continue;
      for (const double gap : {1e-3, 1e-6, 1e-9, 0., -1e-9, -1e-6, -1e-4}) {
        SCOPED_TRACE(std::string(name_of(other.kind)) + " " + std::to_string(i) + " " +
                     std::to_string(gap));
        Convex near = b;
        near.X.p -= (far.gap - gap) * far.n;
        const Nearest c = only_point(a, near);
        EXPECT_NEAR(c.gap, gap, 1e-13);
        EXPECT_LT((c.n - far.n).norm(), 1e-9);
        EXPECT_LT((c.p_A - far.p_A).norm(), 1e-9);
      }
    }
}

/// Nothing parts overlapping ones better, of directions by thousands.
TEST(Smooth, OverlapsByTheLeast) {
  Dice dice(7);
  for (int i = 0; i < 20; ++i)
    for (const Shape& other : others(dice)) {
      Convex a = convex_of(egg(dice)), b = convex_of(other);
      a.X.R = dice.rotation();
      b.X = {dice.vector(0.2), dice.rotation()};
      const double gap = only_point(a, b).gap;
      double best = -1e300;
      for (int k = 0; k < 4000; ++k) {
        const Vec3 n = dice.vector(1).normalized();
        best = std::max(best, -beyond(a, n) - beyond(b, -n));
      }
      EXPECT_GE(gap, best - 1e-9) << name_of(other.kind) << " " << i;
      EXPECT_LE(gap, best + 0.05) << name_of(other.kind) << " " << i;
    }
}

/// Of equal radii it is a ball.
TEST(Smooth, ARoundOneIsABall) {
  Dice dice(8);
  for (int i = 0; i < 200; ++i)
    for (const Shape& other : others(dice)) {
      Convex ball = convex_of({.kind = Kind::sphere, .size = {0.3, 0, 0}}),
             round = convex_of({.kind = Kind::ellipsoid, .size = Vec3::Constant(0.3)}),
             b = convex_of(other);
      round.X.R = dice.rotation();
      b.X = {dice.vector(1), dice.rotation()};
      const Nearest c = only_point(round, b), same = only_point(ball, b);
      if (same.gap < -0.01) continue;
      EXPECT_NEAR(c.gap, same.gap, 1e-10) << name_of(other.kind) << " " << i;
      EXPECT_LT((c.n - same.n).norm(), 1e-6) << name_of(other.kind) << " " << i;
    }
}

/// On planes, half spaces and meshes.
TEST(Smooth, LiesOnTheGroundAtOnePoint) {
  const Shape shape{.kind = Kind::ellipsoid, .size = {0.3, 0.2, 0.1}};
  Dice dice(9);
  for (const Kind ground : {Kind::plane, Kind::half_space}) {
    const Mat3 R = dice.rotation();
    Convex c = convex_of(shape);
    c.X.R = R;
    const double high = -Vec3::UnitZ().dot(support(c, -Vec3::UnitZ()).p);
    const auto points =
        points_of({.kind = ground}, {}, shape, {Vec3(0.4, 0.1, high + 1e-3), R}, 0.01);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, 1e-3, 1e-15);
  }
}

/// A cylinder or a cone, blunt or not.
Shape round_one(Dice& dice) {
  const double r = dice.between(0.1, 0.4), length = dice.between(0.1, 0.6);
  if (dice.between(0, 1) < 0.5) return {.kind = Kind::cylinder, .size = {r, length, 0}};
  return {.kind = Kind::cone, .size = {r, length, dice.between(0, 1) < 0.5 ? 0 : 0.05}};
}

/// How far a place lies outside a round core.
double outside_round(const Convex& c, const Vec3& p) {
  const Vec3 x = c.X.R.transpose() * (p - c.X.p);
  const double t = (x.z() + c.size[1]) / (2 * c.size[1]),
               most = c.size[0] + t * (c.size[2] - c.size[0]);
  return std::max(std::abs(x.z()) - c.size[1], std::hypot(x.x(), x.y()) - most);
}

Nearest of_cores(const Convex& A, const Convex& B) {
  return nearest_by_direction(A, B, 10, scale(A) + scale(B));
}
double beyond_core(const Convex& c, const Vec3& n) { return n.dot(support(c, n).p); }

TEST(RoundCores, WhatIsNearestIsProvedByPlanes) {
  Dice dice(15);
  int apart = 0;
  for (int i = 0; i < 400; ++i)
    for (const Shape& other : others(dice)) {
      if (other.kind == Kind::sphere) continue;
      Convex a = convex_of(round_one(dice)), b = convex_of(other);
      a.X.R = dice.rotation();
      b.X = {dice.vector(1), dice.rotation()};
      const Nearest c = of_cores(a, b);
      if (c.gap < 0) continue;
      ++apart;
      SCOPED_TRACE(std::string(name_of(other.kind)) + " " + std::to_string(i));
      EXPECT_NEAR(c.n.dot(c.p_A), beyond_core(a, c.n), 1e-12);
      EXPECT_NEAR(-c.n.dot(c.p_B), beyond_core(b, -c.n), 1e-12);
      EXPECT_LT((c.p_B - c.p_A - c.gap * c.n).norm(), 1e-12);
      EXPECT_LT(outside_round(a, c.p_A), 1e-9);
      if (b.core == Convex::Core::round) {
        EXPECT_LT(outside_round(b, c.p_B), 1e-9);
      }
    }
  EXPECT_GT(apart, 1000);
}

/// True where a corner meets a rim, or a tip what is no face: they share many normals where they
/// touch.
bool is_sharp(const Convex& a, const Convex& b, const Nearest& c) {
  const auto is_tip = [](const Convex& core, int id) {
    return core.core == Convex::Core::round && id == kDeepest + 1 && core.size[2] == 0;
  };
  if ((is_tip(a, c.a[0]) && c.b[0] != kFace) || (is_tip(b, c.b[0]) && c.a[0] != kFace)) return true;
  const auto is_one = [](const std::array<int, 2>& ends) {
    return ends[0] == ends[1] && ends[0] != kFace;
  };
  return !is_smooth(b) && is_one(c.a) && is_one(c.b);
}

TEST(RoundCores, TouchWhereTheyAreNearest) {
  Dice dice(16);
  for (int i = 0; i < 200; ++i)
    for (const Shape& other : others(dice)) {
      if (other.kind == Kind::sphere) continue;
      Convex a = convex_of(round_one(dice)), b = convex_of(other);
      a.X.R = dice.rotation();
      b.X = {dice.vector(1), dice.rotation()};
      const Nearest far = of_cores(a, b);
      if (far.gap < 0.01) continue;
      for (const double gap : {1e-3, 1e-6, 1e-9, 0., -1e-9, -1e-6}) {
        SCOPED_TRACE(std::string(name_of(other.kind)) + " " + std::to_string(i) + " " +
                     std::to_string(gap));
        Convex near = b;
        near.X.p -= (far.gap - gap) * far.n;
        const Nearest c = of_cores(a, near);
        EXPECT_GE(c.gap, gap - (is_sharp(a, b, far) ? 1e-9 : 1e-13));
        if (is_sharp(a, b, far)) continue;
        EXPECT_NEAR(c.gap, gap, 1e-13);
        EXPECT_LT((c.n - far.n).norm(), 1e-9);
        EXPECT_LT((c.p_A - far.p_A).norm(), 1e-8);
      }
    }
}

TEST(RoundCores, OverlapByTheLeast) {
  Dice dice(17);
  for (int i = 0; i < 20; ++i)
    for (const Shape& other : others(dice)) {
      if (other.kind == Kind::sphere) continue;
      Convex a = convex_of(round_one(dice)), b = convex_of(other);
      a.X.R = dice.rotation();
      b.X = {dice.vector(0.2), dice.rotation()};
      const double gap = of_cores(a, b).gap;
      double best = -1e300;
      for (int k = 0; k < 4000; ++k) {
        const Vec3 n = dice.vector(1).normalized();
        best = std::max(best, -beyond_core(a, n) - beyond_core(b, -n));
      }
      EXPECT_GE(gap, best - 1e-9) << name_of(other.kind) << " " << i;
      EXPECT_LE(gap, best + 0.05) << name_of(other.kind) << " " << i;
    }
}

/// A roller along the edge of a box, by any angle from its face: its line touches with both ends.
TEST(RoundCores, RollersLieOnEdges) {
  const Shape roller{.kind = Kind::cylinder, .size = {0.05, 0.2, 0}},
      box{.kind = Kind::box, .size = {1, 1, 0.5}};
  for (const double angle : {1e-3, 2e-3, 0.01, 0.03, 0.1, 0.3, 1.})
    for (const double gap : {1e-4, 1e-7, 1e-9, 0., -1e-9, -1e-7, -1e-5, -1e-4}) {
      const Vec3 n(std::sin(angle), 0, std::cos(angle));
      Mat3 R;
      R << Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY();
      const auto points = points_of(box, {Vec3(-0.5, 0, -0.25), Mat3::Identity()}, roller,
                                    {(0.05 + gap) * n, R}, 0.01);
      SCOPED_TRACE(std::to_string(angle) + " " + std::to_string(gap));
      ASSERT_EQ(points.size(), 2u);
      for (const Point& p : points) {
        EXPECT_NEAR(p.gap, gap, 1e-14);
        EXPECT_LT((p.n - n).norm(), 1e-12);
        EXPECT_NEAR(std::abs(p.p_B.y()), 0.1, 1e-12);
      }
    }
}

}  // namespace
}  // namespace trammel::contact::direction_test

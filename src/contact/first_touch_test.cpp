#include "contact/first_touch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "contact/convex.h"
#include "contact/gjk.h"
#include "contact/trimesh.h"

namespace trammel::contact::first_touch_test {
namespace {

using Kind = Shape::Kind;

constexpr double kAccuracy = 1e-9;

Pose at_place(double x, double y, double z) { return {Vec3(x, y, z), Mat3::Identity()}; }

TEST(FirstTouch, ABallReachesAPlaneInTime) {
  const Shape ball{.kind = Kind::sphere, .size = {0.5, 0, 0}}, ground{.kind = Kind::half_space};
  const Moving floor{ground, {}, {}};
  const auto t = first_touch(floor, {ball, at_place(0, 0, 2), at_place(3, 0, -4)}, kAccuracy);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, 0.25, kAccuracy / 6);  // at a speed of 6
  EXPECT_FALSE(first_touch(floor, {ball, at_place(0, 0, 2), at_place(3, 0, 0.6)}, kAccuracy));
  EXPECT_EQ(*first_touch(floor, {ball, at_place(0, 0, 0.4), at_place(0, 0, 1)}, kAccuracy), 0);
}

/// A plane that comes up meets it as well.
TEST(FirstTouch, OnlyRelativeMotionCounts) {
  const Shape ball{.kind = Kind::sphere, .size = {0.5, 0, 0}}, plane{.kind = Kind::plane};
  const auto t = first_touch({ball, at_place(0, 0, -2), at_place(0, 0, -1)},
                             {plane, {}, at_place(0, 0, -5)}, kAccuracy);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, 0.25, kAccuracy / 6);
}

TEST(FirstTouch, BallsMeetWhereAQuadraticSays) {
  const Shape ball{.kind = Kind::sphere, .size = {0.5, 0, 0}};
  const auto t =
      first_touch({ball, {}, {}}, {ball, at_place(-3, 0.6, 0), at_place(3, 0.6, 0)}, kAccuracy);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, (3 - 0.8) / 6, 1e-9);
  EXPECT_FALSE(
      first_touch({ball, {}, {}}, {ball, at_place(-3, 1.01, 0), at_place(3, 1.01, 0)}, kAccuracy));
}

TEST(FirstTouch, AMeshReachesAPlaneWithACorner) {
  body::Mesh tetrahedron;
  tetrahedron.vertices = {{0, 0, -0.5}, {1, 0, 0.5}, {-1, 1, 0.5}, {-1, -1, 0.5}};
  tetrahedron.faces = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  const Shape mesh{.kind = Kind::mesh, .mesh = trimesh_of(tetrahedron).mesh};
  const Shape ground{.kind = Kind::half_space};
  const Moving falls{mesh, at_place(0, 0, 2), at_place(0, 0, -4)};
  for (const auto& t : {first_touch({ground, {}, {}}, falls, kAccuracy),
                        first_touch(falls, {ground, {}, {}}, kAccuracy)}) {
    ASSERT_TRUE(t);
    EXPECT_NEAR(*t, 0.25, kAccuracy / 6);
  }
}

/// Height of the lowest corner of a square bar that falls and turns: fall - r cos(45 deg - angle).
TEST(FirstTouch, TheCornerOfASpinningBoxComesFirst) {
  const Shape box{.kind = Kind::box, .size = {1, 2, 1}}, ground{.kind = Kind::half_space};
  const double turn = 1.2, high = 1, low = 0.5;
  const auto height = [&](double t) {
    const double a = turn * t;
    return high + t * (low - high) - 0.5 * (std::abs(std::cos(a)) + std::abs(std::sin(a)));
  };
  double before = 0, after = 0;
  while (height(after) > 0) after += 1e-3;
  for (int i = 0; i < 60; ++i) {
    const double t = (before + after) / 2;
    (height(t) > 0 ? before : after) = t;
  }
  const Mat3 R = Eigen::AngleAxisd(turn, Vec3::UnitY()).toRotationMatrix();
  const auto t =
      first_touch({ground, {}, {}}, {box, at_place(0, 0, high), {Vec3(0, 0, low), R}}, kAccuracy);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, before, 2e-9);
  EXPECT_LE(*t, before);
  const GridOrFault grid = grid_of(9, 9, 1, 1, std::vector<double>(81, 0.0));
  const Shape floor{.kind = Kind::grid, .grid = grid.grid};
  const Pose corner = at_place(-4, -4, 0);
  const auto on_grid = first_touch({floor, corner, corner},
                                   {box, at_place(0, 0, high), {Vec3(0, 0, low), R}}, kAccuracy);
  ASSERT_TRUE(on_grid);
  EXPECT_NEAR(*on_grid, before, 2e-9);
}

/// A needle that sweeps past a ball hits it though it touches at neither end of the step.
TEST(FirstTouch, NothingPassesThrough) {
  const Shape box{.kind = Kind::box, .size = {4, 0.01, 0.01}},
      ball{.kind = Kind::sphere, .size = {0.05, 0, 0}};
  const Mat3 R = Eigen::AngleAxisd(2, Vec3::UnitZ()).toRotationMatrix();
  const auto t = first_touch(
      {box, {}, {Vec3::Zero(), R}},
      {ball, at_place(std::cos(1.0), std::sin(1.0), 0), at_place(std::cos(1.0), std::sin(1.0), 0)},
      kAccuracy);
  ASSERT_TRUE(t);
  EXPECT_NEAR(*t, (1 - std::asin(0.055)) / 2, 1e-9);
}

double distance(const Moving& A, const Moving& B, double t) {
  Convex a = convex_of(A.shape), b = convex_of(B.shape);
  a.X = pose_at(A, t);
  b.X = pose_at(B, t);
  return nearest(a, b, 1e300).gap - a.radius - b.radius;
}

/// Shapes of some 1 m that fly and turn past each other, and hit in half of all cases.
struct Flight {
  explicit Flight(unsigned seed) : of(seed) {}
  double uniform(double lo, double hi) { return std::uniform_real_distribution<>(lo, hi)(of); }
  Vec3 vector(double most) {
    return {uniform(-most, most), uniform(-most, most), uniform(-most, most)};
  }
  Shape shape() {
    constexpr Kind kKinds[] = {Kind::box, Kind::box, Kind::sphere, Kind::capsule, Kind::cylinder};
    return {.kind = kKinds[of() % 5], .size = {uniform(0.3, 1), uniform(0.3, 1), uniform(0.3, 1)}};
  }
  Moving way(const Shape& s, const Vec3& from, const Vec3& to) {
    const auto turned = [&] {
      const Vec3 w = vector(1.5);
      return Mat3(Eigen::AngleAxisd(w.norm(), w.normalized()).toRotationMatrix());
    };
    const Mat3 R = turned();
    return {s, {from, R}, {to, turned() * R}};
  }
  std::mt19937 of;
};

/// The distance is the accuracy then, and more before; nothing where it is more all the way. What
/// it costs is counted: no search for each of many little steps.
TEST(FirstTouch, OfRandomShapesIsTheFirstForFewSearches) {
  constexpr int kWays = 1000, kLooks = 64;
  constexpr double kWithin = 1e-6;
  Flight f(7);
  WayEffort effort;
  int hits = 0;
  for (int i = 0; i < kWays; ++i) {
    const Shape a = f.shape(), b = f.shape();
    const Vec3 start = Vec3(3, 0, 0) + f.vector(0.5);
    const Moving A = f.way(a, Vec3::Zero(), f.vector(0.5)),
                 B = f.way(b, start, Vec3(-3, 0, 0) + f.vector(3));
    const auto t = first_touch(A, B, kWithin, &effort);
    hits += t.has_value();
    const double end = t.value_or(1);
    if (end > 0 && t) {
      EXPECT_NEAR(distance(A, B, end), kWithin * 0.75, kWithin * 0.26) << i;
    }
    for (int k = 0; k < kLooks; ++k)
      EXPECT_GT(distance(A, B, end * k / kLooks), t ? kWithin : 0.) << i << ", " << k;
  }
  EXPECT_GT(hits, kWays / 3);
  EXPECT_LT(hits, kWays * 2 / 3);
  EXPECT_LT(effort.searches, 6 * kWays);
  EXPECT_LT(effort.looks, 40 * kWays);
}

}  // namespace
}  // namespace trammel::contact::first_touch_test

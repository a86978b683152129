// A brick whose end is near the edge of a box that it lies over, on either side: the points of the
// line on which they touch, or nearly.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "contact/hull.h"
#include "contact/narrow.h"

namespace trammel::contact::edge_test {
namespace {

struct Dice {
  double uniform(double lo, double hi) { return std::uniform_real_distribution<>(lo, hi)(of); }
  /// 0, or of any size up to `most`, of either sign.
  double rarely(double least, double most) {
    const double size = std::pow(10, uniform(std::log10(least), std::log10(most)));
    return of() % 3 == 0 ? 0 : of() % 2 ? size : -size;
  }
  std::mt19937 of{5};
};

Shape box_or_hull(const Vec3& size, bool hull) {
  if (!hull) return {.kind = Shape::Kind::box, .size = size};
  std::vector<Vec3> corners;
  for (const int x : {-1, 1})
    for (const int y : {-1, 1})
      for (const int z : {-1, 1}) corners.emplace_back(x * size.x(), y * size.y(), z * size.z());
  for (Vec3& p : corners) p /= 2;
  return {.kind = Shape::Kind::hull, .hull = hull_about(corners).hull};
}

/// A brick leans over the edge of a box along y, its end `inside` by some way. Sizes are of
/// order 1.
struct Case {
  double pitch, yaw, inside, gap;
  Vec3 size;
  bool box_is_hull, brick_is_hull;

  Mat3 axes() const {
    return (Eigen::AngleAxisd(pitch, Vec3::UnitY()) * Eigen::AngleAxisd(yaw, Vec3::UnitZ()))
        .toRotationMatrix();
  }
  std::vector<Point> points() const {
    const Shape box = box_or_hull({2, 3, 1}, box_is_hull), brick = box_or_hull(size, brick_is_hull);
    Convex A = convex_of(box), B = convex_of(brick);
    A.X = {Vec3(-1, 0, -0.5), Mat3::Identity()};
    B.X.R = axes();
    B.X.p = B.X.R * Vec3(size.x() / 2 - inside, 0, size.z() / 2 + gap);
    std::vector<Point> out;
    touch(A, B, 0.01, out);
    return out;
  }
};

Case draw(Dice& dice) {
  return {.pitch = dice.uniform(0.03, 0.5),
          .yaw = 0,
          .inside = dice.rarely(1e-13, 1e-2),
          .gap = dice.rarely(1e-17, 1e-12),
          .size = {dice.uniform(0.2, 1), dice.uniform(0.2, 1), dice.uniform(0.2, 1)},
          .box_is_hull = dice.of() % 2 == 0,
          .brick_is_hull = dice.of() % 2 == 0};
}

std::string text(const Case& c) {
  return fmt::format("pitch {} yaw {} inside {} gap {} hulls {} {}", c.pitch, c.yaw, c.inside,
                     c.gap, c.box_is_hull, c.brick_is_hull);
}

/// Of the points that touch the ends of the line, and no others, under names of their own.
void expect_both_ends(const Case& c, const std::vector<Point>& points) {
  std::set<std::int64_t> names;
  double most = -1, least = 1;
  for (const Point& p : points) {
    if (p.gap > 1e-9) continue;
    names.insert(p.feature);
    most = std::max(most, p.p_B.y()), least = std::min(least, p.p_B.y());
    EXPECT_NEAR(p.p_B.x(), 0, 1e-6) << text(c);
    EXPECT_NEAR(p.p_B.z(), 0, 1e-6) << text(c);
  }
  EXPECT_EQ(names.size(), 2U) << text(c);
  EXPECT_NEAR(most, c.size.y() / 2, 1e-9) << text(c);
  EXPECT_NEAR(least, -c.size.y() / 2, 1e-9) << text(c);
}

TEST(Edge, WhatEndsBesideAnEdgeTouchesAtBothEndsOfIt) {
  Dice dice;
  for (int i = 0; i < 4000; ++i) {
    const Case c = draw(dice);
    if (std::abs(c.inside) < 1e-10) continue;  // one line on the other: any normal between is one
    const std::vector<Point> points = c.points();
    ASSERT_FALSE(points.empty()) << text(c);
    if (c.inside > 0) {
      expect_both_ends(c, points);
      for (const Point& p : points) EXPECT_LT((p.n - c.axes().col(2)).norm(), 1e-6) << text(c);
    } else {
      EXPECT_GT(points[0].n.dot(c.axes().col(0)), 0) << text(c);
    }
  }
}

/// Where it is all but along the edge the points that touch have the normal of its face, too.
TEST(Edge, WhatTouchesHasTheNormalOfItsFace) {
  Dice dice;
  for (int i = 0; i < 4000; ++i) {
    Case c = draw(dice);
    c.yaw = dice.rarely(1e-16, 1e-2);
    c.inside = std::abs(c.inside) + 1e-9 + std::abs(c.yaw) * c.size.y();
    const std::vector<Point> points = c.points();
    ASSERT_FALSE(points.empty()) << text(c);
    for (const Point& p : points)
      EXPECT_LT((p.n - c.axes().col(2)).norm(), 1e-6) << text(c) << " " << p.gap;
  }
}

}  // namespace
}  // namespace trammel::contact::edge_test

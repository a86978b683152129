#include "contact/narrow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact/gjk.h"
#include "contact/hull.h"
#include "contact/try.h"

/// Against what takes long and cannot go wrong: distances of all corners, edges and faces of
/// polyhedra, and all planes that may part them.
namespace trammel::contact::narrow_test {
namespace {

using Kind = Shape::Kind;

Shape hull_shape(const std::vector<Vec3>& points) {
  const HullOrFault made = hull_about(points);
  EXPECT_TRUE(made.hull) << made.fault;
  return {.kind = Kind::hull, .hull = made.hull};
}

Shape rock(Dice& dice, int corners) {
  std::vector<Vec3> points;
  for (int i = 0; i < corners; ++i) points.push_back(dice.vector(0.5));
  return hull_shape(points);
}

Shape as_hull(const Vec3& edges) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i)
    points.emplace_back((i & 1 ? 0.5 : -0.5) * edges.x(), (i & 2 ? 0.5 : -0.5) * edges.y(),
                        (i & 4 ? 0.5 : -0.5) * edges.z());
  return hull_shape(points);
}

/// A polyhedron at its pose.
struct Solid {
  std::vector<Vec3> p, normals;
  std::vector<std::vector<int>> faces;
  std::vector<std::pair<int, int>> edges;
};

Solid solid_of(const Hull& hull, const Pose& X) {
  Solid out;
  out.faces = hull.faces;
  for (const Vec3& p : hull.vertices) out.p.push_back(X.p + X.R * p);
  for (const Vec3& n : hull.normals) out.normals.push_back(X.R * n);
  for (const auto& face : hull.faces)
    for (std::size_t k = 0; k < face.size(); ++k)
      if (face[k] < face[(k + 1) % face.size()])
        out.edges.emplace_back(face[k], face[(k + 1) % face.size()]);
  return out;
}

double corner_to_faces(const Solid& A, const Solid& B) {
  double least = 1e300;
  for (const Vec3& p : B.p)
    for (std::size_t f = 0; f < A.faces.size(); ++f) {
      const auto& face = A.faces[f];
      const Vec3& n = A.normals[f];
      bool over = true;
      for (std::size_t k = 0; k < face.size(); ++k) {
        const Vec3 &a = A.p[at(face[k])], &b = A.p[at(face[(k + 1) % face.size()])];
        over = over && n.dot((b - a).cross(p - a)) >= 0;
      }
      if (over) least = std::min(least, std::abs(n.dot(p - A.p[at(face[0])])));
    }
  return least;
}

double edge_to_edge(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
  const auto to_point = [](const Vec3& a, const Vec3& b, const Vec3& x) {
    const double t = std::clamp((x - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
    return (a + t * (b - a) - x).norm();
  };
  double least =
      std::min({to_point(p, q, r), to_point(p, q, s), to_point(r, s, p), to_point(r, s, q)});
  const Vec3 u = q - p, v = s - r, n = u.cross(v), d = r - p;
  const double nn = n.squaredNorm();
  if (nn == 0) return least;
  const double t = d.cross(v).dot(n) / nn, w = d.cross(u).dot(n) / nn;
  if (t >= 0 && t <= 1 && w >= 0 && w <= 1)
    least = std::min(least, std::abs(n.dot(d)) / std::sqrt(nn));
  return least;
}

double distance_of(const Solid& A, const Solid& B) {
  double least = std::min(corner_to_faces(A, B), corner_to_faces(B, A));
  for (const auto& [a, b] : A.edges)
    for (const auto& [c, d] : B.edges)
      least = std::min(least, edge_to_edge(A.p[at(a)], A.p[at(b)], B.p[at(c)], B.p[at(d)]));
  return least;
}

double parted_along(const Solid& A, const Solid& B, const Vec3& n) {
  double far_A = -1e300, near_B = 1e300;
  for (const Vec3& p : A.p) far_A = std::max(far_A, n.dot(p));
  for (const Vec3& p : B.p) near_B = std::min(near_B, n.dot(p));
  return near_B - far_A;
}

/// How far the best plane parts them; negative: how deep they are.
double parted(const Solid& A, const Solid& B) {
  double most = -1e300;
  for (const Vec3& n : A.normals) most = std::max(most, parted_along(A, B, n));
  for (const Vec3& n : B.normals) most = std::max(most, parted_along(A, B, -n));
  for (const auto& [a, b] : A.edges)
    for (const auto& [c, d] : B.edges) {
      const Vec3 n = (A.p[at(a)] - A.p[at(b)]).cross(B.p[at(c)] - B.p[at(d)]);
      if (n.norm() < 1e-12) continue;
      most =
          std::max({most, parted_along(A, B, n.normalized()), parted_along(A, B, -n.normalized())});
    }
  return most;
}

double exact_gap(const Solid& A, const Solid& B) {
  const double plane = parted(A, B);
  return plane > 0 ? distance_of(A, B) : plane;
}

double least_gap(const std::vector<Point>& points) {
  double least = 1e300;
  for (const Point& p : points) least = std::min(least, p.gap);
  return least;
}

void expect_true_points(const std::vector<Point>& points) {
  for (const Point& p : points) {
    EXPECT_NEAR(p.n.norm(), 1, 1e-14);
    EXPECT_NEAR(p.n.dot(p.p_B - p.p_A), p.gap, 1e-13);
  }
}

/// `shape_A` is looked at as the hull A is.
void hold_against(const Shape& shape_A, const Hull& A, const Shape& shape_B, const Hull& B,
                  unsigned seed, int times) {
  Dice dice(seed);
  int deep = 0, apart = 0;
  for (int i = 0; i < times; ++i) {
    const Pose X_A{dice.vector(0.2), dice.rotation()};
    const Pose X_B{X_A.p + dice.vector(1.2), dice.rotation()};
    const double exact = exact_gap(solid_of(A, X_A), solid_of(B, X_B));
    const auto points = points_of(shape_A, X_A, shape_B, X_B, 10);
    ASSERT_FALSE(points.empty());
    EXPECT_NEAR(least_gap(points), exact, exact < 0 ? 1e-11 : 1e-12) << i;
    expect_true_points(points);
    (exact < 0 ? deep : apart) += 1;
  }
  EXPECT_GT(deep, times / 20);
  EXPECT_GT(apart, times / 20);
}

TEST(Narrow, BoxesAreAsFarApartAsTheirFeatures) {
  const Vec3 a(1, 0.7, 0.4), b(0.5, 0.6, 0.9);
  hold_against({.kind = Kind::box, .size = a}, *as_hull(a).hull, {.kind = Kind::box, .size = b},
               *as_hull(b).hull, 1, 2000);
}

TEST(Narrow, HullsAreAsFarApartAsTheirFeatures) {
  Dice dice(7);
  for (unsigned k = 0; k < 10; ++k) {
    const Shape a = rock(dice, 12), b = rock(dice, 20);
    hold_against(a, *a.hull, b, *b.hull, k, 60);
  }
}

TEST(Narrow, ABoxAndAHullToo) {
  Dice dice(8);
  const Vec3 edges(0.8, 0.7, 0.4);
  const Shape a = rock(dice, 30);
  hold_against({.kind = Kind::box, .size = edges}, *as_hull(edges).hull, a, *a.hull, 3, 300);
  hold_against(a, *a.hull, {.kind = Kind::box, .size = edges}, *as_hull(edges).hull, 3, 300);
}

std::vector<Shape> convex_shapes() {
  Dice dice(3);
  return {{.kind = Kind::sphere, .size = {0.4, 0, 0}},
          {.kind = Kind::box, .size = {0.5, 0.8, 0.6}},
          {.kind = Kind::capsule, .size = {0.3, 0.5, 0}},
          {.kind = Kind::cylinder, .size = {0.4, 0.7, 0}},
          {.kind = Kind::cone, .size = {0.4, 0.8, 0}},
          {.kind = Kind::cone, .size = {0.2, 0.8, 0.5}},
          rock(dice, 16),
          {.kind = Kind::ellipsoid, .size = {0.2, 0.5, 0.35}}};
}

bool is_round(const Shape& s) { return s.kind == Kind::cylinder || s.kind == Kind::cone; }

/// The same pair with its sides changed, and seen from elsewhere.
TEST(Narrow, PointsFollowFromTheShapesAlone) {
  Dice dice(11);
  const std::vector<Shape> shapes = convex_shapes();
  for (const Shape& A : shapes)
    for (const Shape& B : shapes)
      for (int i = 0; i < 40; ++i) {
        const Pose X_A{dice.vector(0.2), dice.rotation()}, X_B{dice.vector(0.8), dice.rotation()};
        const Pose moved{dice.vector(1), dice.rotation()};
        const auto points = points_of(A, X_A, B, X_B, 0.5);
        const auto other = points_of(B, X_B, A, X_A, 0.5);
        const auto away = points_of(A, moved * X_A, B, moved * X_B, 0.5);
        expect_true_points(points);
        if (points.empty()) continue;
        for (const auto* same : {&other, &away})
          EXPECT_NEAR(least_gap(points), least_gap(*same),
                      is_round(A) || is_round(B) ? 1e-8 : 1e-12)
              << name_of(A.kind) << " " << name_of(B.kind) << " " << i;
        if (is_round(A) || is_round(B)) continue;  // a rim's normal is known to 1e-6 only
        ASSERT_EQ(points.size(), other.size()) << name_of(A.kind) << name_of(B.kind);
        ASSERT_EQ(points.size(), away.size());
        for (const Point& p : points) {
          const Point q = swapped(p);
          const bool mirrored = std::any_of(other.begin(), other.end(), [&](const Point& o) {
            return (o.p_A - q.p_A).norm() < 1e-7 && std::abs(o.gap - q.gap) < 1e-8;
          });
          EXPECT_TRUE(mirrored) << name_of(A.kind) << " " << name_of(B.kind) << " " << i;
        }
      }
}

/// Margins leave points out and change none.
TEST(Narrow, AMarginOnlyLeavesOut) {
  Dice dice(12);
  const std::vector<Shape> shapes = convex_shapes();
  for (const Shape& A : shapes)
    for (const Shape& B : shapes)
      for (int i = 0; i < 40; ++i) {
        const Pose X_A{dice.vector(0.2), dice.rotation()}, X_B{dice.vector(0.8), dice.rotation()};
        auto wide = points_of(A, X_A, B, X_B, 0.5);
        const auto narrow = points_of(A, X_A, B, X_B, 0.01);
        std::erase_if(wide, [](const Point& p) { return p.gap > 0.01; });
        ASSERT_EQ(wide.size(), narrow.size()) << name_of(A.kind) << " " << name_of(B.kind);
        for (std::size_t k = 0; k < wide.size(); ++k) {
          EXPECT_EQ(wide[k].feature, narrow[k].feature);
          EXPECT_EQ(wide[k].p_A, narrow[k].p_A);
          EXPECT_EQ(wide[k].gap, narrow[k].gap);
        }
      }
}

/// What stands or lies on another keeps its features when it stirs, and its points move no farther
/// than it does.
TEST(Narrow, SmallMotionKeepsFeatures) {
  Dice dice(14);
  const Shape slab{.kind = Kind::box, .size = {3, 3, 1}};
  struct Case {
    Shape shape;
    Mat3 R;
    double high;
    std::size_t points;
  };
  const Mat3 lying = Eigen::AngleAxisd(1.5707963267948966, Vec3::UnitY()).toRotationMatrix();
  const Mat3 up = Mat3::Identity();
  const std::vector<Case> cases = {{{.kind = Kind::box, .size = {3, 3, 1}}, up, 1, 4},
                                   {{.kind = Kind::box, .size = {3, 1, 1}}, up, 1, 4},
                                   {as_hull({3, 3, 1}), up, 1, 4},
                                   {{.kind = Kind::cylinder, .size = {0.4, 1, 0}}, up, 1, 8},
                                   {{.kind = Kind::cylinder, .size = {0.4, 1, 0}}, lying, 0.9, 2},
                                   {{.kind = Kind::capsule, .size = {0.4, 1, 0}}, lying, 0.9, 2},
                                   {{.kind = Kind::cone, .size = {0.4, 1, 0.1}}, up, 1, 8}};
  for (const Case& c : cases) {
    const auto still = points_of(slab, {}, c.shape, {Vec3(0, 0, c.high), c.R}, 0.01);
    ASSERT_EQ(still.size(), c.points) << name_of(c.shape.kind);
    for (int i = 0; i < 300; ++i) {
      const double far = 3e-8;
      const Vec3 turn = dice.vector(far);
      const Mat3 R = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
      const auto moved =
          points_of(slab, {}, c.shape, {Vec3(0, 0, c.high) + dice.vector(far), R * c.R}, 0.01);
      ASSERT_EQ(moved.size(), still.size()) << name_of(c.shape.kind);
      for (std::size_t k = 0; k < moved.size(); ++k) {
        EXPECT_EQ(moved[k].feature, still[k].feature) << name_of(c.shape.kind);
        EXPECT_LT((moved[k].p_B - still[k].p_B).norm(), 1e-6);
        EXPECT_LT((moved[k].n - still[k].n).norm(), 1e-7);
      }
    }
  }
}

/// The middle of a body that stands on another lies over the polygon of its points.
TEST(Narrow, PointsSurroundWhatTheyCarry) {
  Dice dice(15);
  const Shape slab{.kind = Kind::box, .size = {3, 3, 1}};
  const std::vector<Shape> shapes = {{.kind = Kind::box, .size = {1, 0.5, 1}},
                                     {.kind = Kind::cylinder, .size = {0.4, 1, 0}},
                                     {.kind = Kind::cone, .size = {0.4, 1, 0.1}},
                                     as_hull({0.6, 1, 1})};
  for (const Shape& shape : shapes)
    for (int i = 0; i < 100; ++i) {
      const Mat3 R = Eigen::AngleAxisd(dice.between(-3, 3), Vec3::UnitZ()).toRotationMatrix();
      const Vec3 p(dice.between(-1.4, 1.4), dice.between(-1.4, 1.4), dice.between(0.99, 1.005));
      for (int k = 0; k < 16; ++k) {
        const Vec3 out(std::cos(k * 0.3927), std::sin(k * 0.3927), 0);
        double far = -1e300;
        for (const Point& q : points_of(slab, {}, shape, {p, R}, 0.01))
          far = std::max(far, out.dot(q.p_A - p));
        EXPECT_GT(far, 0) << name_of(shape.kind);
      }
    }
}

TEST(Narrow, AMinimumOfTheDepthOfRoundShapes) {
  Dice dice(13);
  const std::vector<Shape> shapes = convex_shapes();
  const auto depth_along = [](const Convex& A, const Convex& B, const Vec3& n) {
    return n.dot(support(B, -n).p - support(A, n).p) - A.radius - B.radius;
  };
  for (const Shape& A : shapes)
    for (const Shape& B : shapes)
      for (int i = 0; i < 20; ++i) {
        Convex a = convex_of(A), b = convex_of(B);
        a.X.R = dice.rotation();
        b.X = {dice.vector(0.7), dice.rotation()};
        std::vector<Point> points;
        touch(a, b, 10, points);
        ASSERT_FALSE(points.empty());
        const double gap = least_gap(points);
        double best = -1e300;
        for (int k = 0; k < 4000; ++k)
          best = std::max(best, depth_along(a, b, dice.vector(1).normalized()));
        // the gap is the greatest that a plane parts them by
        EXPECT_GE(gap, best - 1e-10) << name_of(A.kind) << " " << name_of(B.kind) << " " << i;
        EXPECT_LE(gap, best + 0.05) << name_of(A.kind) << " " << name_of(B.kind) << " " << i;
      }
}

/// Cylinders side by side touch along what their lines share, also where they are a little askew.
TEST(Narrow, CylindersLieOnEachOtherAtTwoPoints) {
  Dice dice(9);
  const Shape one{.kind = Kind::cylinder, .size = {0.1, 1, 0}};
  const Shape two{.kind = Kind::cylinder, .size = {0.2, 0.6, 0}};
  for (int i = 0; i < 200; ++i) {
    const double gap = i % 3 ? dice.between(-1e-4, 1e-4) : 0, askew = i % 2 ? 1e-9 : 1e-5;
    const double around = dice.between(-3, 3), shift = dice.between(-0.7, 0.7);
    const Vec3 out(std::cos(around), std::sin(around), 0);
    Convex a = convex_of(one), b = convex_of(two);
    b.X.p = (0.3 + gap) * out + shift * Vec3::UnitZ();
    b.X.R = Eigen::AngleAxisd(askew * dice.between(-1, 1), dice.vector(1).normalized())
                .toRotationMatrix();
    std::vector<Point> points;
    touch(a, b, 0.01, points);
    ASSERT_EQ(points.size(), 2U) << i;
    const double from = std::max(-0.5, shift - 0.3), to = std::min(0.5, shift + 0.3);
    EXPECT_NEAR(std::abs(points[0].p_A.z() - points[1].p_A.z()), to - from, 1e-5);
    for (const Point& p : points) {
      // askew, another direction may part them better by some micrometres
      EXPECT_LT((p.n - out).norm(), askew < 1e-8 ? 1e-9 : 0.02);
      EXPECT_NEAR(p.gap, gap, 2 * askew);
      EXPECT_NEAR(p.n.dot(p.p_B - p.p_A), p.gap, 1e-15);
    }
  }
}

}  // namespace
}  // namespace trammel::contact::narrow_test

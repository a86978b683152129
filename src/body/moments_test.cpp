#include "body/moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "body/solid.h"
#include "math/rotation.h"

namespace trammel::body::moments_test {
namespace {

constexpr double kRounding = 1e-13;

void expect_near(const Mat3& a, const Mat3& b, double tolerance) {
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance) << a << "\n\n" << b;
}

/// The twelve triangles of a box, one corner at `corner`.
std::vector<Triangle> box_surface(const Vec3& edges, const Vec3& corner) {
  std::vector<Triangle> out;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      Vec3 o = corner;
      o[axis] += side * edges[axis];
      const Vec3 a = edges[u] * Vec3::Unit(u), b = edges[v] * Vec3::Unit(v);
      const Triangle first{o, o + a, o + a + b}, second{o, o + a + b, o + b};
      for (Triangle t : {first, second}) {
        if (side == 0) std::swap(t[1], t[2]);
        out.push_back(t);
      }
    }
  return out;
}

TEST(Moments, SecondMomentFromInertiaAndBack) {
  // diag(3, 5, 7) is the inertia of S = diag(4.5, 2.5, 0.5)
  const Mat3 I = Vec3(3, 5, 7).asDiagonal();
  expect_near(second_of_inertia(I), Vec3(4.5, 2.5, 0.5).asDiagonal(), kRounding);
  expect_near(inertia_of_second(second_of_inertia(I)), I, kRounding);
}

TEST(Moments, OfAMeshAreThoseOfTheSolid) {
  const Vec3 edges(0.3, 1.1, 2), corner(0.7, -0.2, 5);
  const Moments m = solid(box_surface(edges, corner), 700);
  const Moments expected = box(edges, 700);
  EXPECT_NEAR(m.mass, expected.mass, 1e-10);
  EXPECT_LE((m.com() - corner - edges / 2).norm(), 1e-12);
  expect_near(m.about(m.com()).second, expected.second, 1e-8);  // a box 5 m away: 1e-16 m r^2
}

TEST(Moments, OfSolidsAsTheirInertias) {
  const double density = 3, pi = M_PI;
  const Moments s = sphere(0.5, density), c = cylinder(0.2, 3, density);
  EXPECT_NEAR(s.mass, density * 4 / 3 * pi / 8, kRounding);
  expect_near(inertia_of_second(s.second), 0.4 * s.mass * 0.25 * Mat3::Identity(), kRounding);
  const double across = c.mass * (3 * 0.04 + 9) / 12;
  expect_near(inertia_of_second(c.second), Vec3(across, across, c.mass * 0.04 / 2).asDiagonal(),
              kRounding);
}

/// Its ends lie half its length along its axis, and all of it on its surface.
TEST(Solids, ARoundOneIsDrawnAboutItsAxis) {
  Solid s{Solid::Kind::cylinder, Vec3(0.2, 3, 0), Vec3(2, -1, 2)};
  for (const Vec3& axis : {Vec3(2, -1, 2), Vec3(1, 0, 0), Vec3(0, 0, -1)}) {
    s.axis = axis;
    const Vec3 a = axis.normalized();
    double least = 0, most = 0;
    for (const Vec3& p : outline(s)) {
      EXPECT_NEAR((p - a.dot(p) * a).norm(), 0.2, kRounding);
      least = std::min(least, a.dot(p));
      most = std::max(most, a.dot(p));
    }
    EXPECT_NEAR(least, -1.5, kRounding);
    EXPECT_NEAR(most, 1.5, kRounding);
  }
}

TEST(Moments, MoveAndTurn) {
  const Vec3 edges(1, 2, 3), away(0.4, 5, -1);
  const Mat3 R = exp_matrix(Vec3(0.3, -1, 0.4));
  Moments m = box(edges, 2);
  const Moments turned = m.turned(R);
  expect_near(turned.second, R * m.second * R.transpose(), kRounding);
  const Moments there = m.about(-away);  // its centre at `away`
  expect_near(there.second - m.second, m.mass * away * away.transpose(), 1e-12);
  expect_near(there.about(away).second, m.second, 1e-11);
  EXPECT_LE((there.com() - away).norm(), kRounding);
  m += there;
  EXPECT_NEAR(m.mass, 24, kRounding);
  EXPECT_LE((m.com() - away / 2).norm(), kRounding);
}

}  // namespace
}  // namespace trammel::body::moments_test

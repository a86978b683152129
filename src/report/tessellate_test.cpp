#include "report/tessellate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "body/mesh.h"

namespace trammel::report {
namespace {

using Kind = body::Solid::Kind;
constexpr double kPi = std::numbers::pi;

Shape shape(Kind kind, const Vec3& size) {
  Shape out;
  out.solid = {kind, size, Vec3(1, 2, -2) / 3};
  out.X_BS.R = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 1, 0).normalized())).toRotationMatrix();
  out.X_BS.p = Vec3(3, -2, 1);
  return out;
}

/// By the divergence theorem; corners that do not face outwards make it too small.
double volume(const Surface& s) {
  double out = 0;
  for (std::size_t i = 0; i < s.corners.size(); i += 3)
    out += s.points[s.corners[i]].dot(s.points[s.corners[i + 1]].cross(s.points[s.corners[i + 2]]));
  return out / 6;
}

struct Case {
  const char* name;
  Shape shape;
  double volume;
  bool round;
};
const Case kCases[] = {{"box", shape(Kind::box, {1, 2, 3}), 6, false},
                       {"sphere", shape(Kind::sphere, {2, 0, 0}), 32 * kPi / 3, true},
                       {"cylinder", shape(Kind::cylinder, {2, 5, 0}), 20 * kPi, true},
                       {"tube", shape(Kind::tube, {2, 5, 1}), 15 * kPi, true},
                       {"cone", shape(Kind::cone, {2, 3, 0}), 4 * kPi, true},
                       {"frustum", shape(Kind::cone, {1, 3, 2}), 7 * kPi, true},
                       {"capsule", shape(Kind::capsule, {1, 2, 0}), 2 * kPi + 4 * kPi / 3, true},
                       {"ellipsoid", shape(Kind::ellipsoid, {1, 2, 3}), 8 * kPi, true},
                       {"rod", shape(Kind::rod, {5, 0, 0}), 0.05 * kPi, true},
                       {"point", shape(Kind::point, {0, 0, 0}), 4 * kPi / 3 * 1e-3, true}};

TEST(Tessellate, SurfacesAreClosedAndFaceOutwards) {
  for (const Case& c : kCases) {
    const auto error = [&](int round) {
      return std::abs(volume(tessellate(c.shape, 0.1, round)) / c.volume - 1);
    };
    if (!c.round) {
      EXPECT_NEAR(error(32), 0, 1e-12) << c.name;
    } else {  // corners lie on the circle: of order 2; rods have twelve always
      EXPECT_LT(error(64), c.shape.solid.kind == Kind::rod ? 0.05 : 5e-3) << c.name;
      if (c.shape.solid.kind == Kind::rod) continue;
      EXPECT_NEAR(error(32) / error(64), 4, 0.1) << c.name;
    }
  }
}

TEST(Tessellate, NormalsAreThoseOfTheSurface) {
  for (const Case& c : kCases) {
    const Surface s = tessellate(c.shape, 0.1, 64);
    for (std::size_t i = 0; i < s.corners.size(); i += 3) {
      const Vec3 &a = s.points[s.corners[i]], &b = s.points[s.corners[i + 1]];
      const Vec3 face = (b - a).cross(s.points[s.corners[i + 2]] - a).normalized();
      for (std::size_t k = i; k < i + 3; ++k) {
        const Vec3& n = s.normals[s.corners[k]];
        ASSERT_NEAR(n.norm(), 1, 1e-12) << c.name;
        ASSERT_GT(n.dot(face), 0.8) << c.name;
      }
    }
  }
}

TEST(Tessellate, MeshesHaveTheirFaces) {
  Shape s;
  s.mesh = std::make_shared<body::Mesh>(
      body::Mesh{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2, 3}}});
  const Surface made = tessellate(s, 0.1);
  EXPECT_EQ(made.corners.size(), 6u);
  for (const Vec3& n : made.normals) EXPECT_NEAR(n.z(), 1, 1e-15);
}

TEST(Tessellate, RibbonsLieBesideTheirLine) {
  Line line;
  for (int i = 0; i < 3; ++i)
    for (const double x : {1. * i, 1. * i, 0., 0., 1., 0., 0., 0., 1., 0.})
      line.points.push_back(static_cast<float>(x));
  const Surface made = ribbon(line, 2, 0.5);
  ASSERT_EQ(made.points.size(), 6u);
  EXPECT_EQ(made.corners.size(), 12u);
  for (const Vec3& p : made.points) EXPECT_NEAR(p.y(), 2, 0.26);
  for (const Vec3& n : made.normals) EXPECT_NEAR(n.z(), 1, 1e-15);
}

}  // namespace
}  // namespace trammel::report

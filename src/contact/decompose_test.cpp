#include "contact/decompose.h"

#include <gtest/gtest.h>

#include "contact/hull.h"
#include "contact/solid_cut.h"
#include "contact/test_ring.h"
#include "contact/test_solids.h"
#include "contact/try.h"

namespace trammel::contact {
namespace {

namespace decompose_test {

Hulls hulls_of(const body::Mesh& mesh, double accuracy = 0.01) {
  const MeshOrFault made = trimesh_of(mesh);
  EXPECT_EQ(made.fault, "");
  HullsOrFault out = decompose(*made.mesh, accuracy);
  EXPECT_EQ(out.fault, "");
  return std::move(out.hulls);
}

double volume(const Hulls& hulls) {
  double out = 0;
  for (const auto& hull : hulls.all) out += volume_of(*hull);
  return out;
}

body::Mesh scaled(body::Mesh mesh, double by) {
  for (Vec3& p : mesh.vertices) p *= by;
  return mesh;
}

bool holds(const Hull& hull, const Vec3& x, double by) {
  for (std::size_t f = 0; f < hull.faces.size(); ++f)
    if (hull.normals[f].dot(x - hull.vertices[at(hull.faces[f][0])]) > by) return false;
  return true;
}

struct Exact {
  const char* what;
  body::Mesh mesh;
  std::size_t parts;
};

TEST(Decompose, OfFewConvexPartsTheyAreFoundExactly) {
  const std::vector<Exact> all{
      {"box", test::prism({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, 1), 1},
      {"L", test::prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 1), 2},
      {"T",
       test::prism({{-1, 2}, {-1, 1}, {-.3, 1}, {-.3, 0}, {.3, 0}, {.3, 1}, {1, 1}, {1, 2}}, 1), 2},
      {"U", test::prism({{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}, 1), 3}};
  for (const Exact& e : all)
    for (const double by : {1e-3, 1., 1e3}) {
      const Hulls hulls = hulls_of(scaled(e.mesh, by));
      EXPECT_EQ(hulls.all.size(), e.parts) << e.what << by;
      EXPECT_EQ(hulls.error, 0) << e.what << by;
      const double solid = body::solid(scaled(e.mesh, by), 1).mass;
      EXPECT_NEAR(volume(hulls), solid, 1e-9 * solid) << e.what << by;
    }
}

/// Over random places: in the solid all are in a hull, in a hull none is farther off than stated,
/// and none is in two.
void expect_covered(const body::Mesh& mesh, const Hulls& hulls) {
  const MeshOrFault made = trimesh_of(mesh);
  const SolidDistance distance(*made.mesh);
  const Aabb& box = made.mesh->nodes[0].box;
  Dice dice(3);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 share(dice(), dice(), dice()),
        x = box.least + share.cwiseProduct(box.most - box.least);
    int inside = 0, about = 0;
    for (const auto& hull : hulls.all) {
      inside += holds(*hull, x, -1e-9 * diagonal_of(*made.mesh)) ? 1 : 0;
      about += holds(*hull, x, 1e-9 * diagonal_of(*made.mesh)) ? 1 : 0;
    }
    const double d = distance(x);
    ASSERT_LE(inside, 1);
    ASSERT_TRUE(d >= 0 || about >= 1) << x.transpose();
    const double most = hulls.error + 1e-9 * diagonal_of(*made.mesh);
    ASSERT_TRUE(inside == 0 || d <= most) << x.transpose() << ", off by " << d;
  }
}

/// A box with a hollow that nothing leads to.
body::Mesh hollow() {
  body::Mesh out = test::prism({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, 2);
  const body::Mesh inner = test::prism({{-.6, -.6}, {.6, -.6}, {.6, .6}, {-.6, .6}}, 1);
  const int n = count(out.vertices);
  for (const Vec3& p : inner.vertices) out.vertices.push_back(p + Vec3(0, 0, 0.5));
  for (std::vector<int> face : inner.faces) {
    std::reverse(face.begin(), face.end());
    for (int& i : face) i += n;
    out.faces.push_back(face);
  }
  return out;
}

TEST(Decompose, AllOfTheSolidAndNothingFartherOffThanStated) {
  const std::vector<body::Mesh> all{test::gear(8, 1, 0.8, 0.3), test::ring_mesh(1, 0.25, 16, 8),
                                    test::hollow_prism(6, 1, 24, 0.55, 0.8), hollow()};
  for (const body::Mesh& mesh : all)
    for (const double accuracy : {0.05, 0.01}) expect_covered(mesh, hulls_of(mesh, accuracy));
}

TEST(Decompose, GreaterAccuracyLeavesLessVolumeAndFewHullsDo) {
  const body::Mesh ring = test::ring_mesh(1, 0.25, 16, 8);
  const double solid = body::solid(ring, 1).mass;
  const Hulls coarse = hulls_of(ring, 0.05), fine = hulls_of(ring, 0.005);
  EXPECT_LT(volume(fine), volume(coarse));
  EXPECT_GT(volume(fine), solid * (1 - 1e-9));
  EXPECT_LT(volume(fine), 1.02 * solid);
  EXPECT_LE(coarse.all.size(), 12U);
  EXPECT_LE(fine.all.size(), 60U);
}

body::Mesh in_triangles(const body::Mesh& mesh) {
  body::Mesh out{mesh.vertices, {}};
  for (const std::vector<int>& face : mesh.faces)
    for (std::size_t k = 2; k < face.size(); ++k)
      out.faces.push_back({face[0], face[k - 1], face[k]});
  return out;
}

/// Files have numbers of six, seven or nine digits: what was flat is no longer.
TEST(Decompose, MeshesOfFilesTakeNoMoreHulls) {
  const std::vector<body::Mesh> all{in_triangles(test::ring_mesh(1, 0.25, 24, 12)),
                                    in_triangles(test::ring_mesh(0.1, 0.02, 24, 12)),
                                    in_triangles(test::gear(8, 1, 0.8, 0.3))};
  for (const body::Mesh& mesh : all) {
    const std::size_t exact = hulls_of(mesh).all.size();
    double most = 0;
    for (const Vec3& x : mesh.vertices) most = std::max(most, x.lpNorm<Eigen::Infinity>());
    for (const double share : {1e-6, 1e-7, 1e-9}) {
      const double digits = share * most;
      body::Mesh rounded = mesh;
      for (Vec3& x : rounded.vertices)
        x = x.unaryExpr([&](double c) { return std::round(c / digits) * digits; });
      const Hulls hulls = hulls_of(rounded);
      EXPECT_LE(hulls.all.size(), exact + exact / 4) << share;
      expect_covered(rounded, hulls);
    }
  }
}

/// Points on the faces, edges and inside a box, off by rounding of files: it is the box.
TEST(Decompose, HullsOfPointsThatAreNearlyInPlanesHoldThemAll) {
  Dice dice(3);
  for (int k = 0; k < 200; ++k) {
    const double noise = std::pow(10., -k % 5 - 8);
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) points.emplace_back(i & 1, i >> 1 & 1, i >> 2);
    for (int i = 0; i < 60; ++i) {
      Vec3 x = (dice.vector(1) + Vec3::Ones()) / 2;
      for (int j = 0; j < i % 3; ++j) x[(i + j) % 3] = std::round(x[(i + j) % 3]);
      points.push_back(x + noise * dice.vector(1));
    }
    const HullOrFault made = hull_about(points, 1e-6);
    ASSERT_TRUE(made.hull) << k;
    for (const Vec3& x : points) EXPECT_TRUE(holds(*made.hull, x, 2e-6)) << k << x;
    EXPECT_NEAR(volume_of(*made.hull), 1, 1e-5) << k;
    EXPECT_LE(made.hull->vertices.size(), 10U) << k;  // some in edges
  }
}

TEST(Decompose, FollowsFromTheMeshAlone) {
  const body::Mesh gear = test::gear(6, 1, 0.7, 0.3);
  const Hulls one = hulls_of(gear), two = hulls_of(gear);
  ASSERT_EQ(one.all.size(), two.all.size());
  for (std::size_t i = 0; i < one.all.size(); ++i)
    EXPECT_EQ(one.all[i]->vertices, two.all[i]->vertices);
}

TEST(SolidDistance, IsThatOfABox) {
  const MeshOrFault made = trimesh_of(test::prism({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, 2));
  const SolidDistance distance(*made.mesh);
  Dice dice(1);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 x = dice.vector(2) + Vec3(0, 0, 1),
               off = (x - Vec3(0, 0, 1)).cwiseAbs() - Vec3::Ones();
    const double expected = off.cwiseMax(0).norm() + std::min(off.maxCoeff(), 0.);
    EXPECT_NEAR(distance(x), expected, 1e-12);
  }
}

}  // namespace decompose_test
}  // namespace
}  // namespace trammel::contact

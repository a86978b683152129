#include "body/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "body/mesh_triangles.h"
#include "math/rotation.h"

namespace trammel::body::mesh_test {
namespace {

/// A box about the origin by six rectangles.
Mesh box_mesh(const Vec3& edges) {
  Mesh m;
  for (int i = 0; i < 8; ++i)
    m.vertices.push_back(0.5 *
                         edges.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  m.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return m;
}

std::string only(const Mesh& mesh, int face) {
  const std::vector<MeshFault> all = faults(mesh);
  if (all.size() != 1) return std::to_string(all.size()) + " faults";
  EXPECT_EQ(all[0].face, face);
  return all[0].text;
}

TEST(Mesh, OfABoxHasItsMoments) {
  const Vec3 edges(0.4, 0.6, 1.5), away(300, -200, 50);
  Mesh m = box_mesh(edges);
  const Mat3 R = exp_matrix(Vec3(1, 2, 0.3));
  for (Vec3& v : m.vertices) v = R * v + away;
  ASSERT_TRUE(faults(m).empty());
  const Moments got = solid(m, 700), expected = box(edges, 700).turned(R);
  EXPECT_NEAR(got.mass, expected.mass, 1e-9);
  EXPECT_LE((got.com() - away).norm(), 1e-12);
  // rounding of moments about a point 360 m away
  EXPECT_LE((got.about(got.com()).second - expected.second).norm(), 1e-7);
}

TEST(Mesh, WithACavityIsASolid) {
  Mesh m = box_mesh({2, 2, 2});
  const Mesh hole = box_mesh({1, 1, 1});
  m.vertices.insert(m.vertices.end(), hole.vertices.begin(), hole.vertices.end());
  for (std::vector<int> f : hole.faces) {
    std::reverse(f.begin(), f.end());
    for (int& i : f) i += 8;
    m.faces.push_back(f);
  }
  ASSERT_TRUE(faults(m).empty());
  const Moments got = solid(m, 3);
  EXPECT_NEAR(got.volume, 7, 1e-14);
  EXPECT_LE((got.second - box({2, 2, 2}, 3).second + box({1, 1, 1}, 3).second).norm(), 1e-13);
}

// Four faces meet at the edge where they touch.
TEST(Mesh, SolidsMayTouchAtAnEdge) {
  Mesh m = box_mesh({1, 1, 1});
  const Mesh other = box_mesh({1, 1, 1});
  std::vector<int> number;  // its corners 0 and 4 are 3 and 7 of the first
  for (int i = 0; i < 8; ++i) {
    number.push_back(i == 0 ? 3 : i == 4 ? 7 : static_cast<int>(m.vertices.size()));
    if (i % 4) m.vertices.push_back(other.vertices[static_cast<std::size_t>(i)] + Vec3(1, 1, 0));
  }
  for (std::vector<int> f : other.faces) {
    for (int& i : f) i = number[static_cast<std::size_t>(i)];
    m.faces.push_back(f);
  }
  ASSERT_TRUE(faults(m).empty());
  EXPECT_NEAR(solid(m, 1).volume, 2, 1e-14);
}

/// What is flat is judged by its own size, wherever it lies.
TEST(Mesh, AThinPlateFarAwayIsASolid) {
  Mesh m = box_mesh({1, 1, 1e-4});
  for (Vec3& v : m.vertices) v += Vec3(3000, -2000, 500);
  for (const MeshFault& fault : faults(m)) ADD_FAILURE() << fault.text;
  EXPECT_NEAR(solid(m, 1).volume, 1e-4, 1e-11);  // corners are where doubles can be
}

// A face like a U, from every corner: its triangles cover it, and nothing else.
TEST(Mesh, FacesThatBendInwardsArePartedWithoutFolds) {
  Mesh m;
  for (const auto& [x, y] :
       {std::pair{0., 0.}, {3., 0.}, {3., 3.}, {2., 3.}, {2., 1.}, {1., 1.}, {1., 3.}, {0., 3.}})
    m.vertices.push_back(Vec3(x, y, 0.5 * x));
  std::vector<int> face{0, 1, 2, 3, 4, 5, 6, 7};
  const Vec3 n = Vec3(-0.5, 0, 1).normalized();
  for (std::size_t k = 0; k < face.size(); ++k) {
    double sum = 0;
    for (const auto& [a, b, c] : triangles_of(m, face)) {
      const auto p = [&](int i) { return m.vertices[static_cast<std::size_t>(i)]; };
      const double area = 0.5 * (p(b) - p(a)).cross(p(c) - p(a)).dot(n);
      EXPECT_GT(area, 0) << k;
      sum += area;
    }
    EXPECT_NEAR(sum, 7 * std::hypot(1, 0.5), 1e-12) << k;
    std::rotate(face.begin(), face.begin() + 1, face.end());
  }
}

TEST(Mesh, FaultsAreSaidWithTheirFace) {
  const Mesh good = box_mesh({1, 1, 1});
  Mesh m = good;
  m.faces[2] = {0, 1};
  EXPECT_EQ(only(m, 2), "has 2 corners, at least 3 are needed");
  m.faces[2] = {0, 1, 8, 4};
  EXPECT_EQ(only(m, 2), "has the corner 8: the 8 vertices are numbered from 0");
  m.faces[2] = {0, 1, -1, 4};
  EXPECT_EQ(only(m, 2), "has the corner -1: the 8 vertices are numbered from 0");
  m.faces[2] = {0, 1, 5, 1};
  EXPECT_EQ(only(m, 2), "has the corner 1 twice");
  m = good;
  m.faces.pop_back();
  EXPECT_EQ(faults(m).size(), 4u);
  EXPECT_EQ(faults(m)[0].face, 0);
  EXPECT_EQ(faults(m)[0].text,
            "the edge from (0.5, -0.5, -0.5) to (0.5, 0.5, -0.5) has no other face: the surface is "
            "open there");
  m = good;
  std::reverse(m.faces[5].begin(), m.faces[5].end());
  EXPECT_EQ(faults(m).size(), 4u);
  EXPECT_EQ(faults(m)[0].text,
            "the edge from (0.5, -0.5, -0.5) to (0.5, 0.5, -0.5) is run along the same way by two "
            "faces: one of them is inside out");
  m = good;
  m.faces.push_back({3, 7, 5, 1});
  EXPECT_EQ(only(m, 6), "stands there twice, it is face 5 as well");
  m.faces.back() = {1, 3, 7};
  EXPECT_EQ(
      faults(m)[0].text,
      "the edge from (0.5, -0.5, -0.5) to (0.5, 0.5, -0.5) is run along by 2 faces one way and "
      "by 1 the other");
  m = good;
  for (auto& f : m.faces) std::reverse(f.begin(), f.end());
  EXPECT_NE(only(m, -1).find("it is inside out: the volume within is -1 m^3"), std::string::npos);
  EXPECT_NE(only(box_mesh({1, 1, 0}), -1).find("bounds no solid"), std::string::npos);
  EXPECT_EQ(only({}, -1), "there are no faces");
}

}  // namespace
}  // namespace trammel::body::mesh_test

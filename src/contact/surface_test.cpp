#include "contact/surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/hull.h"
#include "contact/narrow.h"
#include "contact/try.h"

namespace trammel::contact::surface_test {
namespace {

using Kind = Shape::Kind;

constexpr double kRounding = 1e-13;

/// A floor z = 0 of n by n squares of two triangles, whose inner corners are moved about in it.
body::Mesh floor_mesh(int n) {
  Dice dice(5);
  body::Mesh mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const bool border = i == 0 || j == 0 || i == n || j == n;
      mesh.vertices.emplace_back(i + (border ? 0 : dice.between(-0.3, 0.3)),
                                 j + (border ? 0 : dice.between(-0.3, 0.3)), 0);
      if (i == n || j == n) continue;
      const int a = i * (n + 1) + j, b = a + n + 1;
      mesh.faces.push_back({a, b, b + 1});
      mesh.faces.push_back({a, b + 1, a + 1});
    }
  return mesh;
}

body::Mesh cube_mesh() {
  body::Mesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
  mesh.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return mesh;
}

Shape mesh_shape(const body::Mesh& mesh) {
  const MeshOrFault made = trimesh_of(mesh);
  EXPECT_TRUE(made.mesh) << made.fault;
  return {.kind = Kind::mesh, .mesh = made.mesh};
}

Shape flat_grid(int n) {
  const GridOrFault made =
      grid_of(n + 1, n + 1, 1, 1, std::vector<double>(at((n + 1) * (n + 1)), 0.0));
  return {.kind = Kind::grid, .grid = made.grid};
}

std::vector<Shape> bodies() {
  return {{.kind = Kind::sphere, .size = {0.4, 0, 0}},
          {.kind = Kind::box, .size = {0.9, 0.7, 0.8}},
          {.kind = Kind::capsule, .size = {0.4, 1, 0}},
          {.kind = Kind::cylinder, .size = {0.4, 0.8, 0}},
          {.kind = Kind::cone, .size = {0.4, 0.8, 0.2}},
          {.kind = Kind::hull, .hull = hull_of(cube_mesh()).hull}};
}

/// A floor of triangles is as one plane: the same points, whatever edges lie below.
TEST(Surface, NothingCatchesOnEdgesWithinAPlane) {
  Dice dice(2);
  const Shape ground{.kind = Kind::half_space};
  for (const Shape& floor : {mesh_shape(floor_mesh(10)), flat_grid(10)})
    for (const Shape& body : bodies())
      for (int i = 0; i < 300; ++i) {
        const double lean = i % 3 == 0 ? 0.0 : 0.02;
        const Mat3 R = (Eigen::AngleAxisd(dice.between(-3, 3), Vec3::UnitZ()) *
                        Eigen::AngleAxisd(dice.between(-lean, lean), Vec3::UnitX()))
                           .toRotationMatrix();
        Pose X{Vec3(dice.between(3, 7), i % 5 == 0 ? 5 : dice.between(3, 7), 0), R};
        Convex there = convex_of(body);
        there.X = X;
        X.p.z() =
            -(support(there, -Vec3::UnitZ()).p.z() - there.radius) + dice.between(-0.01, 0.005);
        const auto points = points_of(floor, {}, body, X, 0.03);
        const auto plain = points_of(ground, {}, body, X, 0.03);
        ASSERT_EQ(points.size(), plain.size()) << name_of(body.kind) << " " << i;
        for (std::size_t k = 0; k < points.size(); ++k) {
          EXPECT_LT((points[k].n - Vec3::UnitZ()).norm(), kRounding);
          EXPECT_LT((points[k].p_B - plain[k].p_B).norm(), kRounding);
          EXPECT_NEAR(points[k].gap, plain[k].gap, kRounding);
          EXPECT_EQ(points[k].feature & ((1 << 30) - 1), plain[k].feature & ((1 << 30) - 1));
        }
      }
}

double least_gap(const std::vector<Point>& points) {
  double least = 1e300;
  for (const Point& p : points) least = std::min(least, p.gap);
  return least;
}

/// A closed mesh is as far from what lies outside as the solid that it bounds.
TEST(Surface, AMeshIsAsFarAsItsSolid) {
  Dice dice(4);
  const Shape mesh = mesh_shape(cube_mesh()), cube{.kind = Kind::box, .size = {1, 1, 1}};
  for (const Shape& body : bodies())
    for (int i = 0; i < 200; ++i) {
      const Pose X{dice.vector(1.3), dice.rotation()}, X_A{dice.vector(1), dice.rotation()};
      const auto points = points_of(mesh, X_A, body, X_A * X, 3);
      const double gap = least_gap(points_of(cube, X_A, body, X_A * X, 3));
      if (gap < 0) continue;
      EXPECT_NEAR(least_gap(points), gap, 5e-8) << name_of(body.kind) << " " << i;
      for (const Point& p : points) EXPECT_NEAR(p.n.dot(p.p_B - p.p_A), p.gap, kRounding);
    }
}

/// A field with slopes of up to 45 degrees about its corners and valleys.
Shape rough_grid(Dice& dice) {
  std::vector<double> z(at(11 * 11));
  for (double& x : z) x = dice.between(-0.4, 0.4);
  return {.kind = Kind::grid, .grid = grid_of(11, 11, 1, 1, z).grid};
}

double above(const Grid& grid, const Vec3& p) {
  const int i = static_cast<int>(p.x()), j = static_cast<int>(p.y());
  const double u = p.x() - i, v = p.y() - j;
  const auto z = [&](int a, int b) { return grid.surface.vertices[at(a * grid.ny + b)].z(); };
  return p.z() - (u >= v ? (1 - u) * z(i, j) + (u - v) * z(i + 1, j) + v * z(i + 1, j + 1)
                         : (1 - v) * z(i, j) + (v - u) * z(i, j + 1) + u * z(i + 1, j + 1));
}

/// Whether a part of the ground, of those looked at, lies in a body by this or more.
bool is_pierced(const Grid& grid, const Convex& body, double by) {
  const Vec3 p = middle(body);
  for (int i = -20; i <= 20; ++i)
    for (int j = -20; j <= 20; ++j) {
      Vec3 on(p.x() + 0.05 * i, p.y() + 0.05 * j, 0);
      on.z() = -above(grid, on);
      Convex point;
      point.core = Convex::Core::point;
      point.X.p = on;
      std::vector<Point> out;
      touch(body, point, 0, out);
      if (!out.empty() && out[0].gap < -by) return true;
    }
  return false;
}

/// Wherever ground is in a body a point tells so, be it in a valley, on a peak or by the middle.
TEST(Surface, NothingLiesInTheGroundUnnoticed) {
  Dice dice(7);
  int pierced = 0, buried = 0;
  for (int k = 0; k < 10; ++k) {
    const Shape ground = rough_grid(dice);
    for (const Shape& body : bodies())
      for (int i = 0; i < 40; ++i) {
        Pose X{Vec3(dice.between(2, 8), dice.between(2, 8), dice.between(-0.5, 1.2)),
               dice.rotation()};
        Convex there = convex_of(body);
        there.X = X;
        if (!is_pierced(*ground.grid, there, 1e-4)) continue;
        const auto points = points_of(ground, {}, body, X, 0.01);
        EXPECT_LT(least_gap(points), 0) << name_of(body.kind) << " " << k << " " << i;
        const bool is_buried = above(*ground.grid, middle(there)) < 0;
        ++(is_buried ? buried : pierced);
        for (const Point& p : points) EXPECT_GT(p.n.z(), is_buried ? 0.5 : 0);
      }
  }
  EXPECT_GT(pierced, 300);
  EXPECT_GT(buried, 100);
}

TEST(Surface, ComesInFromTheFrontAlone) {
  const Shape cube = mesh_shape(cube_mesh());
  EXPECT_TRUE(comes_in(cube, {0.1, 0.2, 3}, {0.1, 0.2, -0.2}));
  EXPECT_TRUE(comes_in(cube, {0.1, 0.2, 3}, {0.1, 0.2, -3}));
  EXPECT_TRUE(comes_in(cube, {0, 0, 3}, {0, 0, -3}));  // on the edge of two triangles
  EXPECT_FALSE(comes_in(cube, {0.1, 0.2, -0.2}, {0.1, 0.2, 3}));
  EXPECT_FALSE(comes_in(cube, {0.6, 0.2, 3}, {0.6, 0.2, -3}));
  EXPECT_FALSE(comes_in(flat_grid(3), {1.1, 1.2, 1}, {1.9, 1.2, 0.1}));
  EXPECT_TRUE(comes_in(flat_grid(3), {1.1, 1.2, 1}, {1.9, 1.2, -0.1}));
  EXPECT_FALSE(comes_in(flat_grid(3), {1.1, 1.2, 1}, {5, 1.2, -0.1}));
}

TEST(Surface, AMeshStandsOnPlanesWithItsCorners) {
  const Shape mesh = mesh_shape(cube_mesh());
  for (const Kind kind : {Kind::half_space, Kind::plane}) {
    const auto points =
        points_of({.kind = kind}, {}, mesh, {Vec3(7, 8, 0.499), Mat3::Identity()}, 0.01);
    ASSERT_EQ(points.size(), 4U);
    for (const Point& p : points) {
      EXPECT_NEAR(p.gap, -0.001, kRounding);
      EXPECT_NEAR(p.p_A.z(), 0, kRounding);
      EXPECT_NEAR(std::abs(p.p_B.x() - 7), 0.5, kRounding);
    }
    const auto other =
        points_of(mesh, {Vec3(7, 8, 0.499), Mat3::Identity()}, {.kind = kind}, {}, 0.01);
    ASSERT_EQ(other.size(), 4U);
    EXPECT_EQ(other[0].n, Vec3(0, 0, -1));
  }
  EXPECT_THROW(points_of(mesh, {}, mesh, {}, 0), std::invalid_argument);
}

TEST(Surface, RefusesWhatIsNoSurface) {
  EXPECT_NE(trimesh_of({{Vec3::Zero()}, {{0, 1, 2}}}).fault, "");
  EXPECT_NE(grid_of(2, 2, 1, 1, {0, 0, 0}).fault, "");
  EXPECT_NE(grid_of(1, 2, 1, 1, {0, 0}).fault, "");
  EXPECT_NE(grid_of(2, 2, 0, 1, {0, 0, 0, 0}).fault, "");
  EXPECT_NE(grid_of(2, 2, 1, 1, {0, 0, 0, NAN}).fault, "");
}

TEST(Hull, RefusesWhatIsNotConvex) {
  body::Mesh mesh = cube_mesh();
  EXPECT_EQ(hull_of(mesh).hull->faces.size(), 6U);
  mesh.vertices[7] = Vec3(0.1, 0.1, 0.1);
  EXPECT_NE(hull_of(mesh).fault.find("is not convex"), std::string::npos);
  EXPECT_NE(hull_about({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(1, 1, 0)}).fault, "");
}

}  // namespace
}  // namespace trammel::contact::surface_test

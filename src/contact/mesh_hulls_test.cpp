#include "contact/mesh_hulls.h"

#include <gtest/gtest.h>

#include "contact/hull.h"
#include "contact/solid_cut.h"
#include "contact/test_intersect.h"
#include "contact/test_ring.h"
#include "contact/test_solids.h"
#include "contact/try.h"

namespace trammel::contact {
namespace {

namespace mesh_hulls_test {

body::Mesh scaled(body::Mesh mesh, double by) {
  for (Vec3& p : mesh.vertices) p *= by;
  return mesh;
}

Shape mesh_shape(const body::Mesh& mesh, double accuracy = 0.01) {
  MeshOrFault made = trimesh_of(mesh);
  EXPECT_EQ(made.fault, "");
  auto copy = std::make_shared<Trimesh>(*made.mesh);
  const MeshHullsOrFault hulls = hulls_of(*copy, accuracy);
  EXPECT_EQ(hulls.fault, "");
  copy->hulls = hulls.hulls;
  return {.kind = Shape::Kind::mesh, .mesh = std::move(copy)};
}

body::Mesh ell() { return test::prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 1); }
body::Mesh yoke() {
  return test::prism({{0, 0}, {3, 0}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}, 1);
}
body::Mesh block(double x, double y, double z) {
  return test::prism({{-x / 2, -y / 2}, {x / 2, -y / 2}, {x / 2, y / 2}, {-x / 2, y / 2}}, z);
}

double between_edges(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2) {
  const Vec3 d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = d1.dot(d1), e = d2.dot(d2), f = d2.dot(r), c = d1.dot(r), b = d1.dot(d2),
               all = a * e - b * b;
  double s = all > 1e-14 * a * e ? std::clamp((b * f - c * e) / all, 0., 1.) : 0;
  double t = (b * s + f) / e;
  if (t < 0) t = 0, s = std::clamp(-c / a, 0., 1.);
  if (t > 1) t = 1, s = std::clamp((b - c) / a, 0., 1.);
  return (p1 + s * d1 - p2 - t * d2).norm();
}

/// Over all triangles and edges; the solids share no volume.
double brute_gap(const Trimesh& a, const Pose& X_A, const Trimesh& b, const Pose& X_B) {
  const SolidDistance off_a(a), off_b(b);
  double least = 1e300;
  const Pose X_AB = inverse(X_A) * X_B, X_BA = inverse(X_B) * X_A;
  for (const Vec3& p : b.vertices) least = std::min(least, off_a(X_AB.p + X_AB.R * p));
  for (const Vec3& p : a.vertices) least = std::min(least, off_b(X_BA.p + X_BA.R * p));
  for (const auto& s : a.triangles)
    for (const auto& t : b.triangles)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
          least = std::min(
              least,
              between_edges(a.vertices[at(s.at[at(i)])], a.vertices[at(s.at[at((i + 1) % 3)])],
                            X_AB.p + X_AB.R * b.vertices[at(t.at[at(k)])],
                            X_AB.p + X_AB.R * b.vertices[at(t.at[at((k + 1) % 3)])]));
  return least;
}

bool overlap(const body::Mesh& a, const Pose& X_A, const body::Mesh& b, const Pose& X_B) {
  const auto sa = barrier::surface_of(a), sb = barrier::surface_of(b);
  return test::cuts({test::placed(sa, X_A.p, X_A.R), test::placed(sb, X_B.p, X_B.R)}) > 0;
}

double least_gap(const std::vector<Point>& points) {
  double least = 1e300;
  for (const Point& p : points) least = std::min(least, p.gap);
  return least;
}

struct Kinds {
  std::vector<body::Mesh> meshes{ell(), yoke(), block(1, 2, 0.5), test::gear(6, 1, 0.7, 0.3),
                                 test::ring_mesh(1, 0.3, 12, 8)};
  std::vector<Shape> shapes;
  Kinds() {
    for (const auto& m : meshes) shapes.push_back(mesh_shape(m));
  }
  double error(std::size_t i) const { return shapes[i].mesh->hulls->error; }
};

const Kinds& kinds() {
  static const Kinds k;
  return k;
}

TEST(MeshHulls, GapsAreThoseOfAllTrianglesWithinTheErrorStated) {
  const Kinds& k = kinds();
  Dice dice(3);
  int apart = 0, over = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t a = at(i % 5), b = at(i / 5 % 5);
    const Pose X_A{dice.vector(1), dice.rotation()};
    const Pose X_B{X_A.p + dice.vector(2.6), dice.rotation()};
    const auto points = points_of(k.shapes[a], X_A, k.shapes[b], X_B, 20);
    const double error = k.error(a) + k.error(b);
    if (overlap(k.meshes[a], X_A, k.meshes[b], X_B)) {
      ++over;
      EXPECT_LT(least_gap(points), 0) << i << " kinds " << a << b;
      continue;
    }
    const double gap = brute_gap(*k.shapes[a].mesh, X_A, *k.shapes[b].mesh, X_B);
    if (gap < 0) continue;  // one within the other
    ++apart;
    EXPECT_LE(least_gap(points), gap + 1e-9) << i << " kinds " << a << b;
    EXPECT_GE(least_gap(points), gap - error - 1e-9) << i << " kinds " << a << b;
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(over, 40);
}

TEST(MeshHulls, PushedTogetherTheyOverlapAsFar) {
  const Kinds& k = kinds();
  Dice dice(5);
  int n = 0;
  for (int i = 0; i < 1500; ++i) {
    const std::size_t a = at(i % 3), b = at(i / 3 % 3);
    const Pose X_A{dice.vector(1), dice.rotation()};
    const Pose X_B{X_A.p + dice.vector(2.6), dice.rotation()};
    if (overlap(k.meshes[a], X_A, k.meshes[b], X_B)) continue;
    const auto points = points_of(k.shapes[a], X_A, k.shapes[b], X_B, 20);
    const double gap = least_gap(points);
    if (gap <= 1e-6) continue;
    const auto nearest =
        std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.gap == gap; });
    for (const double depth : {1e-6, 1e-4, 1e-2}) {
      Pose X = X_B;
      X.p -= (gap + depth) * nearest->n;
      const double found = least_gap(points_of(k.shapes[a], X_A, k.shapes[b], X, 0.1));
      EXPECT_LE(found, 0) << i << " kinds " << a << b << " depth " << depth;
      EXPECT_GE(found, -1.5 * depth) << i << " kinds " << a << b << " depth " << depth;
    }
    ++n;
  }
  EXPECT_GT(n, 100);
}

TEST(MeshHulls, NothingCatchesWhereAMeshIsParted) {
  const Shape floor = mesh_shape(test::prism({{0, 0}, {4, 0}, {4, 1}, {2, 1}, {2, 4}, {0, 4}}, 1)),
              slider = mesh_shape(block(0.3, 0.2, 0.1)),
              yoke_slider = mesh_shape(scaled(yoke(), 0.1));
  ASSERT_EQ(floor.mesh->hulls->parts.size(), 2U);
  Dice dice(7);
  for (int i = 0; i < 2000; ++i) {
    const bool is_yoke = i % 2 == 1;
    const double along = dice.between(0.3, 1.4), turn = dice.between(-3, 3),
                 height = std::pow(10, dice.between(-9, -3)) * (i % 3 - 1);
    const Mat3 R = Eigen::AngleAxisd(turn, Vec3::UnitZ()).toRotationMatrix();
    const Pose X{Vec3(along, dice.between(0.3, 1.4), 1 + height), R};
    for (const Point& p : points_of(floor, {}, is_yoke ? yoke_slider : slider, X, 1e-3)) {
      EXPECT_NEAR((p.n - Vec3::UnitZ()).norm(), 0, 1e-9) << i;
      EXPECT_NEAR(p.gap, height, 1e-9) << i;
    }
  }
}

TEST(MeshHulls, CubesOfTrianglesTouchAsBoxes) {
  const Shape mesh = mesh_shape(test::prism({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, 2));
  const Pose X_SB{Vec3(0, 0, 1), Mat3::Identity()};  // of the box in the frame of the mesh
  const Shape box{.kind = Shape::Kind::box, .size = Vec3::Constant(2)};
  ASSERT_EQ(mesh.mesh->hulls->parts.size(), 1U);
  EXPECT_EQ(mesh.mesh->hulls->error, 0);
  Dice dice(11);
  for (int i = 0; i < 500; ++i) {
    const Mat3 turn = Eigen::AngleAxisd(dice.between(-1, 1), Vec3::UnitZ()).toRotationMatrix();
    const Pose X_A{dice.vector(1), dice.rotation()};
    const Pose X_B = X_A * Pose{{dice.between(-0.9, 0.9), dice.between(-0.9, 0.9), 2 - 1e-4}, turn};
    const auto of_mesh = points_of(mesh, X_A, mesh, X_B, 1e-3),
               of_box = points_of(box, X_A * X_SB, box, X_B * X_SB, 1e-3);
    ASSERT_EQ(of_mesh.size(), of_box.size()) << i;
    for (const Point& p : of_mesh)
      EXPECT_TRUE(std::any_of(of_box.begin(), of_box.end(), [&](const Point& q) {
        return (p.p_A - q.p_A).norm() + (p.p_B - q.p_B).norm() + (p.n - q.n).norm() < 1e-9;
      })) << i;
  }
}

TEST(MeshHulls, ChangedSidesAndOtherPosesOfBothChangeNothing) {
  const Kinds& k = kinds();
  Dice dice(13);
  for (int i = 0; i < 300; ++i) {
    const std::size_t a = at(i % 5), b = at(i / 5 % 5);
    const Pose X_A{dice.vector(1), dice.rotation()}, X_B{X_A.p + dice.vector(2.4), dice.rotation()},
        X{dice.vector(3), dice.rotation()};
    const auto points = points_of(k.shapes[a], X_A, k.shapes[b], X_B, 0.5),
               changed = points_of(k.shapes[b], X_B, k.shapes[a], X_A, 0.5),
               moved = points_of(k.shapes[a], X * X_A, k.shapes[b], X * X_B, 0.5);
    EXPECT_NEAR(least_gap(points), least_gap(changed), 1e-7) << i;
    EXPECT_NEAR(least_gap(points), least_gap(moved), 1e-7) << i;
  }
}

TEST(MeshHulls, ScaleWithTheMesh) {
  Dice dice(17);
  for (const double by : {0x1p-10, 0x1p10}) {
    const Shape one = mesh_shape(ell()), two = mesh_shape(test::ring_mesh(1, 0.3, 12, 8)),
                small = mesh_shape(scaled(ell(), by)),
                other = mesh_shape(scaled(test::ring_mesh(1, 0.3, 12, 8), by));
    ASSERT_EQ(two.mesh->hulls->parts.size(), other.mesh->hulls->parts.size());
    for (int i = 0; i < 100; ++i) {
      const Pose X_A{dice.vector(1), dice.rotation()}, X_B{X_A.p + dice.vector(2), dice.rotation()};
      const auto points = points_of(one, X_A, two, X_B, 1),
                 scaled_points =
                     points_of(small, {by * X_A.p, X_A.R}, other, {by * X_B.p, X_B.R}, by);
      EXPECT_NEAR(std::min(least_gap(points), 9.), std::min(least_gap(scaled_points) / by, 9.),
                  1e-7)
          << i << " " << by;
    }
  }
}

}  // namespace mesh_hulls_test
}  // namespace
}  // namespace trammel::contact

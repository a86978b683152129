// Polyhedra that lie flush on each other, or nearly, of any size and in any attitude: the gap
// beside that of all faces and pairs of edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "contact/convex.h"
#include "contact/gjk.h"
#include "contact/hull.h"

namespace trammel::contact::flush_test {
namespace {

struct Dice {
  explicit Dice(unsigned seed) : of(seed) {}
  double uniform(double lo, double hi) { return std::uniform_real_distribution<>(lo, hi)(of); }
  Vec3 vector(double most) {
    return {uniform(-most, most), uniform(-most, most), uniform(-most, most)};
  }
  Mat3 turn(double most) {
    const Vec3 w = vector(most);
    if (w.norm() == 0) return Mat3::Identity();
    return Eigen::AngleAxisd(w.norm(), w.normalized()).toRotationMatrix();
  }
  /// 0, or a little.
  double rarely() { return of() % 2 ? std::pow(10, uniform(-17, -5)) : 0; }
  std::mt19937 of;
};

/// A stone of an arch: a block whose long sides may lean towards each other.
Shape stone(Dice& dice, double size) {
  const Vec3 half = size * Vec3(dice.uniform(0.2, 0.5), dice.uniform(0.2, 0.5), 0.3);
  const double lean = dice.of() % 2 ? dice.uniform(0.01, 0.3) : 0;
  std::vector<Vec3> points;
  for (const int x : {-1, 1})
    for (const int y : {-1, 1})
      for (const int z : {-1, 1})
        points.emplace_back(x * half.x() * (1 - lean * z), y * half.y(), z * half.z());
  return {.kind = Shape::Kind::hull, .hull = hull_about(points).hull};
}

std::vector<Vec3> corners(const Shape& s, const Pose& X) {
  std::vector<Vec3> out;
  for (const Vec3& p : s.hull->vertices) out.push_back(X.p + X.R * p);
  return out;
}
std::vector<Vec3> edges(const Shape& s, const Pose& X) {
  std::vector<Vec3> out;
  for (int i = 0; i < count(s.hull->vertices); ++i)
    for (const int k : s.hull->beside[at(i)])
      if (i < k) out.push_back(X.R * (s.hull->vertices[at(k)] - s.hull->vertices[at(i)]));
  return out;
}

/// The greatest gap between two sets of corners along an axis, either way.
double apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Vec3& n) {
  double lo_a = 1e300, hi_a = -1e300, lo_b = 1e300, hi_b = -1e300;
  for (const Vec3& p : a) lo_a = std::min(lo_a, n.dot(p)), hi_a = std::max(hi_a, n.dot(p));
  for (const Vec3& p : b) lo_b = std::min(lo_b, n.dot(p)), hi_b = std::max(hi_b, n.dot(p));
  return std::max(lo_b - hi_a, lo_a - hi_b);
}
double by_all_axes(const Shape& A, const Pose& X_A, const Shape& B, const Pose& X_B) {
  const std::vector<Vec3> a = corners(A, X_A), b = corners(B, X_B);
  double gap = -1e300;
  for (const Vec3& n : A.hull->normals) gap = std::max(gap, apart(a, b, X_A.R * n));
  for (const Vec3& n : B.hull->normals) gap = std::max(gap, apart(a, b, X_B.R * n));
  for (const Vec3& e : edges(A, X_A))
    for (const Vec3& f : edges(B, X_B)) {
      const Vec3 n = e.cross(f);
      if (n.norm() > 1e-9 * e.norm() * f.norm()) gap = std::max(gap, apart(a, b, n.normalized()));
    }
  return gap;
}

Vec3 middle(const Hull& h, std::size_t face) {
  Vec3 sum = Vec3::Zero();
  for (const int k : h.faces[face]) sum += h.vertices[at(k)];
  return sum / count(h.faces[face]);
}

/// A turn that leads the direction `from` to `to`.
Mat3 turn_to(const Vec3& from, const Vec3& to) {
  if (from.dot(to) > -0.5) return Quat::FromTwoVectors(from, to).toRotationMatrix();
  const Mat3 half = Eigen::AngleAxisd(std::numbers::pi, from.unitOrthogonal()).toRotationMatrix();
  return Quat::FromTwoVectors(half * from, to).toRotationMatrix() * half;
}

void expect_all_axes(unsigned seed, int poses) {
  Dice dice(seed);
  for (int i = 0; i < poses; ++i) {
    const double size = std::pow(10, dice.uniform(-3, 3));
    const Shape A = stone(dice, size), B = dice.of() % 2 ? A : stone(dice, size);
    const std::size_t f = dice.of() % A.hull->faces.size(), g = dice.of() % B.hull->faces.size();
    // B on A, turned about the normal and moved along the face; then not quite so; then anywhere
    const Vec3 n = A.hull->normals[f];
    const double turned = dice.rarely(), moved = dice.rarely(), about = dice.of() % 2 ? 3 : 0;
    const Mat3 R = dice.turn(turned) *
                   Eigen::AngleAxisd(dice.uniform(-about, about), n).toRotationMatrix() *
                   turn_to(B.hull->normals[g], -n);
    const Vec3 along = n.cross(dice.vector(dice.of() % 2 ? 0.1 * size : 0)),
               p = middle(*A.hull, f) - R * middle(*B.hull, g) + along + size * dice.vector(moved);
    const Pose anywhere{dice.vector(size), dice.turn(3)}, X_A = anywhere,
                                                          X_B = anywhere * Pose{p, R};
    Convex a = convex_of(A), b = convex_of(B);
    a.X = X_A;
    b.X = X_B;
    // where edges are parallel but for `off`, what is across them parts as much better
    EXPECT_NEAR(nearest(a, b, 1e300).gap / size, by_all_axes(A, X_A, B, X_B) / size,
                1e-10 + 2 * turned)
        << i << ": " << size << " m, turned " << turned << ", moved " << moved;
  }
}

TEST(Flush, HullsAreAsFarApartAsAllFacesAndEdgesSay) { expect_all_axes(17, 5000); }
TEST(FullFlush, HullsAreAsFarApartAsAllFacesAndEdgesSay) { expect_all_axes(18, 100000); }

/// Two stones of an arch of twenty, as a run has left them: the corners of one are those of the
/// other but for rounding, so that most planes through them are slivers.
TEST(Flush, StonesOfAnArchWhoseCornersMeet) {
  constexpr double kInner = 5 * (1 - 0.1085 / 2), kOuter = 5 * (1 + 0.1085 / 2);
  const double c = std::cos(std::numbers::pi / 40), s = std::sin(std::numbers::pi / 40);
  body::Mesh mesh;
  for (const double y : {-0.5, 0.5})
    for (const auto& [r, side] : {std::pair(kInner, -1), {kOuter, -1}, {kOuter, 1}, {kInner, 1}})
      mesh.vertices.emplace_back(r * c, y, side * r * s);
  mesh.faces = {{0, 1, 2, 3}, {7, 6, 5, 4}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
  const Shape stone{.kind = Shape::Kind::hull, .hull = hull_of(mesh).hull};
  const auto at_rest = [&](const Vec3& p, const Quat& q) {
    Convex out = convex_of(stone);
    out.X = {p, q.normalized().toRotationMatrix()};
    return out;
  };
  const Vec3 p_A(5.4563464857437793e-11, 1.2568320794974816e-12, -2.83675305468023e-11),
      p_B(-5.475009334787728e-11, 9.047318729659779e-13, -2.8359536941025e-11);
  const Convex a = at_rest(Vec3::Zero(), Quat(0.7343225094321723, -6.251621680345484e-14,
                                              -0.6788007455367422, -9.421547551836606e-14)),
               b = at_rest(p_B - p_A, Quat(0.6788007455367484, -6.821871205094696e-14,
                                           -0.7343225094321666, -3.755945233719201e-14));
  EXPECT_NEAR(nearest(a, b, 1e300).gap, 0, 1e-9);
}

}  // namespace
}  // namespace trammel::contact::flush_test

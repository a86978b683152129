// Conservative continuous collision detection on straight and on turning ways.
#include "contact/barrier_path.h"

#include <algorithm>
#include <cmath>

#include "math/index.h"
#include "math/rotation.h"

namespace trammel::contact::barrier {

namespace {

constexpr double kKept = 0.1;     // share of the distance that is left
constexpr double kTaken = 0.999;  // share of the way that is surely free which is gone at once
constexpr double kNear = 0.1;     // so near to what is kept, relative, is enough
constexpr int kAdvances = 1000;

double distance(const Moving& m, double s) {
  Four x;
  for (int i = 0; i < 4; ++i) x[at_(i)] = (i < m.split ? m.a : m.b)->at(s, *m.x[at_(i)]);
  if (m.plane) return (x[2] - x[1]).cross(x[3] - x[1]).normalized().dot(x[0] - x[1]);
  return std::sqrt(m.split == 2 ? edge_edge(x).D : point_triangle(x).D);
}

/// Bounds the speed at which the two may come nearer from s on to the end.
double approach(const Moving& m, double s) {
  std::array<Vec3, 4> v;
  Vec3 mean = Vec3::Zero();
  for (int i = 0; i < 4; ++i) {
    v[at_(i)] = (i < m.split ? m.a : m.b)->speed(s, *m.x[at_(i)]);
    mean += 0.25 * v[at_(i)];
  }
  double most[2] = {0, 0};
  for (int i = 0; i < 4; ++i) {
    double& of = most[i < m.split ? 0 : 1];
    of = std::max(of, (v[at_(i)] - mean).norm());
  }
  return most[0] + most[1] + m.bend * (1 - s);
}

}  // namespace

body::Transform Path::at(double s) const {
  if (w.isZero(0)) return {p + s * dp, A + s * dA};
  return {p + s * dp, exp_matrix(s * w) * (A + s * dA)};
}

Vec3 Path::at(double s, const Vec3& x) const {
  const Vec3 r = A * x + s * (dA * x);
  if (s == 0 || w.isZero(0)) return p + s * dp + r;
  return p + s * dp + exp_matrix(s * w) * r;
}

Vec3 Path::speed(double s, const Vec3& x) const {
  const Vec3 own = dA * x;
  if (w.isZero(0)) return dp + own;
  const Vec3 r = A * x + s * own;
  const Vec3 v = w.cross(r) + own;
  return s == 0 ? Vec3(dp + v) : Vec3(dp + exp_matrix(s * w) * v);
}

double Path::bend(double reach) const {
  const double turn = w.norm(), strain = dA.norm();
  if (turn == 0) return 0;
  return reach * (turn * turn * (A.norm() + strain) + 2 * turn * strain);
}

double free_way(const Moving& m) {
  const double start = distance(m, 0), keep = kKept * std::min(start, m.near);
  double s = 0, d = start;
  for (int k = 0; k < kAdvances; ++k) {
    const double way = kTaken * (d - keep) / approach(m, s);
    if (!(s + way < 1)) return 1;
    s += way;
    d = distance(m, s);
    if (!(d > (1 + kNear) * keep)) return s;
  }
  return s;
}

}  // namespace trammel::contact::barrier

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

/// A body at s of its way.
struct Stand {
  Vec3 p, dp, w;
  Mat3 M, N;  // exp(s w)(A + s dA), exp(s w) dA

  Stand(const Path& path, double s) : p(path.p + s * path.dp), dp(path.dp), w(path.w) {
    M = path.A + s * path.dA;
    N = path.dA;
    if (s == 0 || w.isZero(0)) return;
    const Mat3 turned = exp_matrix(s * w);
    M = turned * M;
    N = turned * N;
  }
};

/// A pair at s of its way.
struct Seen {
  double distance;
  double closing;  // bounds the speed at which it comes nearer there
};

/// The distance of two convex sets is their separation along the line of their closest points; that
/// along a fixed line is no more than it, and changes by the speeds along it.
Seen see(const Moving& m, double s) {
  const Stand stand[2] = {{*m.a, s}, {*m.b, s}};
  Four x;
  std::array<Vec3, 4> v;
  for (int i = 0; i < 4; ++i) {
    const Stand& on = stand[i < m.split ? 0 : 1];
    const Vec3& own = *m.x[at_(i)];
    const Vec3 r = on.M * own;
    x[at_(i)] = on.p + r;
    v[at_(i)] = on.dp + on.w.cross(r) + on.N * own;
  }
  if (m.plane) {
    const Vec3 n = (x[2] - x[1]).cross(x[3] - x[1]).normalized();
    return {n.dot(x[0] - x[1]), -n.dot(v[0])};
  }
  const Closest c = m.split == 2 ? edge_edge(x) : point_triangle(x);
  const Vec3 r = (m.split == 2 ? c.w[0] + c.w[1] : c.w[0]) > 0 ? c.r : Vec3(-c.r);  // from b to a
  const double d = r.norm();
  double least = 1e300, most = -1e300;
  for (int i = 0; i < 4; ++i) {
    const double along = r.dot(v[at_(i)]);
    if (i < m.split)
      least = std::min(least, along);
    else
      most = std::max(most, along);
  }
  return {d, (most - least) / d};
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
  Seen now = see(m, 0);
  const double keep = kKept * std::min(now.distance, m.near);
  double s = 0;
  for (int k = 0; k < kAdvances; ++k) {
    // closing * way + bend way^2 / 2 = spare
    const double spare = now.distance - keep,
                 root = std::sqrt(now.closing * now.closing + 2 * m.bend * spare),
                 down = now.closing + root;
    const double way = down > 0 ? kTaken * 2 * spare / down : 2;
    if (!(s + way < 1)) return 1;
    s += way;
    now = see(m, s);
    if (!(now.distance > (1 + kNear) * keep)) return s;
  }
  return s;
}

}  // namespace trammel::contact::barrier

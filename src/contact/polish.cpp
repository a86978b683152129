#include "contact/polish.h"

#include <Eigen/Dense>
#include <array>
#include <cmath>

#include "contact/expand.h"
#include "contact/hull.h"
#include "contact/point.h"

namespace trammel::contact {

namespace {

using Core = Convex::Core;

/// Second derivatives of n . support(n) by n: a rim's are r / |n across the axis| along the rim.
Mat3 bend(const Convex& c, const Vec3& n, int id) {
  if (c.core != Core::round) return Mat3::Zero();
  const Vec3 axis = c.X.R.col(2);
  const Vec3 across = n - n.dot(axis) * axis;
  const double length = across.norm();
  if (length == 0) return Mat3::Zero();
  const Vec3 along = axis.cross(across / length);
  return (id == kDeepest ? c.size[0] : c.size[2]) / length * along * along.transpose();
}

bool is_side(const Convex& c, const std::array<int, 2>& ids) {
  return c.core == Core::round && ids[0] != ids[1] && ids[0] != kFace;
}

/// The same along the normals n of its side, of n . (support(n) - p): n turns about the axis, and a
/// point of the axis does for the support.
double bend_on_side(const Convex& c, const Vec3& n, const Vec3& p) {
  const Vec3 axis = c.X.R.col(2);
  const Vec3 across = n - n.dot(axis) * axis;
  return across.dot(p - c.X.p) / across.squaredNorm();
}

/// The direction of the edge, or of the line of a round side, that ids span; false: they span none.
bool line_of(const Convex& c, const std::array<int, 2>& ids, const Vec3& n, Vec3& along) {
  if (ids[0] == ids[1] || ids[0] == kFace) return false;
  switch (c.core) {
    case Core::segment:
      along = c.X.R.col(2);
      return true;
    case Core::box: {
      const int bits = ids[0] ^ ids[1];
      if (bits != 1 && bits != 2 && bits != 4) return false;
      along = c.X.R.col(bits >> 1);
      return true;
    }
    case Core::hull:
      along = (c.X.R * (c.hull->vertices[at(ids[1])] - c.hull->vertices[at(ids[0])])).normalized();
      return true;
    case Core::triangle:
      along = (c.X.R * (c.corners[at(ids[1])] - c.corners[at(ids[0])])).normalized();
      return true;
    case Core::round: {
      const Vec3 axis = c.X.R.col(2);
      const Vec3 across = (n - n.dot(axis) * axis).normalized();
      along = ((c.size[2] - c.size[0]) * across + 2 * c.size[1] * axis).normalized();
      return true;
    }
    default:
      return false;
  }
}

/// The directions across n that keep the features; the number of them.
int free_directions(const Convex& A, const Convex& B, const Nearest& c, const Vec3& n,
                    Eigen::Matrix<double, 3, 2>& T) {
  Vec3 e;
  const bool a = line_of(A, c.a, n, e);
  Vec3 f;
  const bool b = line_of(B, c.b, -n, f);
  if (a && b) return 0;
  if (!a && !b) {
    T.col(0) = n.unitOrthogonal();
    T.col(1) = n.cross(T.col(0));
    return 2;
  }
  T.col(0) = n.cross(a ? e : f).normalized();
  return 1;
}

/// n made square to the lines that the features are.
Vec3 squared_up(const Convex& A, const Convex& B, const Nearest& c, Vec3 n) {
  Vec3 e, f;
  for (int i = 0; i < 3; ++i) {
    const bool a = line_of(A, c.a, n, e), b = line_of(B, c.b, -n, f);
    if (a && b) {
      const Vec3 both = e.cross(f);
      if (both.norm() < 1e-9) return n;
      n = both.normalized() * (both.dot(n) < 0 ? -1.0 : 1.0);
    } else if (a) {
      n = (n - n.dot(e) * e).normalized();
    } else if (b) {
      n = (n - n.dot(f) * f).normalized();
    }
  }
  return n;
}

double parted(const Corner& c, const Vec3& n) { return -n.dot(c.w); }

Nearest at_direction(const Convex& A, const Convex& B, const Vec3& n) {
  const Corner c = corner(A, B, n);
  Nearest out;
  out.n = n;
  out.gap = parted(c, n);
  out.p_A = c.a;
  out.p_B = c.b;
  out.a = {c.id_A, c.id_A};
  out.b = {c.id_B, c.id_B};
  return out;
}

}  // namespace

Nearest polished(const Convex& A, const Convex& B, const Nearest& rough, double size) {
  Vec3 n = rough.n;
  for (int i = 0; i < 8; ++i) {
    n = squared_up(A, B, rough, n);
    Eigen::Matrix<double, 3, 2> T;
    const int free = free_directions(A, B, rough, n, T);
    if (free == 0) break;
    const Corner c = corner(A, B, n);
    const Mat3 H = bend(A, n, c.id_A) + bend(B, -n, c.id_B) +
                   parted(c, n) * Mat3::Identity();  // on the unit sphere
    Vec3 step;
    if (free == 1) {
      double h = T.col(0).dot(H * T.col(0));
      if (is_side(A, rough.a))
        h = bend_on_side(A, n, c.b) + T.col(0).dot(bend(B, -n, c.id_B) * T.col(0));
      if (is_side(B, rough.b))
        h = bend_on_side(B, -n, c.a) + T.col(0).dot(bend(A, n, c.id_A) * T.col(0));
      if (!(h > 0)) return rough;
      step = -T.col(0).dot(c.w) / h * T.col(0);
    } else {
      const Eigen::Matrix2d h = T.transpose() * H * T;
      if (!(h.determinant() > 0 && h.trace() > 0)) return rough;
      step = -T * h.inverse() * (T.transpose() * c.w);
    }
    if (!(step.norm() < 0.1)) return rough;
    n = (n + step).normalized();
    if (step.norm() < 1e-15) break;
  }
  n = squared_up(A, B, rough, n);
  const Nearest found = at_direction(A, B, n);
  if (std::abs(found.gap - rough.gap) > 1e-3 * size || !((n - rough.n).norm() < 0.05)) return rough;
  if (found.gap < rough.gap - 1e-9 * size) return rough;
  Nearest out = found;
  out.a = rough.a;
  out.b = rough.b;
  const bool smooth = rough.a[0] == rough.a[1] && rough.b[0] == rough.b[1];
  if (smooth) return out;
  // along a line: where it was, put on the surfaces' planes across n
  const Vec3 middle = (rough.p_A + rough.p_B) / 2;
  const double high_A = n.dot(found.p_A), high_B = n.dot(found.p_B), high = n.dot(middle);
  out.p_A = middle + (high_A - high) * n;
  out.p_B = middle + (high_B - high) * n;
  return out;
}

Nearest flush(const Convex& A, const Convex& B) {
  std::array<Vec3, 8> tries;
  int n = 0;
  const Vec3 d = B.X.p - A.X.p;
  const auto is_line = [](const Convex& c) {
    return c.core == Core::round || c.core == Core::segment;
  };
  for (const Convex* c : {&A, &B}) {
    if (c->core == Core::round) tries[at(n++)] = c->X.R.col(2);
    if (c->core == Core::box)
      for (int k = 0; k < 3; ++k) tries[at(n++)] = c->X.R.col(k);
  }
  if (is_line(A) && is_line(B)) {
    const Vec3 a = A.X.R.col(2), b = B.X.R.col(2), both = a.cross(b), off = d - d.dot(a) * a;
    if (both.squaredNorm() > 1e-14) tries[at(n++)] = both.normalized();
    if (off.squaredNorm() > 0) tries[at(n++)] = off.normalized();
  }
  Nearest best;
  best.gap = -1e300;
  for (int i = 0; i < n; ++i)
    for (const double sign : {1.0, -1.0}) {
      const Vec3 m = sign * tries[at(i)];
      const Corner c = corner(A, B, m);
      if (parted(c, m) <= best.gap) continue;
      best = at_direction(A, B, m);
    }
  return best;
}

}  // namespace trammel::contact

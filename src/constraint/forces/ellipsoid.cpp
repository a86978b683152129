#include "constraint/forces/ellipsoid.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>

#include "math/index.h"

namespace trammel::constraint {

namespace {

using Kind = ContactPiece::Kind;

/// The point of an ellipsoid farthest along n, whatever its length.
Jet3 farthest_of_ellipsoid(const Carried& on, const ContactPiece& e, const Jet3& n) {
  std::array<Jet3, 3> axis;
  std::array<Jet, 3> q;
  Jet square;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = static_cast<int>(k);
    axis[k] = e.radii[i] * on.direction(e.axes.col(i));
    q[k] = dot(axis[k], n);
    square = square + q[k] * q[k];
  }
  const Jet per = inverse(root(square));
  Jet3 out = on.point(e.x);
  for (std::size_t k = 0; k < 3; ++k) out = out + per * q[k] * axis[k];
  return out;
}

/// How that turns with a unit vector n; a point and a line stay.
Mat3 bend(const Carried& on, const ContactPiece& e, const Vec3& n) {
  if (e.kind != Kind::ellipsoid) return Mat3::Zero();
  const Mat3 S = on.T.A * e.axes * Mat3(e.radii.asDiagonal());
  const Vec3 q = S.transpose() * n;
  const double h = q.norm();
  return S * (Mat3::Identity() - q * q.transpose() / (h * h)) * S.transpose() / h;
}

constexpr int kMost = 40;  // iterations for the normal

/// An ellipsoid A and a point, a line or an ellipsoid B: what parts them is along the common normal
/// n0 + alpha_1 t + alpha_2 s; a line is met at x + sigma d.
class Common {
 public:
  Common(const Carried& a, const ContactPiece& A, const Carried& b, const ContactPiece& B,
         const Vec3& guess)
      : a_(a), b_(b), A_(A), B_(B), n_(guess), line_(B.kind == Kind::line) {
    for (int i = 0; i < kMost; ++i) {
      const Vec3 step = newton();
      // no farther than half a radian at once
      n_ = (n_ + std::min(1., 0.5 / step.head<2>().norm()) * across_ * step.head<2>()).normalized();
      along_.x += step[2];
      if (!(step.head<2>().norm() > 1e-15)) break;
    }
  }

  /// Derivatives follow by Newton's method on jets, one each iteration.
  Meeting meeting() {
    newton();
    Jet3 n = fixed(n_);
    for (int i = 0; i < 2; ++i) {
      const std::array<Jet, 3> off = residual(n);
      Vec3 v, acc;
      for (int k = 0; k < 3; ++k) v[k] = off[at(k)].v, acc[k] = off[at(k)].a;
      v = -(inverse_ * v).eval();
      acc = -(inverse_ * acc).eval();
      n = n + Jet3{Vec3::Zero(), across_ * v.head<2>(), across_ * acc.head<2>()};
      along_ = along_ + Jet{0, v[2], acc[2]};
    }
    const Jet3 unit = inverse(length(n)) * n, d = between(n);
    return {dot(unit, d) - B_.radius, unit, farthest(a_, A_, n) + d - B_.radius * unit};
  }

 private:
  /// From A to the core of B.
  Jet3 between(const Jet3& n) const {
    const Jet3 d = farthest(b_, B_, -1.0 * n) - farthest(a_, A_, n);
    return line_ ? d + along_ * b_.direction(B_.d) : d;
  }
  std::array<Jet, 3> residual(const Jet3& n) const {
    const Jet3 off = cross(n, between(n));
    return {dot(fixed(across_.col(0)), off), dot(fixed(across_.col(1)), off),
            line_ ? dot(n, b_.direction(B_.d)) : Jet{}};
  }
  Vec3 newton() {
    across_.col(0) = n_.unitOrthogonal();
    across_.col(1) = n_.cross(across_.col(0));
    const Vec3 d = between(fixed(n_)).x, e = b_.T.A * B_.d;
    const Mat3 H = bend(a_, A_, n_) + bend(b_, B_, -n_);
    Mat3 J = Mat3::Identity();
    for (int k = 0; k < 2; ++k) {
      const Vec3 t = across_.col(k), off = t.cross(d) - n_.cross(H * t);
      J.col(k) << across_.col(0).dot(off), across_.col(1).dot(off), line_ ? t.dot(e) : 0;
    }
    if (line_) J.col(2) << across_.transpose() * n_.cross(e), 0;
    inverse_ = J.inverse();
    const std::array<Jet, 3> off = residual(fixed(n_));
    return -inverse_ * Vec3(off[0].x, off[1].x, off[2].x);
  }

  const Carried &a_, &b_;
  const ContactPiece &A_, &B_;
  Vec3 n_;
  bool line_;
  Jet along_;
  Eigen::Matrix<double, 3, 2> across_;
  Mat3 inverse_;
};

}  // namespace

Jet3 farthest(const Carried& on, const ContactPiece& piece, const Jet3& n) {
  return piece.kind == Kind::ellipsoid ? farthest_of_ellipsoid(on, piece, n) : on.point(piece.x);
}

Meeting meet_ellipsoid(const Carried& a, const ContactPiece& A, const Carried& b,
                       const ContactPiece& B, const Vec3& guess) {
  return Common(a, A, b, B, guess).meeting();
}

}  // namespace trammel::constraint

#include "constraint/piles/point.h"

#include <algorithm>

namespace trammel::constraint::piles {

namespace {

Mat3 skew(const Vec3& r) {
  Mat3 S;
  S << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return S;
}

/// Velocity of a point of a body by an impulse there.
Mat3 mobility(const ContactBody& b, const Vec3& r) {
  const Mat3 S = skew(r);
  return b.inv_mass * Mat3::Identity() - S * b.inv_inertia * S;
}

}  // namespace

PointNumbers point_numbers(const Mat3& W, const Mat3& turning, double least) {
  PointNumbers out;
  const double w[6] = {W(0, 0), W(1, 0), W(2, 0), W(1, 1), W(1, 2), W(2, 2)};
  out.cone = block_of(w, least);
  const double least_turn = kNothing * turning.trace() + 1e-300;
  const double spin = std::max(turning(0, 0), least_turn);
  out.inverse_spin = 1 / spin;
  out.roll = {0,
              0,
              0,
              std::max(turning(1, 1), least_turn),
              turning(1, 2),
              std::max(turning(2, 2), least_turn)};
  out.length = turning.isZero(0) ? 0 : std::sqrt(std::max(W(0, 0), least) / spin);
  out.W << W.diagonal().cwiseMax(least), turning.diagonal().cwiseMax(least_turn);
  return out;
}

PointNumbers point_numbers(const ContactPoint& c, const ContactBody& a, const ContactBody& b) {
  Mat3 R;
  R << c.n, c.t, c.s;
  const Mat3 W = R.transpose() * (mobility(a, c.r_a) + mobility(b, c.r_b)) * R;
  const Mat3 turning = R.transpose() * (a.inv_inertia + b.inv_inertia) * R;
  return point_numbers(W, turning, kNothing * W.trace());
}

}  // namespace trammel::constraint::piles

#pragma once

#include <cmath>

#include "math/types.h"

/// Rotations: cross-product matrix, exponential, logarithm.
namespace trammel {

/// [a]x, so that [a]x b = a x b.
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// sin(t)/t and (1 - cos t)/t^2 from t^2, exact to rounding for small angles too.
struct SinCosRatios {
  double s, c;
};
inline SinCosRatios sin_cos_ratios(double t2) {
  if (t2 < 0.04) {  // Taylor: the first term left out is below 1e-17 of the sum
    const double s = 1 - t2 / 6 * (1 - t2 / 20 * (1 - t2 / 42 * (1 - t2 / 72 * (1 - t2 / 110))));
    const double c =
        0.5 * (1 - t2 / 12 * (1 - t2 / 30 * (1 - t2 / 56 * (1 - t2 / 90 * (1 - t2 / 132)))));
    return {s, c};
  }
  const double t = std::sqrt(t2);
  return {std::sin(t) / t, (1 - std::cos(t)) / t2};
}

/// exp of a rotation vector a [rad], as a unit quaternion.
inline Quat exp_quat(const Vec3& a) {
  const double t2 = a.squaredNorm() / 4;  // half angle, squared
  const SinCosRatios k = sin_cos_ratios(t2);
  const Vec3 v = 0.5 * k.s * a;
  return Quat(1 - k.c * t2, v.x(), v.y(), v.z());
}

/// exp of a rotation vector a [rad], as a matrix (Rodrigues).
inline Mat3 exp_matrix(const Vec3& a) {
  const SinCosRatios k = sin_cos_ratios(a.squaredNorm());
  const Mat3 m = skew(a);
  return Mat3::Identity() + k.s * m + k.c * m * m;
}

/// Rotation vector [rad] of a unit quaternion, angle in [0, pi].
inline Vec3 log_quat(const Quat& q) {
  const double n = q.vec().norm();
  const double w = q.w() < 0 ? -q.w() : q.w();
  const Vec3 v = q.w() < 0 ? Vec3(-q.vec()) : Vec3(q.vec());
  if (n < 1e-8) return 2 / w * v;
  return 2 * std::atan2(n, w) / n * v;
}

/// Brings a nearly unit quaternion back to unit length (one Newton step: exact to rounding when the
/// error is, as after a product of unit quaternions).
inline void renormalise(Quat& q) { q.coeffs() *= 1.5 - 0.5 * q.squaredNorm(); }

}  // namespace trammel

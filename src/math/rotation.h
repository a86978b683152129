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

/// The rotation nearest to A (det A > 0), R of A = R U, by Newton on R = (R + R^-T)/2.
inline Mat3 polar(const Mat3& A) {
  Mat3 R = A;
  for (int k = 0; k < 60; ++k) {
    Mat3 cofactors;  // R^-T = cofactors / det
    cofactors.col(0) = R.col(1).cross(R.col(2));
    cofactors.col(1) = R.col(2).cross(R.col(0));
    cofactors.col(2) = R.col(0).cross(R.col(1));
    const Mat3 next = 0.5 * (R + cofactors / R.col(0).dot(cofactors.col(0)));
    const double change = (next - R).cwiseAbs().maxCoeff();
    R = next;
    if (!(change > 1e-15)) break;
  }
  return R;
}

/// Angular velocity of R = polar(A) while A changes at rate dA: from R^T dA - dA^T R = W U + U W,
/// W = R^T R'.
inline Vec3 polar_rate(const Mat3& A, const Mat3& R, const Mat3& dA) {
  const Mat3 U = R.transpose() * A, F = R.transpose() * dA;
  const Vec3 axial(F(2, 1) - F(1, 2), F(0, 2) - F(2, 0), F(1, 0) - F(0, 1));
  const Mat3 K = U.trace() * Mat3::Identity() - U;
  Mat3 cofactors;
  cofactors.col(0) = K.col(1).cross(K.col(2));
  cofactors.col(1) = K.col(2).cross(K.col(0));
  cofactors.col(2) = K.col(0).cross(K.col(1));
  return R * (cofactors * axial / K.col(0).dot(cofactors.col(0)));
}

/// Returns the rotation that turns the z axis to the direction of `axis` (any length but zero) by
/// the shortest way; to -z about the x axis.
inline Mat3 rotation_from_z(const Vec3& axis) {
  const Vec3 d = axis.normalized();
  const double across = std::hypot(d.x(), d.y());
  if (d.z() < -0.9) {  // 1 + z as across^2/(1 - z), which loses nothing near -z
    if (across == 0) return Vec3(1, -1, -1).asDiagonal();
    Quat q(across / (1 - d.z()), -d.y() / across, d.x() / across, 0);
    q.normalize();
    return q.toRotationMatrix();
  }
  const double s = std::sqrt(2 * (1 + d.z()));
  return Quat(0.5 * s, -d.y() / s, d.x() / s, 0).toRotationMatrix();
}

/// Brings a nearly unit quaternion back to unit length (one Newton step: exact to rounding when the
/// error is, as after a product of unit quaternions).
inline void renormalise(Quat& q) { q.coeffs() *= 1.5 - 0.5 * q.squaredNorm(); }

}  // namespace trammel

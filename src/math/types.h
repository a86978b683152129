#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

/// Names for the small dense objects that every other file speaks of. SI units, world axes unless a
/// monogram name says otherwise (docs/notation.md).
namespace trammel {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;  // unit, Hamilton
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;

/// Rigid pose X_AB: position of B's origin from A's, and the axes of B as columns, both in A.
struct Pose {
  Vec3 p = Vec3::Zero();      // p_AB_A [m]
  Mat3 R = Mat3::Identity();  // R_AB
};

/// X_AC = X_AB X_BC.
inline Pose operator*(const Pose& X_AB, const Pose& X_BC) {
  return {X_AB.p + X_AB.R * X_BC.p, X_AB.R * X_BC.R};
}

/// X_BA of X_AB.
inline Pose inverse(const Pose& X_AB) {
  return {-(X_AB.R.transpose() * X_AB.p), X_AB.R.transpose()};
}

/// Three numbers of a flat array as a vector.
inline Eigen::Map<Vec3> vec3(double* x) { return Eigen::Map<Vec3>(x); }
inline Eigen::Map<const Vec3> vec3(const double* x) { return Eigen::Map<const Vec3>(x); }

}  // namespace trammel

#include "body/carrier.h"

#include <Eigen/LU>
#include <cmath>

namespace trammel::body {

namespace {
Vec3 axial(const Mat3& F) {  // of F - F^T
  return {F(2, 1) - F(1, 2), F(0, 2) - F(2, 0), F(1, 0) - F(0, 1)};
}
}  // namespace

void pull_back(Carrier carrier, const Place& at, const Covector& c, double* motion) {
  vec3(motion) += c.f;
  if (carrier == Carrier::rigid) {
    vec3(motion + 3) += axial(c.F * at.A.transpose());
    return;
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) motion[3 + 3 * i + j] += c.F(i, j);
}

void add_resultant(const Place& at, const Covector& covector, double* wrench) {
  pull_back(Carrier::rigid, at, covector, wrench);
}

void add_wrench(Carrier carrier, const Place& at, const Vec3& x, const Vec3& f, const Vec3& torque,
                double* motion) {
  vec3(motion) += f;
  if (carrier == Carrier::rigid) {
    vec3(motion + 3) += (at.A * x).cross(f) + torque;
    return;
  }
  const Mat3 F = f * x.transpose() + 0.5 * skew(torque) * at.A.inverse().transpose();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) motion[3 + 3 * i + j] += F(i, j);
}

MatX direction_map(Carrier carrier, const Vec3& world, const Vec3& own) {
  MatX m = MatX::Zero(3, motion_size(carrier));
  if (carrier == Carrier::rigid) {
    m.rightCols(3) = -skew(world);
  } else {
    for (int i = 0; i < 3; ++i) m.block(i, 3 + 3 * i, 1, 3) = own.transpose();
  }
  return m;
}

Vec3 spin(Carrier carrier, const Place& at, const Rate& rate) {
  const bool rigid = carrier == Carrier::rigid;
  return 0.5 * axial(rate.A * (rigid ? Mat3(at.A.transpose()) : Mat3(at.A.inverse())));
}

Mat3 rotation(Carrier carrier, const Mat3& A) { return carrier == Carrier::rigid ? A : polar(A); }

Vec3 angular_velocity(Carrier carrier, const Place& at, const Rate& rate) {
  if (carrier == Carrier::affine) return polar_rate(at.A, polar(at.A), rate.A);
  const Mat3 W = rate.A * at.A.transpose();
  return 0.5 * axial(W);
}

Vec3 point_velocity(Carrier carrier, const Place& at, const double* u, const Vec3& x) {
  if (carrier == Carrier::affine)
    return vec3(u) + Vec3(vec3(u + 3).dot(x), vec3(u + 6).dot(x), vec3(u + 9).dot(x));
  return vec3(u) + vec3(u + 3).cross(at.A * x);
}

Vec3 turn(Carrier carrier, const double* motion) {
  return carrier == Carrier::rigid ? Vec3(vec3(motion + 3)) : Vec3(Vec3::Zero());
}

double turning(Carrier carrier, const double* motion) {
  const double* w = motion + 3;
  if (carrier == Carrier::rigid) return vec3(w).norm();
  return std::sqrt((vec3(w).squaredNorm() + vec3(w + 3).squaredNorm() + vec3(w + 6).squaredNorm()) /
                   2);
}

Mat3 second_moment(Carrier carrier, const Mat3& on) {
  return carrier == Carrier::rigid ? Mat3(0.5 * on.trace() * Mat3::Identity() - on) : on;
}

}  // namespace trammel::body

#include "body/motion_kind.h"

#include <Eigen/LU>
#include <cmath>

namespace trammel::body {

namespace {
Vec3 axial(const Mat3& F) {  // of F - F^T
  return {F(2, 1) - F(1, 2), F(0, 2) - F(2, 0), F(1, 0) - F(0, 1)};
}
}  // namespace

void pull_back(MotionKind kind, const Transform& at, const Covector& c, double* motion) {
  vec3(motion) += c.f;
  if (kind == MotionKind::rigid) {
    vec3(motion + 3) += axial(c.F * at.A.transpose());
    return;
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) motion[3 + 3 * i + j] += c.F(i, j);
}

void add_resultant(const Transform& at, const Covector& covector, double* wrench) {
  pull_back(MotionKind::rigid, at, covector, wrench);
}

void add_wrench(MotionKind kind, const Transform& at, const Vec3& x, const Vec3& f,
                const Vec3& torque, double* motion) {
  vec3(motion) += f;
  if (kind == MotionKind::rigid) {
    vec3(motion + 3) += (at.A * x).cross(f) + torque;
    return;
  }
  const Mat3 F = f * x.transpose() + 0.5 * skew(torque) * at.A.inverse().transpose();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) motion[3 + 3 * i + j] += F(i, j);
}

MatX direction_map(MotionKind kind, const Vec3& world, const Vec3& own) {
  MatX m = MatX::Zero(3, motion_size(kind));
  if (kind == MotionKind::rigid) {
    m.rightCols(3) = -skew(world);
  } else {
    for (int i = 0; i < 3; ++i) m.block(i, 3 + 3 * i, 1, 3) = own.transpose();
  }
  return m;
}

Vec3 spin(MotionKind kind, const Transform& at, const Rate& rate) {
  const bool rigid = kind == MotionKind::rigid;
  return 0.5 * axial(rate.A * (rigid ? Mat3(at.A.transpose()) : Mat3(at.A.inverse())));
}

Mat3 rotation(MotionKind kind, const Mat3& A) { return kind == MotionKind::rigid ? A : polar(A); }

Vec3 angular_velocity(MotionKind kind, const Transform& at, const Rate& rate) {
  if (kind == MotionKind::affine) return polar_rate(at.A, polar(at.A), rate.A);
  const Mat3 W = rate.A * at.A.transpose();
  return 0.5 * axial(W);
}

Rate rate_of(MotionKind kind, const Transform& at, const double* motion) {
  Rate out{vec3(motion), Mat3::Zero()};
  if (kind == MotionKind::affine)
    for (int i = 0; i < 3; ++i) out.A.row(i) = vec3(motion + 3 + 3 * i);
  else if (const Vec3 w = vec3(motion + 3); w != Vec3::Zero())  // as on straights
    out.A = skew(w) * at.A;
  return out;
}

Vec3 point_velocity(MotionKind kind, const Transform& at, const double* u, const Vec3& x) {
  if (kind == MotionKind::affine)
    return vec3(u) + Vec3(vec3(u + 3).dot(x), vec3(u + 6).dot(x), vec3(u + 9).dot(x));
  return vec3(u) + vec3(u + 3).cross(at.A * x);
}

void add_displacement(MotionKind kind, const Transform& from, const Transform& to, double* motion) {
  vec3(motion) += to.p - from.p;
  if (kind == MotionKind::rigid) {
    vec3(motion + 3) += log_quat(Quat(Mat3(to.A * from.A.transpose())));
    return;
  }
  for (int i = 0; i < 3; ++i) vec3(motion + 3 + 3 * i) += (to.A - from.A).row(i);
}

Vec3 turn(MotionKind kind, const double* motion) {
  return kind == MotionKind::rigid ? Vec3(vec3(motion + 3)) : Vec3(Vec3::Zero());
}

double turning(MotionKind kind, const double* motion) {
  const double* w = motion + 3;
  if (kind == MotionKind::rigid) return vec3(w).norm();
  return std::sqrt((vec3(w).squaredNorm() + vec3(w + 3).squaredNorm() + vec3(w + 6).squaredNorm()) /
                   2);
}

Mat3 second_moment(MotionKind kind, const Mat3& on) {
  return kind == MotionKind::rigid ? Mat3(0.5 * on.trace() * Mat3::Identity() - on) : on;
}

}  // namespace trammel::body

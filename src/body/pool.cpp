#include "body/pool.h"

#include <Eigen/LU>
#include <algorithm>

#include "math/rotation.h"

namespace trammel::body {

void Pool::coordinate_rates(const double*, const double* u, double* dq) const {
  std::copy_n(u, n_blocks * nq, dq);
}

void Pool::tolerances(double length, double angle, double* q) const {
  std::fill_n(q, n_blocks * nq, std::min(length, angle));
}

void Pool::speed_tolerances(double speed, double spin, double* u) const {
  std::fill_n(u, n_blocks * nv, std::min(speed, spin));
}

bool Pool::drift(const double*, double, const double*, const double*, double*, double*,
                 double*) const {
  return false;
}

Pool::MassRange Pool::mass_range(const double*, int, double) const { return {}; }

bool Pool::embedded_gradient(const double*, const Place*, const Place*, Covector*) const {
  return false;
}

void Pool::embedded_mass(const double*, const Place*, double*) const {}

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

Vec3 spin(Carrier carrier, const Place& at, const Rate& rate) {
  const bool rigid = carrier == Carrier::rigid;
  return 0.5 * axial(rate.A * (rigid ? Mat3(at.A.transpose()) : Mat3(at.A.inverse())));
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

}  // namespace trammel::body

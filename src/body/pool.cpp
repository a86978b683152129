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

#include "body/pool.h"

#include <Eigen/LU>

#include "math/rotation.h"

namespace trammel::body {

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

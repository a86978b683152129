#include "body/prescribed.h"

#include <algorithm>

#include "math/rotation.h"

namespace trammel::body {

void Prescribed::at(double t, Transform& T_WO, Rate& rate, Bias& bias) const {
  Vec3 w = Vec3::Zero(), alpha = Vec3::Zero();
  Mat3 R = Mat3::Identity();
  for (const Turn& turn : turns) {
    const Jet a = turn.angle.at(t);
    const Vec3 axis = R * turn.axis;  // world; it turns with the rotations outside it
    alpha += a.a * axis + a.v * w.cross(axis);
    w += a.v * axis;
    R = R * exp_matrix(a.x * turn.axis);
  }
  T_WO = {X_WB0.p, R * X_WB0.R};
  Vec3 d, d_v, d_a;
  for (int i = 0; i < 3; ++i) {
    const Jet along = displacement[static_cast<std::size_t>(i)].at(t);
    d[i] = along.x;
    d_v[i] = along.v;
    d_a[i] = along.a;
  }
  T_WO.p += R_WD * d;
  rate.v = R_WD * d_v;
  bias.v = R_WD * d_a;
  rate.A = skew(w) * T_WO.A;
  bias.A = (skew(alpha) + skew(w) * skew(w)) * T_WO.A;
}

double Prescribed::next_jump(double t) const {
  double next = displacement[0].next_jump(t);
  for (const Drive& d : displacement) next = std::min(next, d.next_jump(t));
  for (const Turn& turn : turns) next = std::min(next, turn.angle.next_jump(t));
  return next;
}

}  // namespace trammel::body

#pragma once

#include <array>
#include <vector>

#include "body/pool.h"
#include "math/signal.h"

namespace trammel::body {

/// A body whose pose is a given function of time: it has no unknowns and pushes as hard as it must.
/// x_W = p0 + d(t) + R1(a1) R2(a2) ... R0 x: translation along world axes, then turns about fixed
/// axes, the first listed outermost. Velocity and acceleration are exact.
struct Prescribed {
  struct Turn {
    Vec3 axis = Vec3::UnitZ();  // unit, in the axes left by the turns listed before it
    Drive angle;                // [rad]
  };
  Pose X_WB0;                           // at zero displacement and angles
  std::array<Drive, 3> displacement{};  // along x, y, z of the world, turned by R_WD [m]
  Mat3 R_WD = Mat3::Identity();
  std::vector<Turn> turns;

  void at(double t, Transform& T_WO, Rate& rate, Bias& bias) const;
  double next_jump(double t) const;  // of its velocity [s]
};

}  // namespace trammel::body

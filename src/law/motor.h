#pragma once

#include <algorithm>
#include <cmath>

#include "law/law.h"

/// motor: brings x' to the target velocity with a force within bounds; throttle, brake and dry
/// friction are motors. As a force: smoothed over the stated speed v_s,
/// f = mean + half tanh((target - v) / v_s), mean and half of the bounds (their smaller one where
/// one is infinite).
namespace trammel::law {

enum MotorParam { kMotorLo, kMotorHi, kMotorSmoothing };

inline constexpr Parameter kMotorParams[] = {
    {"force_min", Quantity::force, -kInf, -kInf, kInf, "least force: how hard it may brake"},
    {"force_max", Quantity::force, kInf, -kInf, kInf, "greatest force: how hard it may drive"},
    {"smoothing", Quantity::speed, 1e-3, 1e-12, kInf,
     "speed over which the force answer is smoothed"},
};

inline Demand motor_demand(const Law& law, const double* p, double t) {
  const Jet v = law.drive.signal.jet(t);
  Demand d;
  d.level = Level::velocity;
  d.lo = p[kMotorLo];
  d.hi = p[kMotorHi];
  d.target = {0, v.x, v.v};
  return d;
}

inline Force motor_force(const Law& law, const double* p, double, double v, double t) {
  constexpr double kLarge = 1e12;  // stands for an infinite bound
  const double lo = std::max(p[kMotorLo], -kLarge), hi = std::min(p[kMotorHi], kLarge);
  const double s = std::tanh((law.drive.signal.value(t) - v) / p[kMotorSmoothing]);
  const double half = (hi - lo) / 2;
  return {(hi + lo) / 2 + half * s, 0, -half * (1 - s * s) / p[kMotorSmoothing]};
}

inline constexpr Type kMotor{"motor",      "velocity servo with bounded force",
                             kMotorParams, true,
                             true,         false,
                             motor_demand, motor_force,
                             nullptr};

}  // namespace trammel::law

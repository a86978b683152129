#pragma once

#include <fmt/core.h>

#include "law/motor.h"

/// friction: Coulomb's. A force or torque up to `force` against the motion of the coordinate; at
/// rest it holds up to `static_force` (ConstraintSpec::breakaway, which constraint/rows.cpp and
/// status.cpp make bounds of). As a force: smoothed over the stated speed v_s,
///
///   f = -force tanh(v / v_s).
namespace trammel::law {

enum FrictionParam { kFrictionForce, kFrictionStatic, kFrictionSmoothing };

inline constexpr Parameter kFrictionParams[] = {
    {"force", Quantity::force, kRequired, 0, kInf, "while it slides"},
    {"static_force", Quantity::force, 0, 0, kInf, "greatest force at rest, if above `force`"},
    {"smoothing", Quantity::speed, 1e-3, 1e-300, kInf,
     "speed over which the force answer is smoothed"},
};

inline ConstraintSpec friction_constraint(const Law&, const double* p, double) {
  ConstraintSpec d;
  d.level = Level::velocity;
  d.lo = -p[kFrictionForce];
  d.hi = p[kFrictionForce];
  d.breakaway = p[kFrictionStatic];
  return d;
}

inline Force friction_force(const Law&, const double* p, double, double v, const Instant&) {
  const double z = v / p[kFrictionSmoothing], c = std::cosh(z);
  return {-p[kFrictionForce] * std::tanh(z), 0,
          -p[kFrictionForce] / (c * c) / p[kFrictionSmoothing]};
}

inline double friction_potential(const Law&, const double* p, double x, const Scheme& s) {
  const double dx = x - s.x_n, v_s = p[kFrictionSmoothing];
  return dx * p[kFrictionForce] * mean_tanh(s.v_n / v_s, s.dv_dx * dx / v_s);
}

inline std::vector<Fault> friction_faults(const Law&, const double* p, const Given&) {
  const double still = p[kFrictionStatic], slides = p[kFrictionForce];
  if (still == 0 || still >= slides) return {};
  return {{"static_force",
           fmt::format("static_force {} is below force {}: at rest friction holds at least as much "
                       "as while it slides",
                       still, slides)}};
}

inline constexpr Type kFriction{.name = "friction",
                                .doc = "Coulomb friction",
                                .parameters = kFrictionParams,
                                .constraint = friction_constraint,
                                .force = friction_force,
                                .potential = friction_potential,
                                .faults = friction_faults};

}  // namespace trammel::law

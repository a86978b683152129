#pragma once

#include "law/law.h"

/// actuator: f(t), a given force or torque; positive pushes the coordinate up.
namespace trammel::law {

inline ConstraintSpec actuator_constraint(const Law&, const double*, double) {
  ConstraintSpec d;
  d.level = Level::force;
  return d;
}

inline Force actuator_force(const Law& law, const double*, double, double, const Instant& at) {
  return {law.force.value(at.t), 0, 0};
}

inline constexpr Type kActuator{.name = "actuator",
                                .doc = "a given force or torque",
                                .parameters = {},
                                .takes_force = true,
                                .constraint = actuator_constraint,
                                .force = actuator_force};

}  // namespace trammel::law

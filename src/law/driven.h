#pragma once

#include "law/law.h"

/// driven: x follows a displacement, velocity or acceleration signal exactly, at all three levels.
/// As a force: a spring of the given stiffness that pulls x to the signal.
namespace trammel::law {

inline constexpr Parameter kDrivenParams[] = {
    {"stiffness", Quantity::force_per_x, 1e9, 0, kInf, "where a formulation works with forces"},
};

inline ConstraintSpec driven_constraint(const Law& law, const double*, double t) {
  ConstraintSpec d;
  d.target = law.drive.at(t);
  return d;
}

inline Force driven_force(const Law& law, const double* p, double x, double, const Instant& at) {
  return {-p[0] * (x - law.drive.at(at.t).x), -p[0], 0};
}

inline constexpr Type kDriven{.name = "driven",
                              .doc = "follows a signal exactly",
                              .parameters = kDrivenParams,
                              .takes_drive = true,
                              .constraint = driven_constraint,
                              .force = driven_force};

}  // namespace trammel::law

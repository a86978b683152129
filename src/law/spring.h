#pragma once

#include <fmt/core.h>

#include "law/law.h"

/// spring: f = -stiffness (x - rest) - damping v + preload, or a function f(x, v, t) of the user's
/// added to it.
namespace trammel::law {

enum SpringParam { kSpringStiffness, kSpringDamping, kSpringRest, kSpringPreload };

inline constexpr Parameter kSpringParams[] = {
    {"stiffness", Quantity::force_per_x, 0, 0, kInf, "linear spring"},
    {"damping", Quantity::force_per_v, 0, 0, kInf, "linear damper"},
    {"rest", Quantity::x, 0, -kInf, kInf, "where the spring is free of force"},
    {"preload", Quantity::force, 0, -kInf, kInf, "constant force added"},
};

inline ConstraintSpec spring_constraint(const Law&, const double*, double) {
  ConstraintSpec d;
  d.level = Level::force;
  return d;
}

inline Force spring_force(const Law& law, const double* p, double x, double v, const Instant& at) {
  const double k = p[kSpringStiffness], c = p[kSpringDamping];
  Force f{p[kSpringPreload] - k * (x - p[kSpringRest]) - c * v, -k, -c};
  if (law.function) {
    const Force user = (*law.function)(x, v, at);
    f = {f.f + user.f, f.f_x + user.f_x, f.f_v + user.f_v};
  }
  return f;
}

inline double spring_energy(const Law&, const double* p, double x) {
  const double e = x - p[kSpringRest];
  return 0.5 * p[kSpringStiffness] * e * e - p[kSpringPreload] * e;
}

inline std::vector<Fault> spring_faults(const Law& law, const double*, const Given& given) {
  if (law.function || given.has("stiffness") || given.has("damping") || given.has("preload"))
    return {};
  return {{"", fmt::format("spring '{}' has no force: give it a 'stiffness', a 'damping', a "
                           "'preload' or a 'function'",
                           given.law)}};
}

inline constexpr Type kSpring{.name = "spring",
                              .doc = "linear spring, damper and preload",
                              .parameters = kSpringParams,
                              .conservative = true,
                              .constraint = spring_constraint,
                              .force = spring_force,
                              .energy = spring_energy,
                              .function = {"function",
                                           "a force f(x, v, t) of the coordinate, its rate, the "
                                           "time and coordinates of other joints, added to the "
                                           "others (expressions.md); positive pushes the "
                                           "coordinate up"},
                              .faults = spring_faults};

}  // namespace trammel::law

#pragma once

#include <fmt/core.h>

#include <cmath>
#include <vector>

#include "law/law.h"

/// locked: x = value, within force bounds if asked, unilateral if asked. As a force: a spring of
/// the given stiffness that pulls x to the value.
namespace trammel::law {

enum LockedParam {
  kLockedValue,
  kLockedLo,
  kLockedHi,
  kLockedErp,
  kLockedStiffness,
  kLockedUnilateral,
  kLockedRestitution
};

inline constexpr Parameter kLockedParams[] = {
    {"value", Quantity::x, 0, -kInf, kInf, "where the coordinate is held"},
    {"force_min", Quantity::force, -kInf, -kInf, 0, "least force of the row; reached, it yields"},
    {"force_max", Quantity::force, kInf, 0, kInf, "greatest force of the row; reached, it yields"},
    {"erp", Quantity::ratio, 0.25, 0, 1,
     "share of the displacement taken back a step after yielding"},
    {"stiffness", Quantity::force_per_x, 1e9, 0, kInf, "where a formulation works with forces"},
    {"unilateral", Quantity::ratio, 0, 0, 1, "1: the coordinate may rise above the value freely"},
    {"restitution", Quantity::ratio, 0, 0, 1, "of a unilateral row"},
};

inline ConstraintSpec locked_constraint(const Law&, const double* p, double) {
  return lock(p[kLockedValue], {p[kLockedLo], p[kLockedHi]}, p[kLockedErp],
              p[kLockedUnilateral] != 0, p[kLockedRestitution]);
}

/// Returns the parameters of a row that is held so, see lock().
inline std::vector<double> numbers_of_lock(const ConstraintSpec& d) {
  return {d.target.x,
          d.lo,
          d.hi,
          d.erp,
          kLockedParams[kLockedStiffness].fallback,
          d.unilateral() ? 1. : 0.,
          d.restitution};
}

inline Force locked_force(const Law&, const double* p, double x, double, const Instant&) {
  const double k = p[kLockedStiffness], e = x - p[kLockedValue];
  if (p[kLockedUnilateral] != 0 && e > 0) return {};
  if (-k * e < p[kLockedLo]) return {p[kLockedLo], 0, 0};
  if (-k * e > p[kLockedHi]) return {p[kLockedHi], 0, 0};
  return {-k * e, -k, 0};
}

inline std::vector<Fault> locked_faults(const Law& law, const double* p, const Given& given) {
  const double unilateral = p[kLockedUnilateral];
  if (unilateral != 0 && unilateral != 1)
    return {{"unilateral", fmt::format("'unilateral' is {}: 0 says no, 1 says yes", unilateral)}};
  return lock_faults(locked_constraint(law, p, 0), given.coordinate, given.has("erp"));
}

inline constexpr Type kLocked{.name = "locked",
                              .doc = "holds the coordinate at a value",
                              .parameters = kLockedParams,
                              .constraint = locked_constraint,
                              .force = locked_force,
                              .works = false,
                              .faults = locked_faults};

}  // namespace trammel::law

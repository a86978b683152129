#pragma once

#include <fmt/core.h>

#include "law/law.h"

/// limit: from <= x <= to, either may be missing; a stop pushes back and never holds, and what runs
/// into it leaves with the share `restitution` of its speed. It is a constraint and nothing else: a
/// stop that gives is a spring with a function.
namespace trammel::law {

enum LimitParam { kLimitFrom, kLimitTo, kLimitRestitution };

inline constexpr Parameter kLimitParams[] = {
    {"from", Quantity::x, -kInf, -kInf, kInf, "least value of the coordinate"},
    {"to", Quantity::x, kInf, -kInf, kInf, "greatest value of the coordinate"},
    {"restitution", Quantity::ratio, 0, 0, 1, "speed after an impact over that before it"},
};

inline ConstraintSpec limit_constraint(const Law&, const double* p, double) {
  ConstraintSpec d;
  d.level = Level::unilateral;
  d.from = p[kLimitFrom];
  d.to = p[kLimitTo];
  d.restitution = p[kLimitRestitution];
  return d;
}

inline Force limit_force(const Law&, const double*, double, double, const Instant&) { return {}; }

inline std::vector<Fault> limit_faults(const Law&, const double* p, const Given& given) {
  const double from = p[kLimitFrom], to = p[kLimitTo];
  if (!(from < to))
    return {{"to", fmt::format("'to' {} must lie above 'from' {}; what does not move is `locked`",
                               to, from)}};
  if (from == -kInf && to == kInf)
    return {{"", fmt::format("limit '{}' needs 'from' or 'to', or both", given.law)}};
  return {};
}

inline constexpr Type kLimit{.name = "limit",
                             .doc = "stops at one or both ends",
                             .parameters = kLimitParams,
                             .constraint = limit_constraint,
                             .force = limit_force,
                             .faults = limit_faults};

}  // namespace trammel::law

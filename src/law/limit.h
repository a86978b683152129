#pragma once

#include "law/law.h"

/// limit: from <= x <= to, either may be missing; a stop pushes back and never holds, and what runs
/// into it leaves with the share `restitution` of its speed. As a force: a spring of the given
/// stiffness beyond the stops.
namespace trammel::law {

enum LimitParam { kLimitFrom, kLimitTo, kLimitRestitution, kLimitStiffness };

inline constexpr Parameter kLimitParams[] = {
    {"from", Quantity::x, -kInf, -kInf, kInf, "least value of the coordinate"},
    {"to", Quantity::x, kInf, -kInf, kInf, "greatest value of the coordinate"},
    {"restitution", Quantity::ratio, 0, 0, 1, "speed after a blow over that before it"},
    {"stiffness", Quantity::force_per_x, 1e9, 0, kInf, "where a formulation works with forces"},
};

inline Demand limit_demand(const Law&, const double* p, double) {
  Demand d;
  d.level = Level::stops;
  d.from = p[kLimitFrom];
  d.to = p[kLimitTo];
  d.restitution = p[kLimitRestitution];
  return d;
}

inline double limit_beyond(const double* p, double x) {
  return x < p[kLimitFrom] ? x - p[kLimitFrom] : x > p[kLimitTo] ? x - p[kLimitTo] : 0;
}

inline Force limit_force(const Law&, const double* p, double x, double, double) {
  const double k = p[kLimitStiffness], e = limit_beyond(p, x);
  return {-k * e, e != 0 ? -k : 0, 0};
}

/// In closed form: quadrature over the step would step over a stop.
inline double limit_potential(const Law&, const double* p, double x, const Scheme& s) {
  const double e = limit_beyond(p, x), e_n = limit_beyond(p, s.x_n);
  return 0.5 * p[kLimitStiffness] * (e * e - e_n * e_n);
}

inline constexpr Type kLimit{"limit",      "stops at one or both ends",
                             kLimitParams, false,
                             false,        false,
                             limit_demand, limit_force,
                             nullptr,      limit_potential};

}  // namespace trammel::law

#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "law/law.h"

/// motor: brings x' to the target velocity with a force within bounds; throttle, brake and dry
/// friction are motors. As a force: smoothed over the stated speed v_s,
///
///   f = mean + half tanh((target - v) / v_s),   mean and half of the bounds lo and hi.
///
/// An infinite bound has no such form. The opposite of the finite one stands for it where that is
/// on its side of zero (at most 5 N: from -5 to 5 N), else kUnbounded; with both infinite the row
/// is a hard velocity row, of which this is a sharp picture.
///
/// A function of the user's is a limit of the force either way, as that of an engine of a given
/// power; less than zero stands for zero.
namespace trammel::law {

enum MotorParam { kMotorLo, kMotorHi, kMotorSmoothing };

inline constexpr Parameter kMotorParams[] = {
    {"force_min", Quantity::force, -kInf, -kInf, kInf, "least force: how hard it may brake"},
    {"force_max", Quantity::force, kInf, -kInf, kInf, "greatest force: how hard it may drive"},
    {"smoothing", Quantity::speed, 1e-3, 1e-300, kInf,
     "speed over which the force answer is smoothed"},
};

inline ConstraintSpec motor_constraint(const Law& law, const double* p, double t) {
  const Jet v = law.drive.signal.jet(t);
  ConstraintSpec d;
  d.level = Level::velocity;
  d.lo = p[kMotorLo];
  d.hi = p[kMotorHi];
  d.target = {0, v.x, v.v};
  if (!law.function) return d;
  constexpr double kSome = std::numeric_limits<double>::max();  // there is a limit, see follow
  d.lo = std::max(d.lo, -kSome);
  d.hi = std::min(d.hi, kSome);
  return d;
}

inline void motor_follow(const Law& law, const double*, double x, double v, const Instant& at,
                         ConstraintSpec& d) {
  if (!law.function) return;
  const double limit = mean_over(law.function->of_time ? at.span : Span{}, at.t, [&](double t) {
    return std::max(0., (*law.function)(x, v, at.at(t)).f);
  });
  d.lo = std::max(d.lo, -limit);
  d.hi = std::min(d.hi, limit);
}

constexpr double kUnbounded = 1e12;  // N, N m: sharp, and still a number

/// Mean and half of the bounds, with what stands for infinite ones.
struct MotorRange {
  double mean = 0, half = 0;
};
inline MotorRange motor_range(const double* p) {
  double lo = p[kMotorLo], hi = p[kMotorHi];
  if (lo == -kInf) lo = hi > 0 && hi < kInf ? -hi : -kUnbounded;
  if (hi == kInf) hi = lo < 0 && lo > -kInf ? -lo : kUnbounded;
  return {(lo + hi) / 2, (hi - lo) / 2};
}

inline Force motor_force(const Law& law, const double* p, double, double v, const Instant& at) {
  const auto [mean, half] = motor_range(p);
  const double z = (law.drive.signal.value(at.t) - v) / p[kMotorSmoothing], c = std::cosh(z);
  return {mean + half * std::tanh(z), 0, -half / (c * c) / p[kMotorSmoothing]};
}

/// Mean of tanh between z and z + dz: (log cosh(z + dz) - log cosh z) / dz, to rounding for any dz.
inline double mean_tanh(double z, double dz) {
  if (dz == 0) return std::tanh(z);
  if (std::abs(dz) < 1) {  // cosh(z + dz) / cosh z = cosh dz + tanh z sinh dz
    const double s = std::sinh(dz / 2);
    return std::log1p(std::tanh(z) * std::sinh(dz) + 2 * s * s) / dz;
  }
  const auto tail = [](double y) { return std::log1p(std::exp(-2 * std::abs(y))); };
  const double end = z + dz, along = z < 0 ? -dz : dz;
  const double rise = (z < 0) == (end < 0) ? along : std::abs(end) - std::abs(z);  // of |z|
  return (rise + tail(end) - tail(z)) / dz;
}

/// In closed form: where v passes the target within a step no quadrature sees how sharply.
inline double motor_potential(const Law& law, const double* p, double x, const Scheme& s) {
  const auto [mean, half] = motor_range(p);
  const double dx = x - s.x_n, z = (law.drive.signal.value(s.t) - s.v_n) / p[kMotorSmoothing];
  return -dx * (mean + half * mean_tanh(z, -s.dv_dx * dx / p[kMotorSmoothing]));
}

inline std::vector<Fault> motor_faults(const Law&, const double* p, const Given& given) {
  const double lo = p[kMotorLo], hi = p[kMotorHi];
  if (lo > hi) return {{"force_min", fmt::format("force_min {} exceeds force_max {}", lo, hi)}};
  if (lo <= 0 && hi >= 0) return {};
  return {{lo > 0 ? "force_min" : "force_max",
           fmt::format("the force bounds of motor '{}' must hold zero between them, not [{}, {}]: "
                       "a motor at its speed needs no force",
                       given.law, lo, hi)}};
}

inline constexpr Type kMotor{.name = "motor",
                             .doc = "velocity constraint with bounded force",
                             .parameters = kMotorParams,
                             .takes_drive = true,
                             .velocity_only = true,
                             .constraint = motor_constraint,
                             .force = motor_force,
                             .potential = motor_potential,
                             .function = {"force_limit",
                                          "a limit f(x, v, t) of the force either way, like "
                                          "\"P/max(abs(v), 1 m/s)\" (expressions.md)"},
                             .faults = motor_faults,
                             .follow = motor_follow};

}  // namespace trammel::law

#include "form/acceleration_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "constraint/row_events.h"
#include "constraint/row_kinds.h"
#include "constraint/strength.h"
#include "solve/product.h"

namespace trammel::form::acceleration {

namespace {
using constraint::kAlarm;
using law::kInf;
// a force this near to its bound has reached it, relative to the largest force,
constexpr double kAtBound = 1e-8;
constexpr double kMostAtBound = 0.01;  // but at most so much of the bound
constexpr int kLooks = 8;              // points of a step at which a stop may be found passed

std::size_t at_(int row) { return static_cast<std::size_t>(row); }

/// True where an open stop is passed between the ends of a step of h, by the cubic through both.
bool dips(const Mode& mode, const Instant& start, const Instant& end, std::size_t i, double h) {
  const double a = start.at.g[i], b = end.at.g[i], da = h * start.rate[i], db = h * end.rate[i];
  for (int k = 1; k < kLooks; ++k) {
    const double x = static_cast<double>(k) / kLooks, y = 1 - x;
    const double g = y * y * (a * (1 + 2 * x) + da * x) + x * x * (b * (1 + 2 * y) - db * y);
    if (constraint::clearance(mode.specs[i], mode.status[i], g) < -kAlarm * mode.specs[i].size)
      return true;
  }
  return false;
}

/// Returns the greatest excess of a joint's load over its strength, as a share of the strength.
double overload(const Mechanism& mechanism, const Mode& mode, const Instant& at) {
  double worst = -kInf;
  if (mechanism.model.strengths.empty()) return worst;
  constraint::for_each_carried_load(
      mechanism.kin, at.at, mode.flags.on, at.force,
      [&](const constraint::CarriedLoad& b) { worst = std::max(worst, b.share() - 1); });
  return worst;
}

/// The fastest motion of lengths or angles, and what changes it.
struct Fastest {
  double speed = 0, acceleration = 0;  // [m/s, rad/s], [m/s^2, rad/s^2]
  double size = 0;                     // of places, or angles [m, rad]
};
double finite(double x) { return std::isfinite(x) ? std::abs(x) : 0; }

/// Takes the speeds and accelerations of all bodies.
void take_bodies(const Mechanism& mechanism, const double* u, const double* a, double h,
                 Fastest& lengths, Fastest& angles) {
  for (std::size_t i = 0; i < mechanism.is_speed.size(); ++i) {
    Fastest& of = mechanism.is_speed[i] ? lengths : angles;
    const double more = a ? finite(a[i]) : 0;
    of.speed = std::max(of.speed, std::isfinite(u[i]) ? std::abs(u[i]) + h * more : 0);
    of.acceleration = std::max(of.acceleration, more);
  }
}

/// `pace`: of the mechanism, which is at rest where it moves by less than rounding of it.
constraint::Nearness nearness(const Fastest& of, double pace, double t, double h) {
  // shares of the speed, of the step
  constexpr double kShare = 4e-9, kMoment = 3e-10;
  constexpr double kStill = 1e-14, kRounding = 2e-15;  // of the pace, of the time
  constexpr double kPlaces = 2e-15, kBounce = 0.01;
  const double moving = std::max(kShare * of.speed, kStill * pace);
  // a bounce that is no higher than places are rounded to never ends
  const double rate =
      std::max(moving, kBounce * std::sqrt(2 * of.acceleration * kPlaces * of.size));
  return {rate, 50 * h * rate, std::max(kMoment * h, kRounding * std::abs(t)),
          moving / (kShare * h)};
}

}  // namespace

void measure(const Mechanism& mechanism, const Instant& now, const double* u, const double* a,
             double t, double h, Scales& out) {
  const double gravity = vec3(mechanism.params.values.data() + model::kGravityParam).norm();
  Fastest lengths{h * gravity, gravity, 0}, angles{0, 0, 1};
  take_bodies(mechanism, u, a, h, lengths, angles);
  for (const body::Transform& T : now.at.T_WO)
    lengths.size = std::max(lengths.size, T.p.cwiseAbs().maxCoeff());
  for (const int row : mechanism.kinds.changing) {  // a disc that turns about its centre has rims
    const std::size_t i = at_(row);
    Fastest& of = mechanism.is_angle[i] ? angles : lengths;
    of.speed = std::max(of.speed, finite(now.rate[i]));
    of.size = std::max(of.size, finite(now.at.g[i]));
    out.inverse_mass[i] = solve::inverse_mass_of_row(mechanism.kin.graph(), now.at.J.data(),
                                                     now.at.inv_mass.data(), row);
  }
  const model::Scales& scales = mechanism.model.scales;
  out.length = nearness(lengths, scales.speed, t, h);
  out.angle = nearness(angles, scales.spin(), t, h);
}

constraint::RowState row_state(const Mechanism& mechanism, const Scales& scales,
                               const Instant& start, const Instant& at, std::size_t row) {
  return {at.at.g[row],
          at.rate[row],
          at.force[row],
          start.at.g[row],
          scales.inverse_mass[row],
          mechanism.is_angle[row] ? scales.angle : scales.length};
}

void find_alarms(const Mechanism& mechanism, const Mode& mode, const Scales& scales,
                 const Instant& start, const Instant& end, double h, Alarms& out) {
  out.rows.clear();
  for (const int row : mechanism.kinds.changing) {
    const std::size_t i = at_(row);
    const auto state = row_state(mechanism, scales, start, end, i);
    if (constraint::alarm(mode.specs[i], mode.status[i], state) > kAlarm ||
        dips(mode, start, end, i, h))
      out.rows.push_back(row);
  }
  out.overload = overload(mechanism, mode, end) > kAlarm;
  out.touching = mode.touching && mode.touching.alarm(end.touches, end.at) > kAlarm;
  out.renewed = false;
}

bool is_alarmed(const Mechanism& mechanism, const Mode& mode, const Scales& scales,
                const Instant& now) {
  for (const std::vector<int>* rows : {&mechanism.kinds.changing, &mechanism.kinds.rates})
    for (const int row : *rows) {
      const std::size_t i = at_(row);
      if (constraint::is_alarmed(mode.specs[i], mode.status[i],
                                 row_state(mechanism, scales, now, now, i)))
        return true;
    }
  return overload(mechanism, mode, now) > kAlarm || mode.touching.is_alarmed(now.touches);
}

double worst_alarm(const Mechanism& mechanism, const Mode& mode, const Scales& scales,
                   const Alarms& alarms, const Instant& start, const Instant& at) {
  double most = -kInf;
  for (const int row : alarms.rows) {
    const std::size_t i = at_(row);
    most = std::max(most, constraint::alarm(mode.specs[i], mode.status[i],
                                            row_state(mechanism, scales, start, at, i)));
  }
  if (alarms.overload) most = std::max(most, overload(mechanism, mode, at));
  if (alarms.touching) most = std::max(most, mode.touching.alarm(at.touches, at.at));
  return std::isfinite(most) ? most : std::copysign(1.0, most);
}

void hold_candidates(const Mechanism& mechanism, const Scales& scales, const Alarms& alarms,
                     const std::vector<constraint::RowStatus>& before, const Instant& now,
                     Mode& mode, Bounds& bounds) {
  for (const int row : mechanism.kinds.changing) {
    const std::size_t i = at_(row);
    mode.status[i] = constraint::candidate(mode.specs[i], mode.status[i], before[i],
                                           row_state(mechanism, scales, now, now, i));
    if (!mode.status[i].holds()) continue;
    const law::Range range = constraint::holding_range(mode.specs[i], mode.status[i]);
    bounds.lo[i] = range.lo;
    bounds.hi[i] = range.hi;
  }
  for (const solve::Cone& c : mechanism.frictions)
    if (const std::size_t i = at_(c.tangent[0]); mode.status[i].holds())
      bounds.add(c, mode.specs[i].coefficient_at_rest());
  double largest = 0;  // the time of a bound is found to the precision of works of this size
  for (std::size_t i = 0; i < now.force.size(); ++i)
    largest = std::max(largest, mechanism.sizes[i] * std::abs(now.force[i]));
  // a row that has come to its bound leaves it, which is known to rounding only
  for (const int row : alarms.rows) {
    const std::size_t i = at_(row);
    if (!mode.status[i].holds() || !before[i].holds()) continue;
    const double least =
        constraint::least_force(mode.specs[i], row_state(mechanism, scales, now, now, i));
    const auto in = [&](double bound) {
      const double most = bound != 0 ? kMostAtBound * std::abs(bound) : kInf;
      return std::min(kAtBound * std::max({least, largest / mechanism.sizes[i], std::abs(bound)}),
                      most);
    };
    if (bounds.lo[i] > -kInf) bounds.lo[i] += in(bounds.lo[i]);
    if (bounds.hi[i] < kInf) bounds.hi[i] -= in(bounds.hi[i]);
    const double most = constraint::holding_range(mode.specs[i], mode.status[i]).hi;
    for (solve::Cone& c : bounds.cones)
      if (c.tangent[0] == row && most > 0) c.mu *= 1 - in(most) / most;
  }
}

bool release_idle_rows(const Mechanism& mechanism, const Scales& scales,
                       const std::vector<constraint::RowStatus>& before, const Instant& now,
                       const double* a, const Bounds& bounds, Work& work, Mode& mode) {
  constexpr double kIdle = 1e-8;  // of the row's bias, and of what its greatest force would make
  solve::multiply(mechanism.kin.graph(), now.at.J.data(), a, work.r.data());
  const auto release = [&](std::size_t i) {
    const law::ConstraintSpec& spec = mode.specs[i];
    if (!mode.status[i].holds() || bounds.set[i] != 0) return false;
    const law::Range range = constraint::holding_range(spec, mode.status[i]);
    const double force = std::max(finite(range.lo), finite(range.hi)),
                 left = work.r[i] + work.bias[i];
    if (!(std::abs(left) > kIdle * (std::abs(work.bias[i]) + scales.inverse_mass[i] * force)))
      return false;
    const auto side = static_cast<signed char>(left > 0 ? -1 : 1);
    mode.status[i] = constraint::released(spec, mode.status[i], before[i], side,
                                          row_state(mechanism, scales, now, now, i));
    return true;
  };
  bool any = false;
  // friction by a load gives way to what else holds a rate: its bound is not known yet
  for (const solve::Cone& c : mechanism.frictions) any |= release(at_(c.tangent[0]));
  if (any) return true;
  for (const int row : mechanism.kinds.changing)
    if (constraint::may_slip(mode.specs[at_(row)])) any |= release(at_(row));
  return any;
}

void release_bound_rows(const Mechanism& mechanism, const Scales& scales, const Bounds& bounds,
                        const std::vector<constraint::RowStatus>& before, const Instant& now,
                        Mode& mode) {
  for (const int row : mechanism.kinds.changing) {
    const std::size_t i = at_(row);
    if (!mode.status[i].holds() || bounds.set[i] == 0) continue;
    const signed char set = constraint::bound_reached(mode.specs[i], now.force[i], bounds.set[i]);
    mode.status[i] = constraint::released(mode.specs[i], mode.status[i], before[i], set,
                                          row_state(mechanism, scales, now, now, i));
  }
}

void report_changes(const Mechanism& mechanism, const Mode& mode,
                    const std::vector<constraint::RowStatus>& before, const Instant& now,
                    std::vector<Event>& events) {
  for (const int row : mechanism.kinds.changing) {
    const std::size_t i = at_(row);
    const constraint::RowStatus& status = mode.status[i];
    if (status.status == constraint::Status::off) continue;
    const bool off = status.off_target();
    if (off == before[i].off_target()) continue;
    const EventKind kind = !off                                           ? EventKind::hold
                           : status.status == constraint::Status::sliding ? EventKind::slide
                                                                          : EventKind::yield;
    events.push_back({now.at.t, kind, mechanism.joint_of(i).name,
                      fmt::format("row {} {}", mechanism.model.rows[i].name,
                                  off ? "is at its greatest force" : "holds"),
                      now.force[i], mechanism.is_angle[i] ? "N m" : "N"});
  }
}

}  // namespace trammel::form::acceleration

#include "constraint/status.h"

#include <algorithm>
#include <cmath>

#include "model/project.h"

namespace trammel::constraint {

namespace {
using law::ConstraintSpec;
using law::kInf;
using law::Level;
constexpr double kSlow = 100;  // times Nearness::rate: a row within it has just come to its target
constexpr double kPerNear = 1e-8;  // alarms of rates are relative to Nearness::rate

bool yields(const ConstraintSpec& d) { return d.level == Level::position && d.bounded(); }

/// True where the row began the step on the side of its target that its recovery was found for.
bool brakes(const ConstraintSpec& d, const RowStatus& s, const RowState& at) {
  return s.recovery * (at.g_start - d.target.x) > 0;
}

/// Returns the acceleration that stops a yielded row, displaced by `off`, on its way back: its
/// recovery where that applies, else what half of the bound that brakes it does to it alone (beside
/// other rows it has more mass).
double brake(const ConstraintSpec& d, const RowStatus& s, const RowState& at, double off) {
  if (s.holds() ? s.recovery != 0 : brakes(d, s, at)) return std::abs(s.recovery);
  return 0.5 * at.inverse_mass * (off > 0 ? d.hi : -d.lo);
}

/// Returns the rate aimed at: its law's, or, on the way back, one from which the row can just be
/// stopped at its target; infinite where it may go as fast as its other bound draws it.
double target_rate(const ConstraintSpec& d, const RowStatus& s, const RowState& at) {
  const bool displaced = s.status == Status::yielded || s.status == Status::recovering;
  const double off = displaced ? at.g - d.target.x : 0;
  if (off == 0) return d.target.v;
  const double b = brake(d, s, at, off);
  return d.target.v - std::copysign(b > 0 ? std::sqrt(2 * b * std::abs(off)) : kInf, off);
}

RowStatus active(RowStatus s) {
  s.status = Status::active;
  s.recovery = 0;
  return s;
}

/// Leads the row, now at its target rate, back by a constant acceleration, on a parabola that ends
/// at rest at its target. The row is active where it is there already.
RowStatus recovering(const ConstraintSpec& d, RowStatus s, const RowState& at) {
  const double off = at.g - d.target.x, rate = at.rate - d.target.v;
  if (!(std::abs(off) > at.near.length)) return active(s);
  s.status = Status::recovering;
  s.recovery = rate * rate / (2 * off);
  return s;
}

/// Returns the status of a unilateral row: active at its stop, open where it is away from it or
/// leaves it.
RowStatus of_stop(const ConstraintSpec& d, RowStatus s, const RowState& at, bool leaves) {
  const law::ToStop stop = law::to_stop(d, at.g);
  s.side = static_cast<signed char>(stop.side);
  s.recovery = 0;
  s.status = stop.gap > model::kPenetrated * d.size || leaves ? Status::open : Status::active;
  return s;
}

/// Returns the status of a row that has yielded in a stored state: at its bound, or on its way
/// back.
RowStatus still_yielded(const ConstraintSpec& d, const Stored& stored, double g) {
  RowStatus s{Status::recovering, 0, stored.recovery};
  if (stored.set == 0 && stored.recovery != 0) return s;
  s.side = stored.set       ? stored.set
           : g > d.target.x ? static_cast<signed char>(-1)
                            : static_cast<signed char>(1);
  if (!std::isfinite(s.side < 0 ? d.lo : d.hi)) return active(s);
  s.status = Status::yielded;
  return s;
}

/// Returns the status of a row that holds a rate: away from its target it is at the bound that
/// leads there.
RowStatus of_rate(const ConstraintSpec& d, const Stored& stored, const RowState& at) {
  RowStatus s{Status::active, 0, 0};
  const double w = at.rate - d.target.v;
  s.side = std::abs(w) <= at.near.rate ? stored.set : static_cast<signed char>(w > 0 ? -1 : 1);
  const bool bounded = d.is_friction() || std::isfinite(s.side < 0 ? d.lo : d.hi);
  if (s.side != 0 && bounded) s.status = Status::sliding;
  return s;
}
}  // namespace

bool may_change(const ConstraintSpec& d) {
  return d.unilateral() || d.is_friction() || (d.level != Level::force && d.bounded());
}

RowStatus status_at(const ConstraintSpec& d, const Stored& stored, const RowState& at) {
  if (!stored.on) return {};
  if (d.level == Level::force) return {Status::free, 0, 0};
  if (d.unilateral()) {
    const bool leaves = law::to_stop(d, at.g).side * at.rate > kSlow * at.near.rate;
    return of_stop(d, {}, at, leaves || stored.set != 0);
  }
  if (yields(d) && stored.yielded) return still_yielded(d, stored, at.g);
  if (d.is_friction() || (d.level == Level::velocity && d.bounded())) return of_rate(d, stored, at);
  return {Status::active, 0, 0};
}

signed char stored_set(const RowStatus& s) {
  if (s.status == Status::open) return -1;
  return s.at_bound() ? s.side : static_cast<signed char>(0);
}

double bound_force(const ConstraintSpec& d, const RowStatus& s) { return s.side < 0 ? d.lo : d.hi; }

law::Range holding_range(const ConstraintSpec& d, const RowStatus& s) {
  if (d.unilateral()) return s.side > 0 ? law::Range{0, kInf} : law::Range{-kInf, 0};
  return {std::min(d.lo, -d.breakaway), std::max(d.hi, d.breakaway)};
}

bool holds_position(const ConstraintSpec& d, const RowStatus& s) {
  return s.status == Status::active && d.has_place();
}

double place(const ConstraintSpec& d, const RowStatus& s) {
  return !d.unilateral() ? d.target.x : s.side > 0 ? d.from : d.to;
}

double least_force(const ConstraintSpec& d, const RowState& at) {
  const double pace = d.pace * d.pace / d.size;  // to come to it within its size [m/s^2, rad/s^2]
  return at.inverse_mass > 0 ? std::min(pace, at.near.acceleration) / at.inverse_mass : 1;
}

double alarm(const ConstraintSpec& d, const RowStatus& s, const RowState& at) {
  const double per = kPerNear / at.near.rate;
  if (s.at_bound()) return per * s.side * (at.rate - target_rate(d, s, at));
  if (s.status == Status::open) return -law::to_stop(d, at.g).gap / d.size;
  if (!s.holds()) return -kInf;
  const auto [lo, hi] = holding_range(d, s);
  if (lo == -kInf && hi == kInf) return -kInf;
  const double beyond = std::max(lo - at.force, at.force - hi), bound = at.force < lo ? lo : hi;
  const double share =
      beyond / std::max(least_force(d, at), std::isfinite(bound) ? std::abs(bound) : 0);
  if (s.status == Status::active) return share;
  // the row has come to its target, and would be led away again
  return std::max(share, per * (s.recovery > 0 ? 1 : -1) * (at.rate - d.target.v));
}

bool is_alarmed(const ConstraintSpec& d, const RowStatus& s, const RowState& at) {
  if (s.status == Status::off) return false;
  if (s.status == Status::active && std::abs(at.rate - d.target.v) > at.near.rate) return true;
  return alarm(d, s, at) > kAlarm;
}

double clearance(const ConstraintSpec& d, const RowStatus& s, double g) {
  return s.status == Status::open ? law::to_stop(d, g).gap : kInf;
}

bool touches(const ConstraintSpec& d, const RowState& at) {
  return law::to_stop(d, at.g).gap <=
         model::kPenetrated * d.size + 4 * at.near.moment * std::abs(at.rate);
}

RowStatus arrived(const ConstraintSpec& d, RowStatus s, const RowState& at) {
  const double off = at.g - d.target.x, rate = at.rate - d.target.v;
  switch (s.status) {
    case Status::sliding:
      return std::abs(rate) < kSlow * at.near.rate ? active(s) : s;
    case Status::recovering:
      if (!(std::abs(rate) < kSlow * at.near.rate)) return s;
      s.recovery = 0;
      s.status = std::abs(off) <= at.near.length ? Status::active : Status::yielded;
      return s;
    case Status::yielded: {
      if (std::abs(at.rate - target_rate(d, s, at)) < kSlow * at.near.rate)
        return recovering(d, s, at);
      const bool stops_at_once = (rate < 0 ? d.hi : -d.lo) == kInf;
      return stops_at_once && std::abs(off) <= at.near.length + 4 * at.near.moment * std::abs(rate)
                 ? active(s)
                 : s;
    }
    default:
      return s;
  }
}

RowStatus candidate(const ConstraintSpec& d, RowStatus s, const RowStatus& before,
                    const RowState& at) {
  if (s.status == Status::off) return s;
  if (d.unilateral()) return of_stop(d, s, at, std::abs(at.rate) > kSlow * at.near.rate);
  const double w = at.rate - target_rate(d, s, at);
  // an impact of other rows may have changed the rate of a row that held
  const bool at_target = std::abs(w) <= (s.holds() ? kSlow : 1) * at.near.rate;
  if (at_target && (d.lo < d.hi || d.breakaway > 0 || d.is_friction())) {
    if (!s.off_target() || s.status == Status::sliding) return active(s);
    if (s.recovery == 0) return recovering(d, s, at);
    s.status = Status::recovering;
    return s;
  }
  if (!before.at_bound() || !brakes(d, s, at)) s.recovery = 0;
  s.side = w > 0 ? -1 : 1;
  s.status = yields(d) ? Status::yielded : Status::sliding;
  return s;
}

RowStatus released(const ConstraintSpec& d, RowStatus s, const RowStatus& before, signed char set,
                   const RowState& at) {
  if (d.unilateral()) {
    s.status = Status::open;
    s.recovery = 0;
    return s;
  }
  // the row had to brake harder than its bound can: it now brakes more gently, and so earlier
  const bool harder = s.status == Status::recovering && before.at_bound() && brakes(d, s, at) &&
                      set * s.recovery > 0;
  s.recovery = harder ? s.recovery / 2 : 0;
  s.side = set;
  s.status = yields(d) ? Status::yielded : Status::sliding;
  return s;
}

ImpactRow impact_row(const ConstraintSpec& d, const RowStatus& s, const RowState& at) {
  ImpactRow row;
  row.active = s.holds();
  row.rate = d.target.v;
  if (s.status == Status::off) return row;
  if (d.unilateral()) {
    const law::Range range = d.impact_range(at.g);
    row.active = touches(d, at);
    row.strikes = row.active && d.closing_speed(at.g, at.rate) > kSlow * at.near.rate;
    row.lo = range.lo;
    row.hi = range.hi;
    row.rate = row.strikes ? d.rebound(at.g, at.rate) : 0;
  } else if (s.holds() && d.bounded()) {  // an infinite bound makes an impact
    if (s.status == Status::recovering) row.rate = at.rate;
    const law::Range range = d.impact_range(at.g);
    row.lo = range.lo;
    row.hi = range.hi;
    row.active = row.lo < row.hi;
    row.strikes = row.active && std::abs(at.rate - row.rate) > at.near.rate;
  } else if (s.holds() && d.holds_rate()) {  // no bound: the impulse brings it to its rate at once
    row.strikes = std::abs(at.rate - row.rate) > at.near.rate;
  }
  return row;
}

}  // namespace trammel::constraint

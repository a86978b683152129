#include "constraint/rows.h"

#include <algorithm>
#include <cmath>

#include "model/project.h"

namespace trammel::constraint {

namespace {
using law::ConstraintSpec;
using law::kInf;

/// Returns a row with the bounds of its impulse over `time` [s].
RowProblem within(const ConstraintSpec& d, double time) {
  RowProblem row;
  row.lo = time * d.lo;
  row.hi = time * d.hi;
  return row;
}

/// Does the same for a rate, at rest with the bounds of static friction, which may exceed the
/// kinetic.
RowProblem within_friction(const ConstraintSpec& d, bool at_rest, double time) {
  RowProblem row = within(d, time);
  if (at_rest && d.breakaway > d.hi) {
    row.lo = -time * d.breakaway;
    row.hi = time * d.breakaway;
  }
  return row;
}

/// Returns a unilateral row: its stop pushes to `side` only.
RowProblem unilateral_row(int side, bool active) {
  RowProblem row;
  row.active = active;
  row.lo = side > 0 ? 0 : -kInf;
  row.hi = side > 0 ? kInf : 0;
  return row;
}

RowProblem inactive() {
  RowProblem row;
  row.active = false;
  return row;
}

/// Returns the rate at which a yielded row goes back from the displacement e: the share erp of it
/// per step, but no faster than its bounds can stop (half of them: beside other rows it has more
/// mass than alone).
double recovery_rate(const ConstraintSpec& d, double e, double inverse_mass, double h) {
  const double brake = 0.5 * inverse_mass * (e > 0 ? d.hi : -d.lo);  // [m/s^2, rad/s^2]
  double speed = std::abs(d.erp / h * e);
  if (brake > 0) speed = std::min(speed, std::sqrt(2 * brake * std::abs(e)));
  return std::copysign(speed, -e);
}
}  // namespace

Hold hold_of(const ConstraintSpec& d, bool on, bool yielded) {
  if (!on) return Hold::nothing;
  switch (d.level) {
    case law::Level::velocity:
      return Hold::rate;
    case law::Level::unilateral:
      return Hold::unilateral;
    case law::Level::position:
      return yielded ? Hold::recovery : Hold::position;
    case law::Level::friction:
      return Hold::friction;
    case law::Level::force:
      break;
  }
  return Hold::force;
}

RowProblem end_position(Hold hold, const ConstraintSpec& start, const ConstraintSpec& end,
                        const RowMotion& at) {
  const double half = std::abs(at.h) / 2;
  RowProblem row;
  switch (hold) {
    case Hold::nothing:
    case Hold::force:
      return inactive();
    case Hold::position:
      row = within(start, half);
      row.place = end.target.x;
      return row;
    case Hold::unilateral: {
      const law::ToStop stop = law::to_stop(start, at.g);
      row = unilateral_row(stop.side, stop.gap <= model::kClosed * start.size);
      row.place = stop.gap < -model::kPenetrated * start.size ? at.g : stop.at;
      return row;
    }
    case Hold::rate:
    case Hold::friction:
      row = within_friction(start, at.at_rest, half);
      row.place = at.g;
      row.rate = (start.target.v + end.target.v) / 2;
      return row;
    case Hold::recovery:
      row = within(start, half);
      row.place = at.g;
      row.rate = (start.target.v + end.target.v) / 2 +
                 recovery_rate(start, at.g - start.target.x, at.inverse_mass, at.h);
      return row;
  }
  return row;
}

RowProblem end_rate(Hold hold, const ConstraintSpec& end, const RowMotion& at) {
  const double half = std::abs(at.h) / 2;
  RowProblem row = within(end, half);
  row.rate = end.target.v;
  switch (hold) {
    case Hold::nothing:
    case Hold::force:
      return inactive();
    case Hold::position:
    case Hold::friction:
      return row;
    case Hold::unilateral:
      row = unilateral_row(side_of(end, at.g), is_closed(end, at.g));
      row.rate = end.rebound(at.g, at.rate);
      return row;
    case Hold::rate:
      row = within_friction(end, at.at_rest, half);
      row.rate = end.target.v;
      return row;
    case Hold::recovery:
      row.rate += recovery_rate(end, at.g - end.target.x, at.inverse_mass, at.h);
      return row;
  }
  return row;
}

RowProblem mean_rate(Hold hold, const ConstraintSpec& start, const ConstraintSpec& end,
                     const RowMotion& at) {
  if (hold == Hold::nothing || hold == Hold::force) return inactive();
  RowProblem row = within(start, std::abs(at.h));
  if (hold == Hold::unilateral) row = unilateral_row(side_of(start, at.g), is_closed(start, at.g));
  row.rate = (start.target.v + end.target.v) / 2;
  return row;
}

RowProblem stabilised_rate(Hold hold, const ConstraintSpec& start, const ConstraintSpec& end,
                           const RowMotion& at, double erp) {
  if (hold == Hold::nothing || hold == Hold::force) return inactive();
  RowProblem row = within(start, at.h);
  const double off = at.g - start.target.x;
  row.rate = end.target.v;
  if (hold == Hold::position) row.rate -= erp / at.h * off;
  if (hold == Hold::recovery) row.rate -= start.erp / at.h * off;
  if (hold != Hold::unilateral) return row;
  const law::ToStop stop = law::to_stop(start, at.g);
  // the gap may close but no more; penetration is reduced by erp
  row = unilateral_row(stop.side, true);
  row.rate = -stop.side * (stop.gap > 0 ? 1 : erp) / at.h * stop.gap;
  return row;
}

double counted(double r, double x, const RowProblem& row, double inverse_mass) {
  if (row.lo == row.hi) return 0;
  if (x >= row.hi) return std::max(r, 0.0);
  if (x <= row.lo) return std::min(r, 0.0);
  if (!(inverse_mass > 0)) return r;  // the inverse mass is not known yet
  if (row.hi == kInf && row.lo > -kInf) return std::min(r, (x - row.lo) * inverse_mass);
  if (row.lo == -kInf && row.hi < kInf) return std::max(r, (x - row.hi) * inverse_mass);
  return r;
}

bool is_closed(const ConstraintSpec& d, double g) {
  return law::to_stop(d, g).gap <= model::kClosed * d.size;
}
int side_of(const ConstraintSpec& d, double g) { return law::to_stop(d, g).side; }

double displacement(Hold hold, const ConstraintSpec& d, double g) {
  if (hold == Hold::unilateral) return -law::to_stop(d, g).gap;
  return hold == Hold::position ? std::abs(g - d.target.x) : 0;
}

bool has_yielded(const ConstraintSpec& d, double g, bool at_bound, bool drifts) {
  constexpr double kBack = 1e-9;  // of ConstraintSpec::size
  return at_bound || (!drifts && std::abs(g - d.target.x) > kBack * d.size);
}

double work(Hold hold, const ConstraintSpec& start, const ConstraintSpec& end,
            const HalfSteps& impulse, const HalfSteps& rate) {
  switch (hold) {
    case Hold::nothing:
      return 0;
    case Hold::unilateral:
      return impulse.first * start.target.v + impulse.second * end.target.v;
    case Hold::position:
      if (!start.bounded()) return impulse.first * start.target.v + impulse.second * end.target.v;
      break;
    case Hold::force:
      return impulse.first * rate.first + impulse.second * rate.second;
    case Hold::rate:
    case Hold::friction:
    case Hold::recovery:
      break;
  }
  return (impulse.first + impulse.second) * (rate.first + rate.second) / 2;
}

}  // namespace trammel::constraint

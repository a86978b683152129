#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/signal.h"

/// The constraint that a law specifies for its row. The shapes of specifications are known here, to
/// the laws that make them and to src/constraint; everybody else asks.
namespace trammel::law {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Where a law holds its row.
enum class Level : unsigned char {
  position,    // x = c(t), with its rates
  unilateral,  // from <= x <= to; at a stop the force only pushes off it
  velocity,    // x' = target, as far as the bounds let it
  force,       // no constraint: the force answer applies
  friction,    // x' = target; see ConstraintSpec::mu
};

/// Bounds of a force, an impulse or a value.
struct Range {
  double lo = -kInf, hi = kInf;
};

struct ConstraintSpec {
  Level level = Level::position;
  double lo = -kInf, hi = kInf;    // admissible force [N or N m]
  Jet target;                      // position: c, c', c''; velocity: v is the target, a its rate
  double from = -kInf, to = kInf;  // stops
  double restitution = 0;          // of stops, in [0, 1]
  double breakaway = 0;  // velocity: bounds are -+ this while x' is at its target, if wider
  /// friction: the forces of the tangent rows of a law, taken together as a vector, are at most mu
  /// times that of the law's first row (Coulomb's cone). While they are less, x' is at its target;
  /// otherwise they oppose x' less its target.
  double mu = 0;
  double static_mu = 0;  // friction: the same at rest, if greater
  bool still = false;    // friction: it is at rest
  double guide = 0;      // friction by a load: length at whose ends torques press [m]
  double erp = 0.25;     // share of the error taken back a step while the force was at its bound
  // what values [m, rad] and rates [m/s, rad/s] of the row are compared with (model/scales.h)
  double size = 1, pace = 1;

  /// True where the force has bounds at which the row yields.
  bool bounded() const { return lo > -kInf || hi < kInf; }
  /// True for a unilateral row: a stop pushes, and never holds.
  bool unilateral() const { return level == Level::unilateral; }
  bool has_both_stops() const { return unilateral() && std::isfinite(to - from); }
  bool holds_value() const { return level == Level::position; }
  bool holds_rate() const { return level == Level::velocity; }
  bool is_force() const { return level == Level::force; }
  /// True for a tangent row, whose force follows those of other rows.
  bool is_friction() const { return level == Level::friction; }
  /// True where a value is held, or kept within stops.
  bool has_place() const { return holds_value() || unilateral(); }
  /// True where a value or a rate is held whatever force that takes.
  bool is_rigid() const { return (holds_value() || holds_rate()) && !bounded(); }
  /// True where the force at rest may be greater than that of sliding.
  bool sticks_harder() const { return breakaway > hi; }
  /// Returns the coefficient that holds now, and the one that holds at rest.
  double coefficient() const { return still ? coefficient_at_rest() : mu; }
  double coefficient_at_rest() const { return std::max(mu, static_mu); }

  /// Returns the value nearest to x that is asked for: the target, or the nearer stop.
  double place(double x) const;
  /// Returns how far x is from what is asked for: x less its target, or what it is beyond its stop
  /// as a negative number, 0 within. 0 where no value is asked for.
  double off(double x) const;
  /// True where x is away from its stops by more than `closed`, as a share of `size`.
  bool is_open(double x, double closed) const;
  /// Returns the range that a step from x leaves it in: between the stops; what is beyond one by
  /// more than `closed`, likewise, is not thrown out but keeps its depth. Without stops it is
  /// everything.
  Range within(double x, double closed) const;
  /// Returns the speed with which x, changing at `rate`, moves into its nearer stop.
  double closing_speed(double x, double rate) const;
  /// Returns the rate after an impact of x, which runs into its stop at `rate`; 0 where it does
  /// not.
  double rebound(double x, double rate) const;
  /// Returns the bounds of the impulse in an impact, for which bounded forces are too small.
  Range impact_range(double x) const;
};

/// Way left to the nearer stop, negative beyond it, and which: +1 the lower (its force is
/// positive), -1 the upper.
struct ToStop {
  double gap, at;
  int side;
};
inline ToStop to_stop(const ConstraintSpec& d, double x) {
  const double below = x - d.from, above = d.to - x;
  return below <= above ? ToStop{below, d.from, 1} : ToStop{above, d.to, -1};
}

inline double ConstraintSpec::place(double x) const {
  return unilateral() ? to_stop(*this, x).at : target.x;
}

inline double ConstraintSpec::off(double x) const {
  if (unilateral()) return std::min(0., to_stop(*this, x).gap);
  return holds_value() ? x - target.x : 0;
}

inline bool ConstraintSpec::is_open(double x, double closed) const {
  return unilateral() && to_stop(*this, x).gap > closed * size;
}

inline Range ConstraintSpec::within(double x, double closed) const {
  const auto kept = [&](double gap) { return gap < -closed * size ? gap : 0; };
  return {from + kept(x - from), to - kept(to - x)};
}

inline double ConstraintSpec::closing_speed(double x, double rate) const {
  return unilateral() ? -to_stop(*this, x).side * rate : 0;
}

inline double ConstraintSpec::rebound(double x, double rate) const {
  return closing_speed(x, rate) > 0 ? -restitution * rate : 0;
}

inline Range ConstraintSpec::impact_range(double x) const {
  if (unilateral()) return to_stop(*this, x).side > 0 ? Range{0, kInf} : Range{-kInf, 0};
  return {lo > -kInf ? 0 : -kInf, hi < kInf ? 0 : kInf};
}

/// Returns the specification for a row that runs against the coordinate that it is given for.
inline ConstraintSpec turned(ConstraintSpec d) {
  d.target = {-d.target.x, -d.target.v, -d.target.a};
  d.lo = -std::exchange(d.hi, -d.lo);
  d.from = -std::exchange(d.to, -d.from);
  return d;
}
/// Returns the specification for a nonholonomic row, of which no value can be held.
inline ConstraintSpec of_rate(ConstraintSpec d) {
  if (d.holds_value()) d.level = Level::velocity;
  return d;
}

/// Returns the specification of a lock at `value`; one that is unilateral lets x rise above it.
inline ConstraintSpec lock(double value, const Range& force, double erp, bool unilateral,
                           double restitution) {
  ConstraintSpec d;
  d.target.x = value;
  d.lo = force.lo;
  d.hi = force.hi;
  d.erp = erp;
  d.restitution = restitution;
  if (!unilateral) return d;
  d.level = Level::unilateral;
  d.from = value;
  return d;
}

}  // namespace trammel::law

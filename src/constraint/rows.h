#pragma once

#include "law/law.h"

/// From what a law demands of a row to the numbers of a solve for impulses. Here alone it is known
/// which shapes demands have; who solves reads bounds, references and rates.
namespace trammel::constraint {

/// What a row holds at the moment, whatever law is behind it.
enum class Hold : unsigned char {
  nothing,   // its joint has let go
  position,  // g = target
  gap,       // unilateral: g stays within its stops
  rate,      // g' = target, within the bounds of its force
  recovery,  // it has yielded, and is led back to its position within the bounds of its force
  force,     // nothing: its law says how strong it is
};
Hold hold_of(const law::Demand& demand, bool on, bool yielded);

/// One row of a solve. Its impulse lies within [lo, hi]; inside, its residual vanishes.
struct RowProblem {
  bool active = true;                      // false: it takes no part
  double lo = -law::kInf, hi = law::kInf;  // [N s, N m s]
  double place = 0;  // that it is to have at the end if it had no rate, see end_position() [m, rad]
  double rate = 0;   // that it is to have [m/s, rad/s]
};

/// A row at one end of a step of h [s].
struct RowMotion {
  double g = 0, rate = 0;   // [m, rad], [m/s, rad/s]
  double inverse_mass = 0;  // what a unit of its impulse does to its rate [1/kg, 1/(kg m^2)]
  double h = 0;
  bool at_rest = false;  // it is at its target rate: static friction may hold it
};

/// Impulses over the first half of a step that bring the row, at its beginning, to where it is to
/// be at the end: its residual is (g+ - place)/h - rate; that of nonholonomic rows is the mean rate
/// less `rate`.
RowProblem end_position(Hold hold, const law::Demand& start, const law::Demand& end,
                        const RowMotion& at);
/// Impulses over the second half that give the row its rate at the end, where it is at `at.g`;
/// `at.rate`: that before, with which it runs into its stop.
RowProblem end_rate(Hold hold, const law::Demand& end, const RowMotion& at);
/// Impulses over a whole step that give the row its mean rate over it, with the row in its middle.
RowProblem mean_rate(Hold hold, const law::Demand& start, const law::Demand& end,
                     const RowMotion& at);
/// Impulses over a whole step that give the row its rate at the end and, with it, the share `erp`
/// of what it is off its place a step.
RowProblem stabilised_rate(Hold hold, const law::Demand& start, const law::Demand& end,
                           const RowMotion& at, double erp);

/// What of a residual r counts at the impulse x: at a bound only the way back, and near the only
/// one no more than what the impulse can still give (inverse mass S; 0: not known).
double counted(double r, double x, const RowProblem& row, double inverse_mass);

constexpr double kBlow = 1e-6;  // what runs into a stop slower is no impact [m/s, rad/s]
/// A unilateral row touches its stop; it is nearer to its lower one: +1, upper: -1.
bool is_closed(const law::Demand& demand, double g);
int side_of(const law::Demand& demand, double g);
/// Rate at which a unilateral row leaves the stop that it runs into at `rate`; 0 where it does not.
double rebound(const law::Demand& demand, double g, double rate);

/// How far a row is from where it holds its position, or beyond its stop [m, rad].
double displacement(Hold hold, const law::Demand& demand, double g);
/// Whether a row with bounds has yielded by the end of a step, at g: its impulse is at a bound, or
/// it has not come back yet. `drifts`: what is off its place may be drift, and does not count.
bool has_yielded(const law::Demand& demand, double g, bool at_bound, bool drifts);

/// Work of a row's impulses in both halves of a step, with its rates at both ends; without that of
/// locks that stand still [J].
struct HalfSteps {
  double first = 0, second = 0;
};
double work(Hold hold, const law::Demand& start, const law::Demand& end, const HalfSteps& impulse,
            const HalfSteps& rate);

}  // namespace trammel::constraint

#pragma once

#include "law/law.h"

/// Turns a law's specification for a row into the numbers of a solve for impulses. The shapes of
/// specifications are known here alone; solvers read bounds, places and rates.
namespace trammel::constraint {

/// The quantity that a row holds in a step, whatever law is behind it.
enum class Hold : unsigned char {
  nothing,     // its joint has let go
  position,    // g = target
  unilateral,  // g stays within its stops
  rate,        // g' = target, within the bounds of its force
  recovery,    // it has yielded, and returns to its position within the bounds of its force
  friction,    // g' = target, within the disc of its cone (constraint/cone.h)
  force,       // no quantity: its law gives the force
};
Hold hold_of(const law::ConstraintSpec& spec, bool on, bool yielded);

/// One row of a solve. Its impulse lies within [lo, hi]; inside, its residual vanishes.
struct RowProblem {
  bool active = true;                      // false: it takes no part
  double lo = -law::kInf, hi = law::kInf;  // [N s, N m s]
  double place = 0;  // value to be reached at the end if `rate` is 0, see end_position() [m, rad]
  double rate = 0;   // rate to be reached [m/s, rad/s]
};

/// The motion of a row at one end of a step of h [s].
struct RowMotion {
  double g = 0, rate = 0;   // [m, rad], [m/s, rad/s]
  double inverse_mass = 0;  // change of its rate by a unit of its impulse [1/kg, 1/(kg m^2)]
  double h = 0;
  bool at_rest = false;  // it is at its target rate: static friction may hold it
};

/// Returns the problem of impulses over the first half of a step: they bring the row, which is at
/// its beginning, to where it must be at the end. The residual is (g+ - place)/h - rate; that of
/// nonholonomic rows is the mean rate less `rate`.
RowProblem end_position(Hold hold, const law::ConstraintSpec& start, const law::ConstraintSpec& end,
                        const RowMotion& at);
/// Returns the problem of impulses over the second half: they give the row its rate at the end,
/// where its value is `at.g`. `at.rate` is the rate before, at which a unilateral row hits its
/// stop.
RowProblem end_rate(Hold hold, const law::ConstraintSpec& end, const RowMotion& at);
/// Returns the problem of impulses over a whole step that give the row its mean rate over it; the
/// row is taken in the middle of the step.
RowProblem mean_rate(Hold hold, const law::ConstraintSpec& start, const law::ConstraintSpec& end,
                     const RowMotion& at);
/// Returns the problem of impulses over a whole step that give the row its rate at the end and
/// reduce its displacement by the share `erp` per step.
RowProblem stabilised_rate(Hold hold, const law::ConstraintSpec& start,
                           const law::ConstraintSpec& end, const RowMotion& at, double erp);

/// Returns the part of a residual r that counts for convergence at the impulse x. At a bound it is
/// only what leads back inside; near a single bound, no more than what the impulse left to it can
/// change (inverse mass S_ii; 0: not known).
double counted(double r, double x, const RowProblem& row, double inverse_mass);

/// A stop reached more slowly makes no impact: of ConstraintSpec::pace.
constexpr double kImpactSpeed = 1e-6;
/// True where a unilateral row touches its stop; side_of() says which one is nearer: +1 the lower,
/// -1 the upper.
bool is_closed(const law::ConstraintSpec& spec, double g);
int side_of(const law::ConstraintSpec& spec, double g);

/// Returns how far a row is from the position that it holds, or beyond its stop (negative while
/// open) [m, rad]; 0 for all others.
double displacement(Hold hold, const law::ConstraintSpec& spec, double g);
/// True where a row with bounds has yielded by the end of a step, at g: its impulse is at a bound,
/// or it has not come back yet. With `drifts` a displacement may be drift, and does not count.
bool has_yielded(const law::ConstraintSpec& spec, double g, bool at_bound, bool drifts);

/// Returns the work of a row's impulses in both halves of a step, from its rates at both ends [J].
/// Stops, and position rows without bounds, work at the rate of their target: not at all while it
/// stands still.
struct HalfSteps {
  double first = 0, second = 0;
};
double work(Hold hold, const law::ConstraintSpec& start, const law::ConstraintSpec& end,
            const HalfSteps& impulse, const HalfSteps& rate);

}  // namespace trammel::constraint

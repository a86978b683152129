#pragma once

#include <algorithm>

#include "constraint/rows.h"

/// What the stages of a step do with a row that holds something, once its RowProblem is made: which
/// residuals count, which rates are met, what its impulses do.
namespace trammel::constraint {

/// False where the joint of a row has let go.
inline bool takes_part(Hold hold) { return hold != Hold::nothing; }
/// True for a tangent row: its residual counts with its cone (solve::off_cone), not by itself.
inline bool counts_in_cone(Hold hold) { return hold == Hold::friction; }
/// True where the residual of a row counts by itself, its impulse between lo and hi [N s, N m s].
inline bool counts_alone(Hold hold, double lo, double hi) {
  return lo < hi && !counts_in_cone(hold);
}
/// Returns the part of a residual r that counts for convergence, as counted() of a row; 0 where it
/// counts with its cone.
double counted(Hold hold, double r, double x, const RowProblem& row, double inverse_mass);

/// True where a row within its bounds has its rate at the end of the step, whatever it held before:
/// not at a stop, nor on the way back to its position.
inline bool meets_rate(Hold hold) {
  return hold == Hold::position || hold == Hold::rate || hold == Hold::friction;
}
/// Returns by how much the rate of a row that holds a position misses the rate of its target [m/s,
/// rad/s]; 0 for all others.
inline double rate_error(Hold hold, const law::ConstraintSpec& spec, double rate) {
  return hold == Hold::position ? rate - spec.target.v : 0;
}
/// Returns the residual [m/s, rad/s] of a row solved for by mean_rate(), whose rates are `start`
/// and `end` and whose target is `target`: what holds a rate has it at the end, all else on the
/// mean.
inline double mean_residual(Hold hold, double start, double end, double target) {
  return hold == Hold::rate ? end - target : start + end - 2 * target;
}

/// True where no force makes a row yield whose impulse lies between lo and hi [N s, N m s]; a stop
/// bears all that presses on it.
inline bool never_yields(Hold hold, double lo, double hi) {
  if (hold == Hold::friction) return false;
  return hold == Hold::unilateral || !(lo > -law::kInf || hi < law::kInf);
}
/// True where a row may come to a bound and be displaced: it holds a position within bounds of its
/// force, or returns to it.
bool may_be_displaced(Hold hold, const law::ConstraintSpec& spec);
/// True where the impulses of a row vary smoothly from step to step, so that they may be
/// extrapolated: what yields, slides or strikes starts anew.
inline bool is_smooth(Hold hold) { return hold == Hold::position; }
/// True where a step needs the inverse mass of a row: not where its joint has let go, nor where it
/// holds a position whatever force that takes.
bool needs_inverse_mass(Hold hold, const law::ConstraintSpec& spec);

/// True where a row within bounds of its force does work in each stage of a step with an impact, as
/// it moves before and after it.
bool works_in_stages(Hold hold, const law::ConstraintSpec& spec);

}  // namespace trammel::constraint

#pragma once

#include "form/velocity_values.h"

/// Stage P of RATTLE, (1) to (3) of docs/theory/velocity.md: half kick, drift, and the multipliers
/// L that bring the rows to their place at the end of the step.
namespace trammel::form::velocity {

/// Runs stage P by simplified Newton iteration (7) with the factor of S(q) that the solver has
/// kept. Makes the positions of ends.next, ends.now.damper, the rows of the solve and `out`. In the
/// iteration `foreseen`, likely to be the last (-1: none), J(q+), which stage V needs, is made
/// along with the values; it may take the place of J(q), which is made again if another iteration
/// follows.
Placed stage_position(const Step& s, int foreseen, Ends& ends, StageRows& rows, PositionStage& out,
                      const Tools& tools);

/// Makes J(q) again where stage P has let J(q+) take its place.
void take_back_J(const Step& s, Ends& ends);

// What both ways to solve stage P share.

/// Begins stage P, (1): applies the half kick of the forces at (q, u, t), sets the rows' places and
/// bounds, and takes as first guess of L the last multipliers plus their extrapolation, (8): at one
/// configuration, m of one step and L of the next differ by the truncation error, which changes
/// little from step to step. Returns the forces f of the kick.
const std::vector<double>& begin_position(const Step& s, Ends& ends, StageRows& rows,
                                          PositionStage& out, Work& work);
/// Evaluates the rows at the end of the step, with J where rows do not roll, and into `mean_rate`
/// the mean rates (J(q) + J(q+)) v / 2 of all rows with the mean of g_t, v the velocity of the
/// drift to q+. Uses next.u and next.rate as scratch.
void mean_rates(const Step& s, const std::vector<double>& q_end, const End& now, End& next,
                std::vector<double>& mean_rate);
/// Writes the residual of every row as a speed into work.r, and takes the mean force of implicit
/// functions anew. Returns the largest residual as a length [m, rad]; infinite where a joint has
/// lost its track.
double position_residual(const Step& s, const Ends& ends, StageRows& rows, PositionStage& out,
                         Work& work);
/// Returns the residual that is met [m, rad].
double position_tolerance(const Step& s);
/// By how much contacts may be off [m/s]: by no less than rows, which are met to so much of a
/// length; 0 without contacts.
double rate_tolerance(const Step& s, const Tools& tools);
/// True where some functions of the user are implicit in this step.
bool has_implicit_functions(const Step& s);

}  // namespace trammel::form::velocity

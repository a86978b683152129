#pragma once

#include "form/velocity_values.h"

/// Stage V of RATTLE, (4) and (5) of docs/theory/velocity.md: second half kick, and the multipliers
/// m that bring the rows' rates to their targets.
namespace trammel::form::velocity {

/// Runs stage V from the positions that stage P has found; `J_at_end` where it has made J(q+)
/// already. Makes the velocities and row rates of ends.next, the rows of the solve and `out`.
/// Returns false where a joint has lost its track or the rows cannot be solved.
bool stage_velocity(const Step& s, const PositionStage& position, bool J_at_end, Ends& ends,
                    StageRows& rows, VelocityStage& out, const Tools& tools);

/// Reports the impulses of unilateral rows that were closing when the step began, at the rates of
/// `now`, and that the row forces of the step are those of an impact where there are any. The rows
/// are taken as specified and where they are at `at`.
void report_strikes(const Mechanism& m, const Roles& roles, const End& now,
                    const model::KinematicsCache& at, const std::vector<double>& impulse,
                    StepReport& report);

// What both ways to solve stage V share.

/// Writes the residual of every row into r and returns the greatest of those that must vanish,
/// which are all but rows at a bound [m/s, rad/s].
double velocity_residual(const Step& s, const End& next, const StageRows& rows,
                         const std::vector<double>& multipliers, std::vector<double>& r);
/// Returns the residual of row rates that is met [m/s, rad/s].
double row_speed_allowed(const RowTable& table, const std::vector<double>& rates);

/// Returns the greatest error of the rates of the rows that hold [m/s, rad/s].
double worst_speed(const Step& s, const End& next, const StageRows& rows);

}  // namespace trammel::form::velocity

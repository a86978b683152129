#pragma once

#include <string>

#include "form/velocity_last_step.h"
#include "form/velocity_values.h"

/// What a step of the velocity formulation leaves behind: parts of the new state, of the report, or
/// why the step has failed.
namespace trammel::form::velocity {

/// True where coordinates q, momenta P and velocities at the end of a step and the power of its
/// loads are finite.
bool is_finite(const Mechanism& m, const End& next, const std::vector<double>& q,
               const std::vector<double>& P);
/// Says why a step has failed that had reached the momenta P; `failed_row` as Solver has it.
Reason describe_failure(const Mechanism& m, const Ends& ends, const std::vector<double>& P,
                        int failed_row);

/// The greatest displacement of the rows from the positions that they hold.
struct Gaps {
  double length = 0, angle = 0;  // [m], [rad]
};
Gaps find_gaps(const Made& made);

/// Computes the mean force of each row over the step, (L + m)/h, and its impulses at both ends of
/// the step. Keeps what the next first guess (8) starts from: the multipliers and the multiplier
/// extrapolation. Where bodies have `met` the multipliers are those of an impact, no
/// guess of a force: what was kept stays.
void keep_multipliers(const Made& made, bool met, model::State& state, std::vector<double>& forces,
                      LastStep::Part& part);
/// Adds the impulses of rows by the impacts of unilateral rows that have closed, and what other
/// rows answered.
void report_row_impulses(const Made& made, StepReport& report);
/// Forgets them: after a jump, and at singular configurations, they are no guess.
void drop_multipliers(model::State& state);

/// Stores which rows and compliances the kept factor is made of, so that load() can make it again;
/// `kept`: equality constraints are in `memory` already. Returns true where they are from now on.
bool keep_factor(const RowTable& table, const solve::Rows& factor, bool kept,
                 model::VelocityMemory& memory);
/// Keeps where the track projections and the turns of angles stand.
void keep_places(const Mechanism& m, const model::KinematicsCache& end, model::State& state);
/// Keeps which rows have yielded, `force` their mean force over the step. Events go to the report.
void update_yielded(const Made& made, const std::vector<double>& force,
                    std::vector<unsigned char>& yielded, StepReport& report);

/// A unilateral row that rests beyond its stop: a row that closes during a step penetrates by its
/// speed times part of the step. Depth 0: there is none.
struct Sunk {
  double depth = 0;  // [m, rad]
  std::size_t row = 0;
};
Sunk find_sunk(const Mechanism& m, const Roles& roles, const End& now);

}  // namespace trammel::form::velocity

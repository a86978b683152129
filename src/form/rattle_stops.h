#pragma once

#include "form/velocity_values.h"

namespace trammel::form::velocity {

/// Returns false where the rows with stops belong to more than 32 mechanisms: each would divide the
/// steps of all, at their cost.
bool finds_stops_of(const model::Kinematics& kin, const std::vector<int>& rows);

/// How long after the start of the step the first unilateral row runs into its stop [s], where the
/// drift of stage P has led beyond it: on the parabola by its values at both ends and its rate at
/// the start, and as much later as makes it count as closed. Infinite: none does, it is closed at
/// the end, or so slow that it is thrown back for no more than a step.
double first_stop(const Step& s, const Ends& ends);

}  // namespace trammel::form::velocity

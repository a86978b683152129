#pragma once

#include "model/given.h"
#include "model/project.h"

namespace trammel::model {

/// Moves the draft's bodies, which are on their rows, to where the forces of gravity, loads at
/// t = 0 and springs balance those of the rows, everything at rest; velocities become zero. Motions
/// that the draft does not ask to be balanced are held. Complains where there is no such place, or
/// where it is unstable.
EquilibriumReport find_equilibrium(Draft& draft, const Kinematics& kinematics,
                                   ConstraintSpecs& specs, GivenRows& rows, double tolerance,
                                   KinematicsCache& at);

}  // namespace trammel::model

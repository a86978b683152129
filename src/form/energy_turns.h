#pragma once

#include <vector>

#include "form/energy_problem.h"

/// How rigid bodies turn over a step of the energy formulation: an angle about a fixed axis is the
/// difference formula's of its rates. Worked on the axes A alone, as for bodies that strain, the
/// formula shortens a turn of h w in a step by (h w)^2/3 of itself.
namespace trammel::form::energy {

/// True for an object that is its block and turns as a whole.
bool turns_as_a_whole(const model::Object& object);

/// Makes y~ of rigid bodies the rotation that they would reach without forces: the one nearest to
/// y~ of their axes, turned on by the angle by which that falls behind y~ of the angle itself.
void turn_freely(const Mechanism& m, const Aim& aim, const Past& past,
                 std::vector<body::Transform>& y);

/// Returns the angular velocity that the difference formula gives a rigid body with axes A at the
/// aim [rad/s].
Vec3 spin_over(const Mechanism& m, const Aim& aim, const Past& past, std::size_t object,
               const Mat3& A);

}  // namespace trammel::form::energy

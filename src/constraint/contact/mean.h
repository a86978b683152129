#pragma once

#include <span>
#include <vector>

#include "constraint/contact/step.h"

namespace trammel::constraint {

/// Computes the mean force [N] of each point over a duration of h [s], from its impulses [N s] in
/// `parts` of that time. A point is the same in all parts where its shapes and its feature are; its
/// place is that in the first of them that has it.
void mean_forces(std::span<const std::vector<PointImpulse>* const> parts, double h,
                 std::vector<ContactForce>& out);

}  // namespace trammel::constraint

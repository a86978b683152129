#pragma once

#include <string>
#include <vector>

#include "model/builder.h"
#include "units/problem.h"

namespace trammel::constraint {

/// Shapes and laws of contact that a barrier does not take.
std::vector<Problem> without_barrier(const model::Model& model);

/// Why bodies that touch by a barrier are not those of other formulations; empty: they are, but for
/// its distance.
std::string unlike_others(const model::Built& built);

}  // namespace trammel::constraint

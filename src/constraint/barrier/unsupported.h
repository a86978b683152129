#pragma once

#include <string>
#include <vector>

#include "model/builder.h"
#include "model/constraint_specs.h"
#include "units/problem.h"

namespace trammel::constraint {

/// Returns the shapes, laws and rows that do not go with a barrier; none where nothing can touch.
/// `given`: a program gives surfaces of its own.
std::vector<Problem> without_barrier(const model::Model& model, const model::ConstraintSpecs& specs,
                                     bool given);

/// Why bodies that touch by a barrier are not those of other formulations; empty: they are, but for
/// its distance.
std::string unlike_others(const model::Built& built);

}  // namespace trammel::constraint

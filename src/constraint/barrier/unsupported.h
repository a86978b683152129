#pragma once

#include <vector>

#include "model/model.h"
#include "units/problem.h"

namespace trammel::constraint {

/// Shapes and laws of contact that a barrier does not take.
std::vector<Problem> without_barrier(const model::Model& model);

}  // namespace trammel::constraint

#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "units/problem.h"

namespace trammel::constraint {

/// Returns what keeps the shapes of a model that can touch from doing so by forces.
std::vector<Problem> without_forces(const model::Model& model, const model::Params& params);
/// Returns the problem of contact that is not taken `what`, "with rolling friction".
Problem not_by_forces(const std::string& what);

}  // namespace trammel::constraint

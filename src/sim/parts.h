#pragma once

#include <vector>

#include "model/model.h"

/// Mechanisms that lie side by side in one model.
namespace trammel::sim {

/// Returns the number of the mechanism of each object; -1 of those without unknowns, which separate
/// mechanisms. Joints, couplings and unknowns in common hold one together.
std::vector<int> parts_of(const model::Model& model);
/// Returns that of a joint or a coupling, with the numbers from parts_of(); -1: it holds nothing.
int part_of_joint(const model::Model& model, const std::vector<int>& parts, int joint);

}  // namespace trammel::sim

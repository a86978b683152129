#pragma once

#include <vector>

#include "sim/judgement.h"

namespace trammel::sim {

/// Adds a warning of the smallest mechanism that lies beside one so much larger that the size of
/// the larger one decides about it (model/scales.h).
void judge_sizes(const Watch& watch, const model::Model& model, std::vector<Warning>& out);

}  // namespace trammel::sim

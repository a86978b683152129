#pragma once

#include "model/builder.h"
#include "sim/settings.h"

namespace trammel::sim {

/// Returns what the formulation does not support of the model, and settings that are too coarse for
/// its size; paths as in a scene.
std::vector<Problem> refused(const model::Built& built, const Settings& settings);

}  // namespace trammel::sim

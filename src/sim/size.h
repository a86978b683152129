#pragma once

#include "model/builder.h"
#include "sim/settings.h"

namespace trammel::sim {

/// The greatest radius of gyration of a body that moves freely, or distance of a joint from its
/// centre of mass [m]: what says how large a mechanism is, wherever it is.
double greatest_arm(const model::Built& built);

/// Returns what the formulation does not support of the model, and settings that are too coarse for
/// its size; paths as in a scene.
std::vector<Problem> refused(const model::Built& built, const Settings& settings);

}  // namespace trammel::sim

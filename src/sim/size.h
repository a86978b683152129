#pragma once

#include "model/builder.h"

namespace trammel::sim {

/// The greatest radius of gyration of a body that moves freely, or distance of a joint from its
/// centre of mass [m]: what says how large a mechanism is, wherever it is.
double greatest_arm(const model::Built& built);

}  // namespace trammel::sim

#pragma once

#include <span>

#include "model/builder.h"
#include "model/handles.h"

namespace trammel::model {

/// A parameter and the value it is to have, in SI units.
struct Change {
  ParamHandle param;
  double value = 0;
};

/// Changes parameters of a built mechanism without building it anew: gravity, masses and moments,
/// numbers of laws and loads, strengths. Bodies keep their places and the velocities u, so that
/// their momenta follow the masses. The moments of a body that was given as a solid do not follow
/// its mass: change both.
///
/// Throws std::invalid_argument, with all that is wrong, and changes nothing: handles that are null
/// or foreign, numbers outside what the builder allows, and what would need a new model: a lock at
/// another place, a body that loses all mass, a stiffness that becomes a row.
void vary(Built& built, std::span<const Change> changes, std::span<const double> u);

}  // namespace trammel::model

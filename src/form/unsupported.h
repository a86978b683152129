#pragma once

#include <vector>

#include "form/settings.h"
#include "model/model.h"
#include "units/problem.h"

namespace trammel::form {

/// Bodies without inertia in some direction, where the formulation or scheme of the settings
/// divides by it: all but impulses by RATTLE.
std::vector<Problem> without_inertia(const model::Model& model, const model::Params& params,
                                     const Settings& settings);

/// Cones of friction, where the formulation has no place for them: by forces, and by impulses
/// beside light bodies.
std::vector<Problem> without_cones(const model::Model& model, const model::Params& params,
                                   const Settings& settings);

/// Contact that a formulation, a scheme or a mechanism cannot take.
std::vector<Problem> without_contact(const model::Model& model, const model::Params& params,
                                     const Settings& settings);

}  // namespace trammel::form

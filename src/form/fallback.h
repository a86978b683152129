#pragma once

#include "form/velocity_values.h"
#include "model/project.h"

/// The step at a singular configuration, (12) of docs/theory/velocity.md: where stage P does not
/// contract, the rows act on the mean velocity at the mid-point, then positions and velocities are
/// projected.
namespace trammel::form::velocity {

/// Makes the coordinates and momenta of `state`, with light bodies its velocities too, those at the
/// end of a step of h; its time stays. ends.now.rate become the row rates at the mid-point of the
/// velocities before. The impulses over the step go to position.impulses, those of the projection
/// to velocity.impulses. Returns false where there is no such step.
bool fallback(const Mechanism& m, const Roles& roles, double h, model::Projector& projector,
              model::State& state, Ends& ends, StageRows& rows, PositionStage& position,
              VelocityStage& velocity, const Tools& tools);

}  // namespace trammel::form::velocity

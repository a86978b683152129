#pragma once

#include "form/velocity_values.h"

/// Baumgarte's classical form, (14) of docs/theory/velocity.md: semi-implicit Euler with
/// J u+ = c' - erp/h (g - c).
namespace trammel::form::velocity {

/// Makes a step: coordinates in position.q, momenta in velocity.P, the instant there in ends.next.
/// Forces are explicit: their impulses over the step are position.impulses.applied, those of the
/// rows velocity.impulses.rows. Returns false where the rows cannot be solved or a joint has lost
/// its track.
bool baumgarte(const Step& s, Ends& ends, StageRows& rows, PositionStage& position,
               VelocityStage& velocity, const Tools& tools);

}  // namespace trammel::form::velocity

#pragma once

#include "form/acceleration_values.h"

namespace trammel::form::acceleration {

/// Computes the slope dy of y, equation (1) of docs/theory/acceleration.md, with rates and forces
/// of the rows of `now`, and the bounds that forces come to. Needs transforms, inverse masses and
/// Jacobians of now.at, and the specifications of `mode` at its time. Returns false where it has no
/// value.
bool slope_at(const Mechanism& mechanism, Mode& mode, const double* y, Bounds& bounds, Instant& now,
              double* dy, Work& work);

}  // namespace trammel::form::acceleration

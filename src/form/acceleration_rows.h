#pragma once

#include "form/acceleration_values.h"

/// The forces of the rows that hold, and of frictions that follow them while they slide.
namespace trammel::form::acceleration {

/// Computes the forces work.lambda of the active rows, whose accelerations while u' = 0 are
/// work.bias, and the accelerations `a` with them, from the accelerations `a` that work.f makes
/// alone. Returns false where they have no value.
bool solve_rows(const Mechanism& mechanism, const Instant& now, Bounds& bounds, double* a,
                Work& work);

/// Computes `a` of the forces work.f, and corrects the forces of the rows.
bool apply_and_correct(const Mechanism& mechanism, const Instant& now, Bounds& bounds, double* a,
                       Work& work);

/// Adds the frictions that slide, -sign(v) mu(v) times the load on them, to work.known, and what
/// they change to work.lambda and `a`, as solve_rows() has left these. Returns false, with
/// work.jammed_row, where no forces are in keeping with each other.
bool solve_frictions(const Mechanism& mechanism, const Mode& mode, const Instant& now,
                     Bounds& bounds, double* a, Work& work);

}  // namespace trammel::form::acceleration

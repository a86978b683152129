#pragma once

#include "constraint/status.h"

/// What rows exert and do in continuous time, and at its events, beside their status.
namespace trammel::constraint {

/// Returns the force of a row at a bound [N, N m]; 0 where it is at none, and for friction that
/// follows a load, whose bound is found together with it.
double force_at_bound(const law::ConstraintSpec& spec, const RowStatus& status);
/// Returns the bound that a row comes to with this force, +1 the upper, of one that `set` was found
/// for: the bound of a cone has no sign by itself.
signed char bound_reached(const law::ConstraintSpec& spec, double force, signed char set);
/// Returns the rate at which the impulse of a row does work in an impact [m/s, rad/s], from its
/// rates before and after: of what holds a rate their mean, else the rate of the target.
double rate_of_impulse(const law::ConstraintSpec& spec, double before, double after);
/// True where a row whose law has no account does work: it yields at bounds of its force.
bool may_do_work(const law::ConstraintSpec& spec);

}  // namespace trammel::constraint

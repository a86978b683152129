#pragma once

#include <vector>

#include "form/velocity_values.h"

/// What each row is in a step of the velocity formulation ("Laws as rows",
/// docs/theory/velocity.md).
namespace trammel::form::velocity {

/// Gives every row its role in a step in which all forces are explicit.
void assign_explicit_roles(const Mechanism& m, const model::State& state, const End& now,
                           Roles& roles);

/// Gives every row its role in a step of h [s] from `now`. Exact steps, which light bodies want,
/// take the inverse masses with all position rows held, by `newton`; else it is null.
void assign_roles(const Mechanism& m, const model::State& state, const End& now, double h,
                  Newton* newton, Roles& roles);

/// Makes those functions of the user implicit that are explicit in this step but stiff at one of
/// four places between g(q) and g(q+). Returns true where there were some.
bool stiffen(const Step& s, const Ends& ends, std::vector<Spring>& spring);

}  // namespace trammel::form::velocity

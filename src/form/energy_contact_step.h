#pragma once

#include "form/energy_contact.h"
#include "form/energy_newton.h"

/// Newton's step with contacts: on the bodies' unknowns z, as contacts join the blocks.
namespace trammel::form::energy {

/// Adds the gradient of the contacts to that of the objective; what turns as a whole gets their
/// forces among its pulls. After take_close().
void add_contact_gradient(const Mechanism& m, const Trial& trial, const Contact& c,
                          std::vector<double>& gradient, std::vector<body::Covector>& pulls);

/// Begins a step at the trial: by the whole second derivative where that is positive, or nearly,
/// else by what is positive of it; not `whole`: at once by that.
void begin_contact_step(const Trial& trial, bool whole, ContactSystem& system);
/// Computes the Newton step dq = C z and the forces lambda of the rows from
/// (1 + C^T K C + (J C)^T k J C) z = -C^T gradient - (J C)^T k r, K the second derivative of the
/// contacts and a stiffness of the guards. Rows that hold have a great k, and forces that are led
/// to what they need by repetition (the method of multipliers). Guards that would pull are taken
/// away.
bool solve_contact_step(const Mechanism& m, const Linearisation& linear, const Trial& trial,
                        ContactSystem& system, Multipliers& forces, NewtonStep& step, Minimum& out);

}  // namespace trammel::form::energy

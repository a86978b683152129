#pragma once

#include "form/acceleration_values.h"

/// Contacts by forces: constraint::ContactForces with the rows eliminated.
namespace trammel::form::acceleration {

/// Adds the forces of what is closed to work.f, and what they change to work.lambda and `a`, as
/// solve_rows() has left these; decides first who is closed where the mode asks for it. Returns
/// false, with work.wedged, where they have no value.
bool solve_contacts(const Mechanism& mechanism, Mode& mode, const double* u, Bounds& bounds,
                    Instant& now, double* a, Work& work);
/// Resolves the impact of what strikes: velocities of y, momenta and rates of `now` jump. The
/// report gets its impulses.
bool strike(const Mechanism& mechanism, const Mode& mode, double* y, Instant& now, Work& work,
            StepReport& report);
/// Resolves friction that jams, by impulses without a collision, likewise.
bool strike_jam(const Mechanism& mechanism, const Mode& mode, double* y, Instant& now, Work& work,
                StepReport& report);
/// Moves y so that closed points keep their places, rows and all, to rounding.
bool place_contacts(const Mechanism& mechanism, const Mode& mode, double* y, Bounds& bounds,
                    Instant& now, Work& work);
/// Takes the rates of closed points that should be none. Needs the Jacobians and inverse masses.
bool hold_contacts(const Mechanism& mechanism, const Mode& mode, double* y, Instant& now,
                   Work& work);

}  // namespace trammel::form::acceleration

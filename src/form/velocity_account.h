#pragma once

#include <span>

#include "form/velocity_values.h"

/// Balance of energy and momentum in a step of the velocity formulation: (16) and "The energy
/// account" of docs/theory/velocity.md.
namespace trammel::form::velocity {

/// Adds the work of laws, prescribed bodies, impacts and loads in the step to the ledger [J].
/// `scratch` has one number per row. `met`: bodies have met in it.
void add_works(const Made& made, bool met, std::vector<double>& scratch, std::span<double> ledger);

/// Evaluates the dampers of both ends as explicit forces, for steps that do not solve for them.
/// Needs now.rest.
void explicit_dampers(const Mechanism& m, Ends& ends, std::vector<double>& dashpot);

/// Adds to `report` the impulse from outside at `end`: of anchored rows, and of gravity and loads
/// over `duration` [s]. `more` are impulses of rows added to `impulses`, or empty.
void add_outside(const Mechanism& m, End& end, std::span<const double> impulses,
                 std::span<const double> more, double duration, StepReport& report);

/// Ends the step of the contacts: their memory in the state, works in its ledger, what they say of
/// it in the report.
void add_contacts(constraint::Contacts& contacts, const Ends& ends, model::State& state,
                  StepReport& report);

}  // namespace trammel::form::velocity

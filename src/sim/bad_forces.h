#pragma once

#include <string>

#include "form/formulation.h"

/// Forces of laws and loads that are no numbers: the cause of steps that fail.
namespace trammel::sim {

/// Returns which law or load has a force that is not finite within a step of h from a state, as
/// far as the rates at its start lead there: "the force of law 'spring' is nan where ...". Empty:
/// all are finite.
std::string describe_bad_force(const form::Formulation& form, const model::State& state, double h);

}  // namespace trammel::sim

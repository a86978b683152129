#pragma once

#include <string>

#include "law/law.h"

/// Which specifications have an incremental potential, as the energy formulation wants.
namespace trammel::constraint {

/// Returns why a row has no potential, "has plastic stops only"; empty: it has one.
std::string without_potential(const law::ConstraintSpec& spec);
/// Returns why the potential of a row is not the friction that is specified; empty: it is.
std::string without_friction_at_rest(const law::ConstraintSpec& spec);

}  // namespace trammel::constraint

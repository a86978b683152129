#include "constraint/potential.h"

namespace trammel::constraint {

std::string without_potential(const law::ConstraintSpec& d) {
  if (d.holds_value() && d.bounded()) return "does not support yielding at its greatest force";
  if (d.unilateral() && d.restitution != 0)
    return "has plastic stops only: what runs into one stays there, without a restitution (an "
           "elastic stop is a spring with a function)";
  return {};
}

std::string without_friction_at_rest(const law::ConstraintSpec& d) {
  if (d.coefficient_at_rest() > d.mu)
    return "has one coefficient of friction, at rest and in motion";
  if (d.sticks_harder()) return "smooths friction over a speed: it is no greater at rest";
  return {};
}

}  // namespace trammel::constraint

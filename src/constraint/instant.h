#pragma once

#include "law/constraint_spec.h"

/// What rows do in equations of motion at an instant, where nothing is asked of the steps before.
namespace trammel::constraint {

enum class InstantRole : unsigned char {
  force,      // its law gives the force
  held,       // it holds a value or a rate
  open,       // it is away from its stops
  undecided,  // at a stop, or within bounds of its force: the steps before decide
};
/// Returns the role of a row of value g; `yielded`: it has been displaced by its force.
InstantRole role_at_instant(const law::ConstraintSpec& spec, double g, bool yielded);

}  // namespace trammel::constraint

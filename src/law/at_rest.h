#pragma once

#include <optional>

#include "law/constraint_spec.h"

namespace trammel::law {

/// What a row does in static equilibrium, where all rates are zero.
enum class AtRest : unsigned char {
  holds,   // a value, or a rate whatever force that takes
  stops,   // it pushes where its stop is reached
  forces,  // its law gives the force
  absent,  // it holds a rate within bounds: friction and motors take no part
};
inline AtRest at_rest(const ConstraintSpec& d) {
  if (d.is_force()) return AtRest::forces;
  if (d.unilateral()) return AtRest::stops;
  return d.holds_value() || d.is_rigid() ? AtRest::holds : AtRest::absent;
}

/// Returns the bound that a force passes [N, N m]; none where it is within both.
inline std::optional<double> bound_passed(const ConstraintSpec& d, double force) {
  if (!d.bounded() || (force >= d.lo && force <= d.hi)) return {};
  return force < d.lo ? d.lo : d.hi;
}

}  // namespace trammel::law

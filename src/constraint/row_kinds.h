#pragma once

#include <vector>

#include "model/constraint_specs.h"

namespace trammel::constraint {

/// The rows of a mechanism by what their specifications ask of a formulation, each list in
/// ascending order. A row stands in several lists, or in none.
struct RowKinds {
  std::vector<int> forces;    // their law gives the force
  std::vector<int> stops;     // a stop may push them, and never holds
  std::vector<int> values;    // they hold a value, within bounds of their force or without
  std::vector<int> places;    // they hold a value, or have stops
  std::vector<int> rates;     // they hold a rate, whatever force that takes
  std::vector<int> slipping;  // they hold a rate within bounds of their force, see may_slip()
  std::vector<int> changing;  // they may come to bounds or to stops, see may_change()
};
RowKinds kinds_of(const model::ConstraintSpecs& specs);

/// True where the force of a row may come to a bound, or its value to a stop.
bool may_yield(const law::ConstraintSpec& spec);
/// True where a row holds a rate only as far as its force goes: motors, and friction of a given
/// force.
bool may_slip(const law::ConstraintSpec& spec);
/// True where a row leaves its stop with a part of the speed that it came with.
bool rebounds(const law::ConstraintSpec& spec);
/// True where the force of a row may be an impulse; springs, and what has bounds, have none.
bool has_impulses(const law::ConstraintSpec& spec);
/// True where steps with the row may be composed to a higher order: nothing dissipates, and no
/// bound is met on the way. Rates that are held dissipate, unless the row has no value.
bool may_compose(const law::ConstraintSpec& spec, bool holonomic);

}  // namespace trammel::constraint

#include "constraint/instant.h"

#include "model/project.h"

namespace trammel::constraint {

InstantRole role_at_instant(const law::ConstraintSpec& d, double g, bool yielded) {
  if (d.is_force()) return InstantRole::force;
  if ((d.holds_value() && !yielded) || d.is_rigid()) return InstantRole::held;
  return d.is_open(g, model::kClosed) ? InstantRole::open : InstantRole::undecided;
}

}  // namespace trammel::constraint

#include "constraint/row_events.h"

namespace trammel::constraint {

double force_at_bound(const law::ConstraintSpec& d, const RowStatus& s) {
  if (d.is_friction()) return 0;
  return s.at_bound() ? bound_force(d, s) : 0;
}

signed char bound_reached(const law::ConstraintSpec& d, double force, signed char set) {
  return d.is_friction() && force > 0 ? static_cast<signed char>(1) : set;
}

double rate_of_impulse(const law::ConstraintSpec& d, double before, double after) {
  return d.holds_rate() ? (before + after) / 2 : d.target.v;
}

bool may_do_work(const law::ConstraintSpec& d) { return d.bounded(); }

}  // namespace trammel::constraint

#include "constraint/row_kinds.h"

#include "constraint/status.h"

namespace trammel::constraint {

RowKinds kinds_of(const model::ConstraintSpecs& specs) {
  RowKinds out;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const law::ConstraintSpec& d = specs[i];
    const auto row = static_cast<int>(i);
    if (d.is_force()) out.forces.push_back(row);
    if (d.unilateral()) out.stops.push_back(row);
    if (d.holds_value()) out.values.push_back(row);
    if (d.has_place()) out.places.push_back(row);
    if (d.holds_rate() && d.is_rigid()) out.rates.push_back(row);
    if (may_slip(d)) out.slipping.push_back(row);
    if (may_change(d)) out.changing.push_back(row);
  }
  return out;
}

bool may_yield(const law::ConstraintSpec& d) { return d.unilateral() || d.bounded(); }
bool may_slip(const law::ConstraintSpec& d) { return d.holds_rate() && d.bounded(); }
bool rebounds(const law::ConstraintSpec& d) { return d.unilateral() && d.restitution > 0; }
bool has_impulses(const law::ConstraintSpec& d) {
  return d.is_rigid() || d.unilateral() || d.is_friction();
}
bool may_compose(const law::ConstraintSpec& d, bool holonomic) {
  return !may_yield(d) && (!d.holds_rate() || !holonomic);
}

}  // namespace trammel::constraint

#include "constraint/stage_rows.h"

namespace trammel::constraint {

double counted(Hold hold, double r, double x, const RowProblem& row, double inverse_mass) {
  if (counts_in_cone(hold)) return 0;
  if (row.lo == -law::kInf && row.hi == law::kInf) return r;
  return counted(r, x, row, inverse_mass);
}

bool may_be_displaced(Hold hold, const law::ConstraintSpec& d) {
  return (hold == Hold::position || hold == Hold::recovery) && d.bounded();
}

bool needs_inverse_mass(Hold hold, const law::ConstraintSpec& d) {
  return (hold != Hold::nothing && hold != Hold::position) || d.bounded();
}

bool works_in_stages(Hold hold, const law::ConstraintSpec& d) {
  if (hold == Hold::nothing || hold == Hold::unilateral) return false;
  return hold == Hold::friction || d.bounded();
}

}  // namespace trammel::constraint

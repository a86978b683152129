// What a run by the energy formulation watches of its own: how far joints that are springs give
// way.
#include <cmath>

#include "constraint/row_kinds.h"
#include "math/index.h"
#include "model/constraint_specs.h"
#include "sim/judgement.h"
#include "sim/observed.h"

namespace trammel::sim {

/// Finds the rows that joints hold by their stiffness.
void Watch::find_soft_rows(const Settings& settings) {
  const form::Settings& f = settings.form;
  if (f.formulation != form::Settings::Formulation::energy || std::isinf(f.joint_stiffness)) return;
  model::ConstraintSpecs specs(*model_, params_);
  specs.at(0);
  for (const int row : constraint::kinds_of(specs).values) {
    const model::LawOnRow& law = model_->laws[at(model_->rows[at(row)].law)];
    if (law.of_table && !law.law.type->takes_drive) soft_rows_.push_back(row);
  }
}

void Watch::see_sag(const form::Formulation& form, const model::State& state) {
  for (const int row : soft_rows_) {
    const model::RowInfo& info = model_->rows[at(row)];
    if (!state.on[at(info.joint)]) continue;
    const double off = std::abs(form.specs()[at(row)].off(form.now().g[at(row)])),
                 size = info.row.unit() == joint::Unit::metre ? size_ : 1,
                 share = size > 0 ? off / size : 0;
    if (share > seen.sag.share.worst) seen.sag.value = off;
    seen.sag.share.see(share, kSagLimit, state.t, row);
  }
}

}  // namespace trammel::sim

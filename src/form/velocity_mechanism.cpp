#include "form/velocity_mechanism.h"

#include <utility>

#include "constraint/cone.h"
#include "constraint/row_kinds.h"
#include "form/rattle_stops.h"
#include "math/index.h"
#include "model/ledger.h"
#include "solve/product.h"

namespace trammel::form::velocity {

namespace {
const model::LawOnRow& law_on(const model::Model& model, std::size_t row) {
  return model.laws[static_cast<std::size_t>(model.rows[row].law)];
}

/// Returns the table of rows with what no state changes.
RowTable table_of(const model::Model& model) {
  RowTable table;
  for (std::size_t i = 0; i < model.rows.size(); ++i) {
    const model::RowInfo& row = model.rows[i];
    const model::LawOnRow& on = law_on(model, i);
    const bool is_angle = row.row.unit() != joint::Unit::metre;
    table.alone |= on.law.function != nullptr;
    table.is_angle.push_back(is_angle);
    table.angles |= is_angle;
    table.per_size.push_back(static_cast<float>(1 / model.scales.value(row.row.unit())));
    table.per_pace.push_back(static_cast<float>(1 / model.scales.rate(row.row.unit())));
    if (row.angle >= 0) table.turning.push_back(static_cast<int>(i));
    table.account.push_back(on.ledger >= 0 ? on.ledger : model::kLocks);
  }
  table.equality.assign(model.rows.size(), 0);
  table.equality_length = table.equality_per_size = table.equality_per_pace = table.equality;
  return table;
}

/// True where the force on a row depends on its rate, as that of a user's function may anywhere.
bool is_damped(const model::Model& model, const model::Params& params, std::size_t row) {
  return law_on(model, row).law.function ||
         row_force(model, params, static_cast<int>(row), 0, 1e-3, 0).f_v != 0;
}

ForceRows forces_of(const model::Model& model, const model::Params& params,
                    const std::vector<int>& rows) {
  const std::size_t n = model.rows.size();
  ForceRows out;
  out.damped.assign(n, 0);
  out.rows = rows;
  for (const int row : rows) {
    const std::size_t i = at(row);
    out.damped[i] = is_damped(model, params, i);
    out.law.resize(n);
    out.law[i] = {&law_on(model, i).law, model.rows[i].sign};
    if (law::follows_time(*out.law[i].law)) out.timed.push_back(row);
    if (!out.law[i].law->function) continue;
    out.functions.push_back(row);
    out.is_function.resize(n);
    out.is_function[i] = 1;
  }
  return out;
}
}  // namespace

Mechanism::Mechanism(const model::Model& the_model, const model::Params& the_params,
                     const Settings& the_settings, const model::ConstraintSpecs& specs)
    : model(&the_model),
      params(&the_params),
      settings(the_settings),
      kin(std::make_unique<model::Kinematics>(the_model, the_params)),
      table(table_of(the_model)),
      cones(constraint::cones_of(the_model, specs)) {
  constraint::RowKinds kinds = constraint::kinds_of(specs);
  forces = forces_of(the_model, the_params, kinds.forces);
  stops = std::move(kinds.stops);
  composable = !kin->loads_need_rates() && cones.empty() && !the_model.contacts.any();
  for (std::size_t i = 0; i < the_model.rows.size(); ++i) {
    const bool holonomic = row(i).row.holonomic();
    rolls |= !holonomic;
    composable &= !forces.damped[i] && constraint::may_compose(specs[i], holonomic);
  }
  for (const model::PoolSlot& s : the_model.pools)
    own_motion |= s.pool->n_blocks > 0 && !s.pool->identity();
  solve::find_groups(kin->graph(), forces.rows, forces.groups);
  per_size.resize(at(the_model.n_q));
  for (const model::PoolSlot& s : the_model.pools)
    s.pool->tolerances(1 / the_model.scales.length, 1, per_size.data() + s.q);
  finds_stops = finds_stops_of(*kin, stops);
  light = kin->light() && settings.scheme != Settings::Scheme::baumgarte;
  constant_forces = the_model.loads.empty() && kin->gravity_is_constant();
}

void sort_rows(const model::Kinematics& kin, const model::ConstraintSpecs& specs,
               const model::State& state, RowTable& table) {
  table.others.clear();
  for (std::size_t i = 0; i < table.equality.size(); ++i) {
    const bool equality =
        specs.is_equality(i) && state.on[static_cast<std::size_t>(kin.model().rows[i].joint)];
    table.equality[i] = equality;
    table.equality_length[i] = equality && !table.is_angle[i];
    table.equality_per_size[i] = equality ? table.per_size[i] : 0;
    table.equality_per_pace[i] = equality ? table.per_pace[i] : 0;
    if (!equality) table.others.push_back(static_cast<int>(i));
  }
  solve::find_groups(kin.graph(), table.others, table.others_group);
}

}  // namespace trammel::form::velocity

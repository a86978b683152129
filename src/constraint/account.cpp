#include "constraint/account.h"

#include "math/index.h"
#include "model/ledger.h"

namespace trammel::constraint {

double total_energy(const model::Kinematics& kin, const model::State& state, const double* u,
                    const model::KinematicsCache& now) {
  return kin.kinetic_energy(state.P.data(), u) + kin.own_potential(state.q.data()) +
         kin.gravity_energy(now) + stored_energy(kin.model(), kin.params(), state, now.g);
}

Wrench anchored_wrench(const model::Kinematics& kin, const model::KinematicsCache& at,
                       std::span<const double> rows, std::span<const double> more) {
  Wrench w;
  for (const int row : kin.outside_rows()) {
    const double x = rows[at_(row)] + (more.empty() ? 0 : more[at_(row)]);
    if (x == 0) continue;
    const double* anchor = kin.anchor(at, row);
    w.force -= x * vec3(anchor);
    w.moment -= x * vec3(anchor + 3);
  }
  return w;
}

double add_impact_work(const model::Kinematics& kin, const model::ConstraintSpecs& specs,
                       const model::KinematicsCache& at, std::span<const double> impulses,
                       std::span<double> ledger) {
  const model::Model& model = kin.model();
  double sum = 0;
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    const int slot = model.laws[at_(model.rows[i].law)].ledger;
    const double driven = slot >= 0 ? impulses[i] * specs[i].target.v : 0;
    const double moved = -impulses[i] * at.g_t[i];
    if (slot >= 0) ledger[at_(slot)] += driven;
    ledger[model::kLocks] += moved;
    sum += driven + moved;
  }
  return sum;
}

}  // namespace trammel::constraint

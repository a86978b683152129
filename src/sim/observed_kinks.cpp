// Energy that is lost where tracks have kinks.
#include "math/index.h"
#include "model/ledger.h"
#include "sim/observed.h"

namespace trammel::sim {

void Watch::begin_kink(int arc, int track, const model::State& state) {
  Kinks& k = seen.kinks;
  k.joints.resize(at(model_->n_arcs));
  k.joints[at(arc)].track = track;
  if (k.passed < 0)
    k.impacts = state.ledger[model::kImpacts];
  else  // several at once, whose loss is still to come: it is booked to the last
    ++k.joints[at(k.passed)].count;
  k.passed = arc;
}

/// Where velocities have not jumped yet, since the formulation lets the next step do it, the loss
/// is still to come.
void Watch::end_kink(const model::State& state) {
  Kinks& k = seen.kinks;
  if (k.passed < 0 || state.energy.kinked != 0) return;
  KinkLoss& joint = k.joints[at(k.passed)];
  const double lost = k.impacts - state.ledger[model::kImpacts];
  joint.energy += lost;
  ++joint.count;
  k.lost.see(k.lost.worst + lost, state.t);
  k.passed = -1;
}

}  // namespace trammel::sim

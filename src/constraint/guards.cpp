#include "constraint/guards.h"

#include "constraint/derail.h"
#include "math/index.h"

namespace trammel::constraint {

void guards(const model::Kinematics& kin, const model::KinematicsCache& now,
            const model::State& state, std::vector<double>& out) {
  const model::Model& model = kin.model();
  out.assign(at(kGuards * model.n_arcs), law::kInf);
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const model::Joint& j = model.joints[k];
    if (j.arc < 0 || !state.on[k]) continue;
    const track::Track& track = *model.tracks[at(j.track)].track;
    const auto piece = at(state.piece[at(j.arc)]);
    const double end = piece + 1 < track.pieces() ? track.piece_start(piece + 1) : track.length();
    const joint::Arc& arc = now.arc[at(j.arc)];
    double* guard = out.data() + kGuards * j.arc;
    guard[static_cast<int>(Guard::ahead)] = end - arc.s;
    guard[static_cast<int>(Guard::behind)] = arc.s - track.piece_start(piece);
    guard[static_cast<int>(Guard::derail)] = derail_margin(kin, now, k, arc);
  }
}

}  // namespace trammel::constraint

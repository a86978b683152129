#pragma once

#include <vector>

#include "form/derail.h"
#include "model/kinematics.h"
#include "model/state.h"

namespace trammel::form {

/// Ways left on the pieces of tracks, ahead and behind, and margins of derailing, as
/// form::Velocity::guards has them.
inline void track_guards(const model::Kinematics& kin, const model::Instant& now,
                         const model::State& state, int guards, std::vector<double>& out) {
  const model::Model& model = kin.model();
  out.assign(static_cast<std::size_t>(guards * model.n_arcs), law::kInf);
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const model::Joint& j = model.joints[k];
    if (j.arc < 0 || !state.on[k]) continue;
    const auto arc = static_cast<std::size_t>(j.arc),
               first = static_cast<std::size_t>(guards) * arc;
    const track::Track& track = *model.tracks[static_cast<std::size_t>(j.track)].track;
    const auto piece = static_cast<std::size_t>(state.piece[arc]);
    const double end = piece + 1 < track.pieces() ? track.piece_start(piece + 1) : track.length();
    out[first] = end - now.arc[arc].s;
    out[first + 1] = now.arc[arc].s - track.piece_start(piece);
    out[first + 2] = derail_margin(kin, now, k, now.arc[arc]);
  }
}

}  // namespace trammel::form

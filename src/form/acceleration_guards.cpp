#include <algorithm>
#include <cmath>

#include "form/acceleration.h"
#include "form/derail.h"

namespace trammel::form {

void Acceleration::guards(const model::State& state, std::vector<double>& out) const {
  out.assign(static_cast<std::size_t>(kGuards * model_->n_arcs), law::kInf);
  for (std::size_t k = 0; k < model_->joints.size(); ++k) {
    const model::Joint& j = model_->joints[k];
    if (j.arc < 0 || !state.on[k]) continue;
    const auto arc = static_cast<std::size_t>(j.arc);
    const track::Track& track = *model_->tracks[static_cast<std::size_t>(j.track)].track;
    const auto piece = static_cast<std::size_t>(state.piece[arc]);
    const double end = piece + 1 < track.pieces() ? track.piece_start(piece + 1) : track.length();
    out[kGuards * arc] = end - now_.arc[arc].s;
    out[kGuards * arc + 1] = now_.arc[arc].s - track.piece_start(piece);
    out[kGuards * arc + 2] = derail_margin(*kin_, now_, k, now_.arc[arc]);
  }
}

}  // namespace trammel::form

// Rows derived of the coordinates of joints: the chain rule.
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/index.h"
#include "model/kinematics.h"

namespace trammel::model {

template <bool kWithJ>
void Kinematics::take_sources(const Topology::JointSlot& slot, const joint::Ends& ends,
                              const joint::Sample& sample, const joint::Arc& arc,
                              const State& state, KinematicsCache& at) const {
  for (int i = slot.first_source; i < slot.end_source; ++i) {
    const auto k = at_(top_->sources_by_joint[at_(i)]);
    const Source& source = model_->sources[k];
    double x = sample.lost ? std::numeric_limits<double>::quiet_NaN()
                           : joint::value(source.row, sample, arc);
    if (source.angle >= 0) {
      const double last = state.angle[at_(source.angle)];
      x = joint::turned_near(x, last);
    }
    at.x[k] = x;
    if constexpr (kWithJ) {
      double* J = at.x_J.data() + 24 * k;
      joint::pull_back(ends, sample, joint::gradient(source.row, sample), J, J + 12);
    }
  }
}

namespace {
joint::Coupled coupled(const Model& model, const Coupling& coupling, const KinematicsCache& at) {
  std::array<double, joint::kCoupled> x{};
  for (int i = 0; i < coupling.n; ++i) {
    const auto k = at_(coupling.first_source + i);
    x[at_(i)] = model.sources[k].sign * at.x[k];
  }
  return joint::evaluate(coupling.h, std::span(x).first(at_(coupling.n)));
}
}  // namespace

template <bool kWithJ>
void Kinematics::couple(const State& state, KinematicsCache& at) const {
  for (std::size_t c = 0; c < model_->couplings.size(); ++c) {
    const Coupling& coupling = model_->couplings[c];
    if (!state.on[at_(coupling.joint)]) continue;
    const joint::Coupled h = coupled(*model_, coupling, at);
    at.g[at_(coupling.row)] = h.h;
    if constexpr (kWithJ) emit_coupling(c, h, at);
  }
}

void Kinematics::emit_coupling(std::size_t c, const joint::Coupled& h, KinematicsCache& at) const {
  const Coupling& coupling = model_->couplings[c];
  const auto& ends = top_->coupled_ends[c];
  for (const Topology::CoupledEnd& e : ends)
    std::fill_n(at.J.data() + e.J, top_->graph.blocks[at_(e.block)].n, 0.0);
  if (const int anchor = top_->anchor[at_(coupling.row)]; anchor >= 0)
    std::fill_n(at.anchor.data() + anchor, 6, 0.0);
  at.g_t[at_(coupling.row)] = 0;
  for (int i = 0; i < coupling.n; ++i) {
    const auto k = at_(coupling.first_source + i);
    const Source& source = model_->sources[k];
    const double d = h.d[at_(i)] * source.sign;
    for (const int side : {0, 1}) {
      const int object = side ? model_->joints[at_(source.joint)].object_B : end_A(source.joint);
      const Object& o = model_->objects[at_(object)];
      std::array<double, 12> motion{};
      for (int m = 0; m < body::motion_size(o.motion_kind); ++m)
        motion[at_(m)] = d * at.x_J[24 * k + at_(12 * side + m)];
      if (!o.moves_freely()) put_anchor(object, motion.data(), coupling.row, at);
      if (o.block < 0) continue;
      const auto end = std::find_if(ends.begin(), ends.end(), [&](const Topology::CoupledEnd& e) {
        return e.block == o.block;
      });
      // the block's part of a flat vector begins at its first unknown
      add_motion(object, motion.data(), at, at.J.data() + end->J - model_->blocks[at_(o.block)].v);
    }
  }
}

/// h' = sum h_i x_i', h'' = sum h_i x_i'' + h_nn x_n'^2.
void Kinematics::couple_rates(const State& state, const KinematicsCache& at, double* rate,
                              double* bias) const {
  for (const Coupling& coupling : model_->couplings) {
    if (!state.on[at_(coupling.joint)]) continue;
    const joint::Coupled h = coupled(*model_, coupling, at);
    double &first = rate[coupling.row] = 0, &second = bias[coupling.row] = 0;
    for (int i = 0; i < coupling.n; ++i) {
      const auto k = at_(coupling.first_source + i);
      first += h.d[at_(i)] * model_->sources[k].sign * at.x_rates[k].rate;
      second += h.d[at_(i)] * model_->sources[k].sign * at.x_rates[k].bias;
    }
    const double last = at.x_rates[at_(coupling.first_source + coupling.n - 1)].rate;
    second += h.second * last * last;
  }
}

void Kinematics::take_followed(KinematicsCache& at) const {
  for (std::size_t i = 0; i < at.y.size(); ++i) {
    const auto k = at_(model_->followed[i]);
    at.y[i] = model_->sources[k].sign * at.x[k];
  }
}

void Kinematics::follow(const double* u, KinematicsCache& at) const {
  for (std::size_t i = 0; i < at.y_rate.size(); ++i)
    at.y_rate[i] = rate_of_source(at_(model_->followed[i]), u, at);
}

template void Kinematics::take_sources<false>(const Topology::JointSlot&, const joint::Ends&,
                                              const joint::Sample&, const joint::Arc&, const State&,
                                              KinematicsCache&) const;
template void Kinematics::take_sources<true>(const Topology::JointSlot&, const joint::Ends&,
                                             const joint::Sample&, const joint::Arc&, const State&,
                                             KinematicsCache&) const;
template void Kinematics::couple<false>(const State&, KinematicsCache&) const;
template void Kinematics::couple<true>(const State&, KinematicsCache&) const;

}  // namespace trammel::model

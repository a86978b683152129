#include "model/project.h"

#include <algorithm>
#include <cmath>

#include "solve/product.h"

namespace trammel::model {

bool holds(const Model& model, const State& state, const Demands& demands, std::size_t row) {
  const law::Level level = demands[row].level;
  return state.on[static_cast<std::size_t>(model.rows[row].joint)] != 0 && !state.slip[row] &&
         (level == law::Level::position || level == law::Level::stops);
}

bool rolls(const Model& model, const State& state, const Demands& demands, std::size_t row) {
  return state.on[static_cast<std::size_t>(model.rows[row].joint)] != 0 &&
         !model.rows[row].row.holonomic() && demands[row].level == law::Level::velocity &&
         !demands[row].bounded();
}

Projector::Projector(const Kinematics& kinematics)
    : kin_(&kinematics), direct_(kinematics.graph(), {.tolerance = 1e-13}) {
  const auto n = static_cast<std::size_t>(kinematics.graph().n_rows);
  const auto n_u = static_cast<std::size_t>(kinematics.graph().n_u);
  for (auto* v : {&zero_, &r_, &x_, &lo_, &hi_}) v->assign(n, 0);
  for (auto* v : {&f_, &u_}) v->assign(n_u, 0);
  active_.assign(n, 0);
}

Projector::Position Projector::position(const Demands& demands, double tolerance, State& state,
                                        Instant& at) {
  constexpr double kLargestTurn = 0.5;  // a Newton step this far is cut [rad or m]
  const Model& model = kin_->model();
  Position out;
  out.displacement.assign(f_.size(), 0);
  for (out.iterations = 0; out.iterations < 100; ++out.iterations) {
    kin_->place(state.q.data(), state.t, at);
    kin_->inverse_mass(state.q.data(), at);
    kin_->jacobians(state, at);
    out.residual = 0;
    for (std::size_t i = 0; i < r_.size(); ++i) {
      const law::Demand& d = demands[i];
      const law::ToStop stop = law::to_stop(d, at.g[i]);
      const bool held = holds(model, state, demands, i) && (!d.stops() || stop.gap < -kPenetrated);
      active_[i] = held || (shapes_ && model.rows[i].row.shape());
      r_[i] = active_[i] ? (d.stops() ? stop.at : d.target.x) - at.g[i] : 0;
      out.residual = std::isfinite(r_[i]) ? std::max(out.residual, std::abs(r_[i])) : law::kInf;
    }
    out.converged = out.residual <= tolerance && at.lost_joint < 0;
    if (out.converged || !std::isfinite(out.residual) || at.lost_joint >= 0) break;
    if (!direct_.factor({at.J.data(), at.inv_mass.data(), zero_.data(), active_.data()})) break;
    direct_.solve(r_.data(), x_.data());
    std::fill(f_.begin(), f_.end(), 0.0);
    solve::add_transpose(kin_->graph(), at.J.data(), x_.data(), f_.data());
    solve::apply_inverse_mass(kin_->graph(), at.inv_mass.data(), f_.data(), u_.data());
    double largest = 0;
    for (const double d : u_) largest = std::max(largest, std::abs(d));
    const double cut = largest > kLargestTurn ? kLargestTurn / largest : 1;
    for (std::size_t i = 0; i < u_.size(); ++i) out.displacement[i] += u_[i] *= cut;
    kin_->retract(u_.data(), state.q.data());
  }
  for (std::size_t i = 0; i < at.arc.size(); ++i) state.s[i] = at.arc[i].s;
  return out;
}

Projector::Velocity Projector::velocity(const Demands& demands, State& state, Instant& at) {
  const Model& model = kin_->model();
  const solve::Graph& graph = kin_->graph();
  kin_->velocities(at, state.P.data(), u_.data());
  solve::multiply(graph, at.J.data(), u_.data(), r_.data());
  bool one_sided = false;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    const law::Demand& d = demands[i];
    const law::ToStop stop = law::to_stop(d, at.g[i]);
    const bool open = d.stops() && stop.gap > kClosed;
    active_[i] = (holds(model, state, demands, i) && !open) || rolls(model, state, demands, i);
    one_sided |= active_[i] && d.stops();
    r_[i] += at.g_t[i] - d.target.v;  // now q of the box problem
    lo_[i] = d.stops() && stop.side > 0 ? 0 : -law::kInf;
    hi_[i] = d.stops() && stop.side < 0 ? 0 : law::kInf;
  }
  const solve::System system{at.J.data(), at.inv_mass.data(), zero_.data(), active_.data()};
  Velocity out;
  out.change.assign(u_.size(), 0);
  out.impulses.assign(x_.size(), 0);
  if (one_sided) {
    std::fill(x_.begin(), x_.end(), 0.0);
    std::vector<signed char> set(x_.size(), 0);
    solve::ActiveSet box(direct_);
    box.solve(system, {r_, lo_, hi_}, x_, set);
  } else {
    for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = active_[i] ? -r_[i] : 0;
    if (!direct_.factor(system)) return out;
    direct_.solve(r_.data(), x_.data());
  }
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (active_[i]) out.impulses[i] = x_[i];
  std::fill(f_.begin(), f_.end(), 0.0);
  solve::add_transpose(graph, at.J.data(), out.impulses.data(), f_.data());
  solve::apply_inverse_mass(graph, at.inv_mass.data(), f_.data(), out.change.data());
  for (std::size_t i = 0; i < f_.size(); ++i) {
    state.P[i] += f_[i];
    out.energy_lost += 0.5 * f_[i] * out.change[i];
  }
  return out;
}

}  // namespace trammel::model

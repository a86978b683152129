#include "model/project.h"

#include <algorithm>
#include <cmath>

#include "law/targets.h"
#include "solve/product.h"

namespace trammel::model {

namespace {
/// True for a row that is on, and not displaced by force.
bool is_kept(const Model& model, const State& state, std::size_t row) {
  return state.on[static_cast<std::size_t>(model.rows[row].joint)] != 0 && !state.rows.yielded[row];
}

/// Takes rows with stops out of those that are active.
void leave_stops(const ConstraintSpecs& specs, std::vector<unsigned char>& active) {
  for (std::size_t i = 0; i < active.size(); ++i) active[i] &= !specs[i].unilateral();
}
}  // namespace

bool holds(const Model& model, const State& state, const ConstraintSpecs& specs, std::size_t row) {
  return is_kept(model, state, row) && specs[row].has_place();
}

bool rolls(const Model& model, const State& state, const ConstraintSpecs& specs, std::size_t row) {
  return state.on[static_cast<std::size_t>(model.rows[row].joint)] != 0 &&
         !model.rows[row].row.holonomic() && specs[row].is_rigid();
}

namespace {
constexpr double kLongestStep = 0.5;  // a Newton step this far is cut [rad], at the greatest arm
}  // namespace

Projector::Projector(const Kinematics& kinematics)
    : kin_(&kinematics), direct_(kinematics.graph(), {.tolerance = 1e-13}) {
  const auto n = static_cast<std::size_t>(kinematics.graph().n_rows);
  const auto n_u = static_cast<std::size_t>(kinematics.graph().n_u);
  for (auto* v : {&zero_, &r_, &x_, &lo_, &hi_}) v->assign(n, 0);
  for (auto* v : {&f_, &u_}) v->assign(n_u, 0);
  active_.assign(n, 0);
  for (const RowInfo& row : kinematics.model().rows)
    size_.push_back(kinematics.model().scales.value(row.row.unit()));
  farthest_.resize(n_u);
  const double longest = std::max(kinematics.model().scales.length, kinematics.longest());
  for (const PoolSlot& s : kinematics.model().pools)
    s.pool->speed_tolerances(kLongestStep * longest, kLongestStep, farthest_.data() + s.v);
  if (!kinematics.light()) return;
  saddle_ = std::make_unique<solve::Saddle>(kinematics.graph(), kinematics.units());
  std::size_t numbers = 0;
  for (const solve::Graph::Block& b : kinematics.graph().blocks)
    numbers += static_cast<std::size_t>(b.n * b.n);
  mass_.assign(numbers, 0);
  turn_.assign(numbers, 0);
}

Projector::Position Projector::position(const ConstraintSpecs& specs, double tolerance,
                                        State& state, KinematicsCache& at) {
  const Model& model = kin_->model();
  Position out;
  out.displacement.assign(f_.size(), 0);
  for (out.iterations = 0; out.iterations < 100; ++out.iterations) {
    kin_->transforms(state.q.data(), state.t, at);
    if (saddle_)
      kin_->inverse_metric(at);
    else
      kin_->inverse_mass(state.q.data(), at);
    kin_->jacobians(state, at);
    if (follows_) keep_turns(model, at, state.angle);
    out.residual = 0;
    out.worst = -1;
    for (std::size_t i = 0; i < r_.size(); ++i) {
      const law::ConstraintSpec& d = specs[i];
      const bool held = is_kept(model, state, i) && law::is_to_be_placed(d, at.g[i], kPenetrated);
      active_[i] = held || (shapes_ && model.rows[i].row.shape());
      r_[i] = active_[i] ? d.place(at.g[i]) - at.g[i] : 0;
      const double off = std::isfinite(r_[i]) ? std::abs(r_[i]) / size_[i] : law::kInf;
      if (off > out.residual || out.worst < 0) out.worst = static_cast<int>(i);
      out.residual = std::max(out.residual, off);
    }
    out.converged = out.residual <= tolerance && at.lost_joint < 0;
    if (out.converged || !std::isfinite(out.residual) || at.lost_joint >= 0) break;
    if (!direct_.factor({at.J.data(), at.inv_mass.data(), zero_.data(), active_.data()})) break;
    direct_.solve(r_.data(), x_.data());
    std::fill(f_.begin(), f_.end(), 0.0);
    solve::add_transpose(kin_->graph(), at.J.data(), x_.data(), f_.data());
    solve::apply_inverse_mass(kin_->graph(), at.inv_mass.data(), f_.data(), u_.data());
    double largest = 1;
    for (std::size_t i = 0; i < u_.size(); ++i)
      largest = std::max(largest, std::abs(u_[i]) / farthest_[i]);
    const double cut = 1 / largest;
    for (std::size_t i = 0; i < u_.size(); ++i) out.displacement[i] += u_[i] *= cut;
    kin_->retract(u_.data(), state.q.data());
  }
  for (std::size_t i = 0; i < at.arc.size(); ++i) state.s[i] = at.arc[i].s;
  return out;
}

/// The rows that hold rates, and J u - c' at u = 0 in r_; true: unilateral ones are among them. A
/// bounded force has no impulse in an impact.
bool Projector::hold_rates(const ConstraintSpecs& specs, const State& state,
                           const KinematicsCache& at) {
  const Model& model = kin_->model();
  bool bounded = false;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    const law::ConstraintSpec& d = specs[i];
    const bool open = d.is_open(at.g[i], kClosed);
    const law::Range range = d.impact_range(at.g[i]);
    r_[i] = at.g_t[i] - d.target.v;
    lo_[i] = range.lo;
    hi_[i] = range.hi;
    active_[i] = ((holds(model, state, specs, i) && !open) || rolls(model, state, specs, i)) &&
                 lo_[i] < hi_[i];
    active_[i] |= static_cast<unsigned char>(shapes_ && model.rows[i].row.shape());
    bounded |= active_[i] && (range.lo > -law::kInf || range.hi < law::kInf);
  }
  return bounded;
}

/// Sets the rate of each row that runs into its stop to minus the restitution times its rate; x_
/// gets J u.
void Projector::throw_back(const ConstraintSpecs& specs, const KinematicsCache& at,
                           const std::vector<double>& u) {
  solve::multiply(kin_->graph(), at.J.data(), u.data(), x_.data());
  for (std::size_t i = 0; i < r_.size(); ++i) {
    if (active_[i]) r_[i] -= specs[i].rebound(at.g[i], x_[i] + r_[i]);
  }
}

/// M u = P + J^T x, J u = c' - g_t of the rows held; u is the first guess.
bool Projector::exact(const State& state, const KinematicsCache& at, std::vector<double>& u,
                      std::vector<double>& impulses) {
  const solve::Graph& graph = kin_->graph();
  std::vector<double> r_u(u.size()), du(u.size()), rates(r_.size()), given(r_);
  std::vector<signed char> set(r_.size(), 0);
  std::fill(impulses.begin(), impulses.end(), 0.0);
  f_ = state.P;
  double last = law::kInf;
  for (int k = 0; k < 20; ++k) {
    kin_->drift(0, state.q.data(), u.data(), r_u.data(), mass_.data(), turn_.data());
    for (std::size_t i = 0; i < u.size(); ++i) r_u[i] -= f_[i];
    solve::multiply(graph, at.J.data(), u.data(), rates.data());
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = active_[i] ? rates[i] + given[i] : 0;
    if (!saddle_->correct({mass_.data(), at.J.data(), at.J.data(), zero_.data()},
                          {active_, lo_, hi_}, {r_u, rates}, impulses, set, du, x_, k > 0))
      return false;
    double size = 0, scale = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] += du[i];
      size = std::max(size, std::abs(du[i]) / kin_->units()[i]);
      scale = std::max(scale, std::abs(u[i]) / kin_->units()[i]);
    }
    for (std::size_t i = 0; i < impulses.size(); ++i) impulses[i] += x_[i];
    solve::add_transpose(graph, at.J.data(), x_.data(), f_.data());
    if (k > 0 && (size <= 1e-14 * scale || size >= 0.5 * last)) break;
    last = size;
  }
  return true;
}

bool Projector::velocities(const ConstraintSpecs& specs, const State& state,
                           const KinematicsCache& at, std::vector<double>& u) {
  if (!saddle_) return false;
  hold_rates(specs, state, at);
  leave_stops(specs, active_);
  std::vector<double> impulses(r_.size());
  return exact(state, at, u, impulses);
}

Projector::Velocity Projector::velocity(const ConstraintSpecs& specs, State& state,
                                        KinematicsCache& at, Stops stops) {
  const solve::Graph& graph = kin_->graph();
  Velocity out;
  out.change.assign(u_.size(), 0);
  out.impulses.assign(x_.size(), 0);
  const bool bounded = hold_rates(specs, state, at);
  if (stops == Stops::left) leave_stops(specs, active_);
  if (saddle_) {
    const std::vector<double> P = state.P;
    if (state.u.size() != u_.size()) state.u.assign(u_.size(), 0);
    u_ = state.u;
    throw_back(specs, at, u_);
    if (!exact(state, at, u_, out.impulses)) return out;
    for (std::size_t i = 0; i < u_.size(); ++i) {
      state.P[i] = f_[i];
      out.change[i] = u_[i] - state.u[i];
      out.energy_lost += 0.5 * (f_[i] - P[i]) * out.change[i];
    }
    state.u = u_;
    return out;
  }
  kin_->velocities(at, state.P.data(), u_.data());
  throw_back(specs, at, u_);
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = x_[i] + r_[i];  // now q of the box problem
  const solve::System system{at.J.data(), at.inv_mass.data(), zero_.data(), active_.data()};
  if (bounded) {
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

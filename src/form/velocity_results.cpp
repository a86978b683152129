// What a step of the velocity formulation leaves behind: the new state, the report, or why it has
// failed.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "form/velocity.h"

namespace trammel::form {

/// True where momenta, coordinates and velocities of the new state and the power of its loads are
/// finite.
bool Velocity::is_good(const model::State& state) const {
  const auto flat = [](const std::vector<double>& x) {
    return Eigen::Map<const VecX>(x.data(), static_cast<Eigen::Index>(x.size()));
  };
  double sum = flat(state.P).dot(flat(next_.u)) + flat(state.q).sum();
  for (std::size_t i = 0; i < model_->loads.size(); ++i) sum += kin_->load_power(next_.at, i);
  return std::isfinite(sum);
}

void Velocity::describe_failure(const model::State& state, StepReport& report) const {
  report.status = Status::failed;
  if (next_.at.lost_joint >= 0) {
    report.reason = fmt::format("joint '{}' has lost its track: its body is too far off it",
                                model_->joints[static_cast<std::size_t>(next_.at.lost_joint)].name);
    return;
  }
  for (std::size_t i = 0; i < model_->loads.size(); ++i) {
    const law::Load& load = model_->loads[i];
    const auto o = static_cast<std::size_t>(load.object);
    for (const double t : {now_.at.t, next_.at.t}) {
      const law::Wrench w =
          law::wrench(load, params_->values.data(), now_.at.T_WO[o], now_.at.rate[o], t);
      if (std::isfinite(w.f.squaredNorm() + w.torque.squaredNorm())) continue;
      report.reason =
          fmt::format("the load '{}' on body '{}' is {:g} N, {:g} N m", model_->load_names[i],
                      model_->objects[o].name, w.f.cwiseAbs().sum(), w.torque.cwiseAbs().sum());
      return;
    }
  }
  for (const model::Object& o : model_->objects) {
    if (o.block < 0) continue;
    const model::Block& b = model_->blocks[static_cast<std::size_t>(o.block)];
    for (int i = 0; i < b.n; ++i)
      if (!std::isfinite(state.P[static_cast<std::size_t>(b.v + i)])) {
        report.reason = fmt::format("the momentum of body '{}' is not finite", o.name);
        return;
      }
  }
  const int row = solver_->failed_row();
  report.reason = row >= 0 ? fmt::format("the rows of joint '{}' cannot be factored",
                                         model_
                                             ->joints[static_cast<std::size_t>(
                                                 model_->rows[static_cast<std::size_t>(row)].joint)]
                                             .name)
                           : "the joints cannot be met: positions do not converge";
  if (own_motion_ && row < 0)
    report.reason +=
        "; the step of singular configurations knows nothing of bodies that move by themselves";
}

/// Reports the greatest displacement of the rows from the positions that they hold, lengths [m] and
/// angles [rad] apart.
void Velocity::report_gaps(StepReport& report) const {
  const double* g = next_.at.g.data();
  const float *equality = table_.equality.data(), *length = table_.equality_length.data();
  double gap = table_.greatest([=](std::size_t i) { return length[i] * std::abs(g[i]); }),
         angle = 0;
  if (table_.angles)
    angle =
        table_.greatest([=](std::size_t i) { return (equality[i] - length[i]) * std::abs(g[i]); });
  for (const int row : table_.others) {
    const auto i = static_cast<std::size_t>(row);
    double& worst = table_.is_angle[i] ? angle : gap;
    worst = std::max(worst, constraint::displacement(hold_[i], next_.specs[i], g[i]));
  }
  report.gap = std::max(report.gap, gap);
  report.angle = std::max(report.angle, angle);
}

/// Keeps the mean row forces of the step, and what the next first guess starts from: the
/// multipliers (State::rows.impulse) and the multiplier extrapolation
/// (State::velocity.extrapolation).
void Velocity::keep_multipliers(model::State& state, double h, bool fallback) {
  const double again = state.rows.h != 0 ? h / state.rows.h : 0, begun = state.rows.h != 0;
  const double *L = first_.rows.data(), *m = second_.rows.data(),
               *calm = calm_.empty() ? m : calm_.data(), *impulse = first_.applied.data(),
               *impulse_V = second_.applied.data();
  double *extrapolation = state.velocity.extrapolation.data(), *last = state.rows.impulse.data(),
         *force = force_.data();
  table_.for_rows([=](std::size_t i) {
    force[i] = (L[i] + calm[i] + impulse[i] + impulse_V[i]) / h;
    const double change = begun * L[i] - again * last[i];
    extrapolation[i] = L[i] != 0 ? change : 0;
    last[i] = m[i];
  });
  table_.for_others([=, this](std::size_t i) {
    if (hold_[i] != Hold::position) extrapolation[i] = 0;
    if (hold_[i] == Hold::force && springs_.kind[i] != Spring::explicit_) last[i] = L[i];
  });
  if (!fallback) return;  // multipliers at a singular configuration are no guess for the next step
  std::fill(state.velocity.extrapolation.begin(), state.velocity.extrapolation.end(), 0.0);
  std::fill(state.rows.impulse.begin(), state.rows.impulse.end(), 0.0);
}

void Velocity::commit(model::State& state, double h, StepReport& report) {
  report_gaps(report);
  account(state, h);
  keep_multipliers(state, h, report.fallback);
  update_yielded(state, report);
  state.rows.bound = problem_.bound;
  if (!state.acceleration.recovery.empty()) state.acceleration = {};
  if (state.energy.h != 0 || !state.energy.q.empty() || !state.energy.impulses.empty())
    state.energy = {};
  state.rows.h = h;
  state.rows.redundant = solver_->redundant();
  keep_factor(state);
  // load() starts the track projections from there again, with results equal to the bit
  for (std::size_t i = 0; i < next_.at.arc.size(); ++i) state.s[i] = next_.at.from[i].s;
  for (const int row : table_.turning) {
    const auto i = static_cast<std::size_t>(row);
    state.angle[static_cast<std::size_t>(model_->rows[i].angle)] = next_.at.g[i];
  }
  for (std::size_t k = 0; k < model_->sources.size(); ++k)
    if (const int a = model_->sources[k].angle; a >= 0)
      state.angle[static_cast<std::size_t>(a)] = next_.at.x[k];
  state.t += h;
  ++state.step;
  swap(now_, next_);
  next_.at.arc = now_.at.arc;
  if (kin_->light()) state.u = now_.u;
  if (unilateral_) lift_out(state, report);
}

/// Stores which rows and compliances the kept factor is made of, so that load() can make it again.
void Velocity::keep_factor(model::State& state) {
  solve::Rows rows;
  if (settings_.scheme != Settings::Scheme::baumgarte) rows = solver_->prepared();
  model::VelocityMemory& kept = state.velocity;
  if (factor_kept_ && !rows.active.empty()) {  // equality constraints are the same in every factor
    for (const int row : table_.others) {
      const auto i = static_cast<std::size_t>(row);
      kept.factored[i] = rows.active[i];
      kept.compliance[i] = rows.compliance[i];
    }
    return;
  }
  kept.factored.assign(rows.active.begin(), rows.active.end());
  kept.compliance.assign(rows.compliance.begin(), rows.compliance.end());
  factor_kept_ = kept.factored.size() == hold_.size() && kept.compliance.size() == hold_.size();
}

void Velocity::update_yielded(model::State& state, StepReport& report) {
  for (const int other : table_.others) {
    const auto i = static_cast<std::size_t>(other);
    if (hold_[i] != Hold::position && hold_[i] != Hold::recovery) continue;
    if (!now_.specs[i].bounded()) continue;
    const bool drifts = settings_.scheme == Settings::Scheme::baumgarte && !state.rows.yielded[i];
    const bool at_bound =
        constraint::has_yielded(next_.specs[i], next_.at.g[i], problem_.bound[i] != 0, drifts);
    if (at_bound == (state.rows.yielded[i] != 0)) continue;
    state.rows.yielded[i] = at_bound;
    const model::RowInfo& row = model_->rows[i];
    report.bounds = true;
    report.events.push_back(
        {next_.at.t, at_bound ? EventKind::yield : EventKind::hold,
         model_->joints[static_cast<std::size_t>(row.joint)].name,
         fmt::format("row {} {}", row.name, at_bound ? "is at its greatest force" : "holds again"),
         force_[i], row.row.unit() == joint::Unit::metre ? "N" : "N m"});
  }
}

}  // namespace trammel::form

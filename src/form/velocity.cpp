#include "form/velocity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "form/solving.h"
#include "model/ledger.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using law::kInf;
}  // namespace

Velocity::Velocity(const model::Model& model, const model::Params& params, Settings settings)
    : model_(&model),
      params_(&params),
      settings_(settings),
      now_(model, params),
      next_(model, params),
      cones_(constraint::cones_of(model, now_.specs)) {
  for (std::size_t i = 0; i < model.rows.size(); ++i) find_row(i);
  for (const model::PoolSlot& s : model.pools)
    own_motion_ |= s.pool->n_blocks > 0 && !s.pool->identity();
  for (const law::Load& load : model.loads) drag_ |= load.needs_rates();
  composable_ &= !drag_ && cones_.empty();
  make_room();
  make_solvers();
}

void Velocity::make_solvers() {
  kin_ = std::make_unique<model::Kinematics>(*model_, *params_);
  solver_ = make_solver(settings_, kin_->graph());
  find_force_groups();
  now_.at = next_.at = kin_->make_cache();
  light_ = kin_->light() && settings_.scheme != Settings::Scheme::baumgarte;
  both_ends_ = rolls_;
  constant_forces_ = model_->loads.empty() && kin_->gravity_is_constant();
  if (!both_ends_)
    for (auto* v : {&next_.at.J, &next_.at.inv_mass}) std::vector<double>().swap(*v);
  if (light_) make_exact();
}

bool Velocity::load(const model::State& state) {
  hand_over(next_.at, now_.at);
  sort_rows(state);
  solver_->invalidate();
  solver_->set_redundant(state.rows.redundant != 0);
  for (std::size_t i = 0; i < now_.at.arc.size(); ++i)
    now_.at.arc[i] = {state.s[i], state.piece[i]};
  kin_->transforms(state.q.data(), state.t, now_.at);
  kin_->inverse_mass(state.q.data(), now_.at);
  kin_->jacobians(state, now_.at);
  now_.specs.at(state.t);
  take_springs(now_.at, now_.rest, now_.stiffness);
  if (light_) {
    if (!exact_velocities(state)) return false;
    rates_of(now_.at, now_.u, now_.rate);
  } else {
    row_rates(now_.at, state.P, now_.u, now_.rate);
  }
  if (!model_->loads.empty()) kin_->rates_at_loads(state.q.data(), now_.u.data(), now_.at);
  now_.outside_known = next_.outside_known = factor_kept_ = false;
  if (constant_forces_) take_forces(now_.at, true);
  if (!state.velocity.factored.empty() && !light_)
    solver_->prepare(matrices(now_.at),
                     {state.velocity.factored, state.velocity.compliance, {}, {}, table_.others},
                     nullptr);
  return now_.at.lost_joint < 0;
}

void Velocity::find_force_groups() {
  solve::find_groups(kin_->graph(), springs_.rows, springs_.groups);
}

/// Evaluates gravity and the loads that do not depend on rates into f_. Where there is nothing but
/// gravity on rigid bodies, once for all steps.
void Velocity::take_forces(const model::KinematicsCache& at, bool anew) {
  if (constant_forces_ && !anew) return;
  std::fill(f_.begin(), f_.end(), 0.0);
  kin_->add_gravity(at, f_.data());
  kin_->add_loads(at, false, f_.data());
}

/// Moves J and the inverse masses to `to`, where they are not there already. One set serves both
/// ends of a step, unless nonholonomic rows take the mean of J or exact steps need both.
void Velocity::hand_over(model::KinematicsCache& from, model::KinematicsCache& to) const {
  if (both_ends_ || from.inv_mass.empty()) return;
  std::swap(from.J, to.J);
  std::swap(from.inv_mass, to.inv_mass);
}

/// Makes J(q) again where stage P has let J(q+) take its place.
void Velocity::take_back_J(const model::State& state) {
  if (!J_is_at_end_) return;
  J_is_at_end_ = false;
  hand_over(next_.at, now_.at);
  kin_->jacobians(state, now_.at);
}

model::Projector& Velocity::projector() {
  if (!projector_) projector_ = std::make_unique<model::Projector>(*kin_);
  return *projector_;
}

void Velocity::apply(const model::KinematicsCache& at, const std::vector<double>& x,
                     std::vector<double>& P) const {
  solve::add_transpose(kin_->graph(), at.J.data(), x.data(), P.data());
}

void Velocity::apply_forces(const model::KinematicsCache& at, const std::vector<double>& x,
                            std::vector<double>& P) const {
  for (std::size_t k = 0; k < springs_.rows.size(); ++k) {
    const int row = springs_.rows[k];
    solve::add_transpose_row(kin_->graph(), springs_.groups[k], row, at.J.data(),
                             x[static_cast<std::size_t>(row)], P.data());
  }
}

void Velocity::row_rates(const model::KinematicsCache& at, const std::vector<double>& P,
                         std::vector<double>& u, std::vector<double>& rates) const {
  kin_->velocities(at, P.data(), u.data());
  rates_of(at, u, rates);
}

void Velocity::rates_of(const model::KinematicsCache& at, const std::vector<double>& u,
                        std::vector<double>& rates) const {
  solve::multiply(kin_->graph(), at.J.data(), u.data(), rates.data());
  if (!model_->prescribed.empty()) table_.for_rows([&](std::size_t i) { rates[i] += at.g_t[i]; });
}

void Velocity::step(const model::Inputs&, model::State& state, double h, StepReport& report) {
  report.clear();
  report.bounds = !composable_;
  if (settings_.order != 4 || !composable_ || settings_.scheme == Settings::Scheme::baumgarte)
    return step_once(state, h, report);
  // Suzuki's composition of five steps makes order 4 of a symmetric scheme of order 2
  const model::State start = state;
  const double a = 1 / (4 - std::cbrt(4.0));
  for (const double part : {a, a, 1 - 4 * a, a, 0.}) {
    // the last one ends at the very time that the step does
    step_once(state, part != 0 ? part * h : start.t + h - state.t, report);
    if (report.status == Status::failed) {
      state = start;
      load(state);
      return;
    }
  }
  state.step = start.step + 1;
}

/// Keeps where the step begins, with the greatest of its coordinates.
void Velocity::remember(const model::State& state) {
  P0_ = state.P;
  const double* q = state.q.data();
  double* q0 = q0_.data();
  largest_q_ = parallel::greatest(static_cast<int>(q0_.size()), 4 * RowTable::kGrain, 0,
                                  [=](int first, int end) {
                                    return greatest_of(first, end, [=](int i) {
                                      q0[i] = q[i];
                                      return std::abs(q[i]);
                                    });
                                  });
}

void Velocity::step_once(model::State& state, double h, StepReport& report) {
  state.velocity.extrapolation.resize(hold_.size());
  remember(state);
  next_.outside_known = false;
  next_.specs.at(state.t + h);
  if (unilateral_) std::fill(impact_rate_.begin(), impact_rate_.end(), kInf);
  calm_.clear();
  bool ok;
  fell_back_ = false;
  if (settings_.scheme == Settings::Scheme::baumgarte) {
    ok = baumgarte(state, h, report);
  } else {
    assign_roles(state, h);
    ok = attempt(state, h, report);
    if (!ok && !in_parts_) {
      // beside redundant rows shorter steps meet the same singular configuration
      if (!solver_->redundant() && step_in_parts(state, h, report)) return;
      ok = !own_motion_ && fallback(state, h, report);
    }
  }
  if (ok && next_.at.lost_joint < 0 && is_good(state)) return commit(state, h, report);
  describe_failure(state, report);
  state.q = q0_;
  state.P = P0_;
  load(state);
}

/// Makes a RATTLE step with the kept factor, or, where that fails, by Newton iteration on momenta
/// and rows together. Returns false where neither converges: the state is as before.
bool Velocity::attempt(model::State& state, double h, StepReport& report) {
  const std::size_t events = report.events.size();
  if (!light_ && place_rows(state, h, report, false) && stage_V(state, h, report)) return true;
  state.q = q0_;
  state.P = P0_;
  report.events.resize(events);
  if (!light_ && !tries_exact()) return false;
  if (!light_) again_at_start(state);
  report.newton = place_rows(state, h, report, true) && stage_V(state, h, report);
  if (report.newton) return true;
  report.events.resize(events);
  state.q = q0_;
  state.P = P0_;
  return false;
}

/// Runs stage P, and repeats it while forces taken as explicit turn out stiff on the way.
bool Velocity::place_rows(model::State& state, double h, StepReport& report, bool exact) {
  exact_ = exact;
  do
    if (!(exact ? exact_P(state, h, report) : stage_P(state, h, report))) return false;
  while (stiffens(state, h));
  return true;
}

/// Makes those functions of the user implicit that are explicit in this step but stiff at one of
/// four places between g(q) and g(q+). Returns true where there were some.
bool Velocity::stiffens(const model::State& state, double h) {
  bool found = false;
  for (const int row : springs_.functions) {
    const auto i = static_cast<std::size_t>(row);
    if (hold_[i] != Hold::force || springs_.kind[i] != Spring::explicit_) continue;
    const double S = inverse_mass_[i];
    for (const double part : {0.25, 0.5, 0.75, 1.}) {
      const double x = now_.at.g[i] + part * (next_.at.g[i] - now_.at.g[i]);
      const double k = -row_force(*model_, *params_, row, x, 0, now_.at.t + part * h).f_x;
      if (h * h * k * S > kCompliant) springs_.kind[i] = Spring::compliant;
    }
    found |= springs_.kind[i] == Spring::compliant;
  }
  if (found) take_back_J(state);
  return found;
}

/// Makes two, four or eight shorter steps where one has found no solution. Returns false where
/// these fail too: the state is as before.
bool Velocity::step_in_parts(model::State& state, double h, StepReport& report) {
  const model::State start = state;
  const StepReport before = report;
  in_parts_ = true;
  bool ok = false;
  for (const int parts : {2, 4, 8}) {
    std::vector<double> force(force_.size(), 0.0);
    ok = true;
    for (int k = 0; ok && k < parts; ++k) {
      const double to = k + 1 == parts ? start.t + h : start.t + h * (k + 1) / parts;
      const double part = to - state.t;
      step_once(state, part, report);
      ok = report.status == Status::ok;
      for (std::size_t i = 0; ok && i < force.size(); ++i) force[i] += part / h * force_[i];
    }
    if (ok) {
      force_ = force;
      state.step = start.step + 1;
      report.parts = parts;
      break;
    }
    state = start;
    report = before;
    load(state);
  }
  in_parts_ = false;
  if (ok) return true;
  remember(state);
  next_.specs.at(state.t + h);
  assign_roles(state, h);
  return false;
}

/// Evaluates the force rows at this instant: their force at zero rate, and the stiffness -df/dx.
void Velocity::take_springs(const model::KinematicsCache& at, std::vector<double>& rest,
                            std::vector<double>& stiffness) const {
  for (const int row : springs_.rows) {
    const auto i = static_cast<std::size_t>(row);
    const law::Force f = spring_force(i, at.g[i], 0, at.t);
    rest[i] = f.f;
    stiffness[i] = -f.f_x;
  }
}

}  // namespace trammel::form

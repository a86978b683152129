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

void Velocity::find_row(std::size_t i) {
  const model::RowInfo& row = model_->rows[i];
  const model::LawOnRow& on_row = model_->laws[static_cast<std::size_t>(row.law)];
  const law::ConstraintSpec& d = now_.specs[i];
  const bool rolls = !row.row.holonomic(), is_angle = row.row.unit() != joint::Unit::metre,
             by_function = on_row.law.function != nullptr;
  bool damped = false;
  if (d.is_force()) {
    springs_.rows.push_back(static_cast<int>(i));
    if (by_function) springs_.functions.push_back(static_cast<int>(i));
    // a function of the user may depend on the rate anywhere
    damped = by_function || row_force(*model_, *params_, static_cast<int>(i), 0, 1e-3, 0).f_v != 0;
  }
  springs_.damped.push_back(damped);
  rolls_ |= rolls;
  table_.alone |= by_function;
  table_.is_angle.push_back(is_angle);
  table_.angles |= is_angle;
  if (row.angle >= 0) table_.turning.push_back(static_cast<int>(i));
  table_.account.push_back(on_row.ledger >= 0 ? on_row.ledger : model::kLocks);
  composable_ &= !d.unilateral() && !damped && !d.bounded() && (!d.holds_rate() || rolls);
}

/// Sizes the arrays. Those that few mechanisms need stay empty in the others.
void Velocity::make_room() {
  const std::size_t n = model_->rows.size(), n_u = static_cast<std::size_t>(model_->n_u);
  Problem& p = problem_;
  hold_.assign(n, Hold::nothing);
  table_.equality.assign(n, 0);
  table_.equality_length.assign(n, 0);
  p.active.assign(n, 0);
  p.bound.assign(n, 0);
  for (auto* v : {&p.lo, &p.hi, &p.target, &p.compliance, &first_.rows, &first_.applied,
                  &second_.rows, &second_.applied, &now_.rate, &next_.rate, &force_, &impact_rate_,
                  &inverse_mass_, &q_rows_, &x_})
    v->assign(n, 0);
  for (auto* v : {&now_.u, &next_.u, &f_, &P0_, &P_trial_}) v->assign(n_u, 0);
  q0_.assign(static_cast<std::size_t>(model_->n_q), 0);
  q_trial_ = q0_;
  if (drag_)
    for (auto* v : {&f_rates_, &base_}) v->assign(n_u, 0);
  if (rolls_) mean_rate_.assign(n, 0);
  if (springs_.rows.empty()) return;
  springs_.kind.assign(n, Spring::explicit_);
  springs_.law.assign(n, {});
  for (const int row : springs_.rows) {
    const auto i = static_cast<std::size_t>(row);
    springs_.law[i] = {&model_->laws[static_cast<std::size_t>(model_->rows[i].law)].law,
                       model_->rows[i].sign};
  }
  springs_.dashpot.assign(n, 0);
  for (End* end : {&now_, &next_})
    for (auto* v : {&end->rest, &end->stiffness, &end->damper}) v->assign(n, 0);
  if (springs_.functions.empty()) return;
  springs_.mean.assign(n, 0);
  springs_.is_function.assign(n, 0);
  for (const int row : springs_.functions) springs_.is_function[static_cast<std::size_t>(row)] = 1;
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

/// Separates equality constraints from all other rows (table_.others). The arrays of equality
/// constraints are set here alone, since no step changes them.
void Velocity::sort_rows(const model::State& state) {
  table_.others.clear();
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    const bool equality =
        now_.specs.is_equality(i) && state.on[static_cast<std::size_t>(model_->rows[i].joint)];
    table_.equality[i] = equality;
    table_.equality_length[i] = equality && !table_.is_angle[i];
    hold_[i] = equality ? Hold::position : Hold::nothing;
    if (!equality) table_.others.push_back(static_cast<int>(i));
    problem_.active[i] = equality;
    problem_.lo[i] = -kInf;
    problem_.hi[i] = kInf;
    impact_rate_[i] = kInf;
    problem_.target[i] = problem_.compliance[i] = first_.applied[i] = second_.applied[i] = 0;
  }
  solve::find_groups(kin_->graph(), table_.others, table_.others_group);
  if (!table_.others.empty()) problem_.place.resize(hold_.size());
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

/// True where a stiff function has h^2 k S_ii above kRigid on both sides of its force-free place,
/// as far out as the row is from there or moves in this step. A contact is not stiff on both sides,
/// and must return the energy that it stores. Needs now_.rest and now_.stiffness.
bool Velocity::pulls_both_ways(std::size_t i, double h) const {
  const double free = now_.at.g[i] + now_.rest[i] / now_.stiffness[i];
  const double way =
      std::abs(now_.rest[i] / now_.stiffness[i]) + std::abs(h * now_.rate[i]) + 1e-12;
  const double limit = kRigid / (h * h * inverse_mass_[i]);
  for (const double x : {free - way, free + way})
    if (-row_force(*model_, *params_, static_cast<int>(i), x, 0, now_.at.t).f_x <= limit)
      return false;
  return true;
}

Velocity::Hold Velocity::hold_of(const model::State& state, std::size_t i) const {
  const bool on = state.on[static_cast<std::size_t>(model_->rows[i].joint)] != 0;
  return constraint::hold_of(now_.specs[i], on, state.rows.yielded[i] != 0);
}

/// A spring that is stiff for this step becomes a row with compliance.
Velocity::Spring Velocity::spring_of(std::size_t i, double h) const {
  if (hold_[i] != Hold::force) return Spring::explicit_;
  const double stiff = h * h * now_.stiffness[i] * inverse_mass_[i];
  if (is_function(i) && stiff > kRigid && !pulls_both_ways(i, h)) return Spring::compliant;
  return stiff > kRigid       ? Spring::rigid
         : stiff > kCompliant ? Spring::compliant
                              : Spring::explicit_;
}

/// Returns the row's value at `at`, its rate at the start of the step of h, and its inverse mass.
constraint::RowMotion Velocity::motion(const model::KinematicsCache& at, std::size_t i,
                                       double h) const {
  constraint::RowMotion m;
  m.g = at.g[i];
  m.rate = now_.rate[i];
  m.h = h;
  m.inverse_mass = inverse_mass_[i];
  return m;
}

void Velocity::take(std::size_t i, const constraint::RowProblem& row) {
  problem_.active[i] = row.active;
  problem_.lo[i] = row.lo;
  problem_.hi[i] = row.hi;
  problem_.target[i] = row.rate;
}

void Velocity::assign_roles(const model::State& state, double h) {
  springs_.dampers = false;
  table_.for_others([&](std::size_t i) { hold_[i] = hold_of(state, i); });
  find_row_masses();
  if (!springs_.rows.empty())
    table_.for_others([&](std::size_t i) { springs_.kind[i] = spring_of(i, h); });
  unilateral_ = std::any_of(table_.others.begin(), table_.others.end(), [&](int row) {
    return hold_[static_cast<std::size_t>(row)] == Hold::unilateral;
  });
}

/// Computes into inverse_mass_ the inverse masses S_ii of the rows that do not just hold a
/// position, at the start of the step: of the row alone; with light bodies, with all position rows
/// held.
void Velocity::find_row_masses() {
  if (light_) return find_row_masses_held();
  for (std::size_t k = 0; k < table_.others.size(); ++k) {
    const int row = table_.others[k];
    const auto i = static_cast<std::size_t>(row);
    const bool holds = hold_[i] == Hold::nothing || hold_[i] == Hold::position;
    inverse_mass_[i] = holds && !now_.specs[i].bounded()
                           ? 0
                           : solve::inverse_mass_of_row(kin_->graph(), table_.others_group[k], row,
                                                        now_.at.J.data(), now_.at.inv_mass.data());
  }
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

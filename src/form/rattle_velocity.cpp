// Stage V of RATTLE: second half kick, and the multipliers m that bring the rows' rates to their
// targets.
#include <algorithm>
#include <cmath>

#include "form/solving.h"
#include "form/velocity.h"
#include "math/index.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using law::kInf;
constexpr double kDamped = 1e-12;    // least h c S_ii with which a damper is solved for
constexpr double kRowSpeed = 1e-11;  // residual of row rates allowed, as a share of fastest_row()
constexpr double kConeSpeed = 1e-8;  // the same where cones of friction are never met better
constexpr int kRefinements = 10;
constexpr int kRateIterations = 20;     // iterations on forces that depend on u+
constexpr double kForceChange = 1e-14;  // relative change of their impulses or speeds that is met
}  // namespace

/// Sets the rate that each row prescribes for u+, and puts the impulses of springs at q+ into
/// second_.applied. Needs the rows' values and J in next_.at.
void Velocity::begin_V(double h) {
  springs_.dampers = false;
  take_springs(next_.at, next_.rest, next_.stiffness);
  table_.for_others([&](std::size_t i) { begin_row_V(i, h); });
  constraint::follow_normals(cones_, problem_.active);
  for (const int row : springs_.rows) {
    const auto i = static_cast<std::size_t>(row);
    springs_.dampers |=
        problem_.active[i] && hold_[i] == Hold::force && springs_.kind[i] != Spring::rigid;
  }
}

void Velocity::begin_row_V(std::size_t i, double h) {
  constraint::RowMotion at = motion(next_.at, i, h);
  at.at_rest = problem_.bound[i] == 0;  // a row that has stuck in stage P may stick in V
  take(i, constraint::end_rate(hold_[i], next_.specs[i], at));
  problem_.compliance[i] = second_.applied[i] = 0;
  if (hold_[i] == Hold::force) begin_spring_V(i, h);
}

void Velocity::begin_spring_V(std::size_t i, double h) {
  problem_.active[i] = 1;
  problem_.target[i] = next_.damper[i] = 0;
  if (springs_.kind[i] == Spring::rigid) return;
  if (springs_.kind[i] == Spring::explicit_)
    second_.applied[i] = h / 2 * next_.rest[i];
  else  // the spring's part of L
    second_.applied[i] = springs_.dashpot[i] == 0 ? first_.rows[i] : spring_impulse(i, h);
  problem_.active[i] = springs_.damped[i] && inverse_mass_[i] > 0;
}

/// Linearises the dampers about the row rates next_.rate: m = h/2 (f_d + f_v (v - ju)), v the new
/// rate and ju = next_.rate, is a row with compliance and target. springs_.change becomes the error
/// of the linearisation before this one, as a row rate [m/s, rad/s].
void Velocity::linearise_dampers(double h) {
  springs_.change = 0;
  for (const int row : springs_.rows) {
    const auto i = static_cast<std::size_t>(row);
    if (!problem_.active[i] || hold_[i] != Hold::force || springs_.kind[i] == Spring::rigid)
      continue;
    const law::Force f = spring_force(i, next_.at.g[i], next_.rate[i], next_.at.t);
    const double c = std::max(-f.f_v, kDamped / (std::abs(h) * inverse_mass_[i]));
    next_.damper[i] = f.f - next_.rest[i];
    const double b = next_.rate[i] + next_.damper[i] / c;
    problem_.compliance[i] = 2 / (h * c);
    springs_.change = std::max(springs_.change, row_share(i) * std::abs(b - problem_.target[i]));
    problem_.target[i] = b;
  }
}

/// Returns the share S_ii/(S_ii + C) of a change of its target that a row's rate follows.
double Velocity::row_share(std::size_t i) const {
  if (problem_.compliance[i] == 0) return 1;
  return inverse_mass_[i] / (inverse_mass_[i] + std::abs(problem_.compliance[i]));
}

/// Sets the rates after impact of unilateral rows that have closed in this step. Their rates just
/// before the impact (impact_rate_) come from a solution without their impulses, which calm_ keeps.
bool Velocity::targets_after_impact(const std::vector<double>& base, StepReport& report) {
  bool impact = false;
  for (const int row : table_.others) {
    const auto i = static_cast<std::size_t>(row);
    if (!has_closed(i)) continue;
    problem_.hi[i] = problem_.lo[i] = problem_.target[i] = 0;
    impact = true;
  }
  if (!impact) return true;
  if (!solve_V(base, report)) return false;  // next_.rate: the rates just before the impact
  calm_ = second_.rows;
  for (const int row : table_.others) {
    const auto i = static_cast<std::size_t>(row);
    if (!has_closed(i)) continue;
    constraint::RowMotion at = motion(next_.at, i, 0);
    at.rate = impact_rate_[i] = next_.rate[i];
    for (const solve::Cone& c : cones_)
      for (int k = 0; k < c.n && c.normal == row; ++k)
        impact_rate_[at_(c.tangent[at_(k)])] = next_.rate[at_(c.tangent[at_(k)])];
    take(i, constraint::end_rate(hold_[i], next_.specs[i], at));
    report.bounds = true;
    const double speed = next_.specs[i].closing_speed(next_.at.g[i], next_.rate[i]);
    if (speed > constraint::kImpactSpeed)
      report.events.push_back({next_.at.t, EventKind::impact,
                               model_->joints[static_cast<std::size_t>(model_->rows[i].joint)].name,
                               "row " + model_->rows[i].name + " has closed", speed,
                               table_.is_angle[i] ? "rad/s" : "m/s"});
  }
  begin_rates_V(base);
  return true;
}

/// True where a unilateral row is at a stop that it was not at when the step began. Needs
/// begin_V().
bool Velocity::has_closed(std::size_t i) const {
  if (hold_[i] != Hold::unilateral || !problem_.active[i]) return false;
  const double before = now_.at.g[i];
  return !constraint::is_closed(now_.specs[i], before) ||
         constraint::side_of(now_.specs[i], before) !=
             constraint::side_of(next_.specs[i], next_.at.g[i]);
}

/// True where impulses act on unilateral rows that were closing when the step began: an impact.
bool Velocity::strikes(const model::ConstraintSpecs& specs, const model::KinematicsCache& at,
                       const std::vector<double>& impulse) const {
  return std::any_of(table_.others.begin(), table_.others.end(), [&](int row) {
    const auto i = static_cast<std::size_t>(row);
    return hold_[i] == Hold::unilateral && impulse[i] != 0 &&
           specs[i].closing_speed(at.g[i], now_.rate[i]) > constraint::kImpactSpeed;
  });
}

/// Sets the velocities and row rates that solve_V starts from: those of the momenta `base`, or in
/// exact steps those of the drift.
void Velocity::begin_rates_V(const std::vector<double>& base) {
  if (!exact_) return row_rates(next_.at, base, next_.u, next_.rate);
  next_.u = newton_.drift;
  rates_of(next_.at, next_.u, next_.rate);
}

/// Writes the residual of every row into q_rows_ and returns the greatest of those that must
/// vanish, which are all but rows at a bound [m/s, rad/s].
double Velocity::residual_V() {
  const double* ju = next_.rate.data();
  double* r = q_rows_.data();
  const float* equality = table_.equality.data();
  const double worst = table_.greatest([=](std::size_t i) {
    r[i] = ju[i];
    return equality[i] * std::abs(ju[i]);
  });
  const double other = table_.greatest_of_others([&](std::size_t i) {
    r[i] = problem_.active[i]
               ? ju[i] + problem_.compliance[i] * second_.rows[i] - problem_.target[i]
               : 0;
    const bool counts =
        !problem_.bound[i] && problem_.lo[i] < problem_.hi[i] && hold_[i] != Hold::friction;
    return counts ? row_share(i) * std::abs(r[i]) : 0;
  });
  return std::max({worst, other, cones_.empty() ? 0 : off_cones(second_.rows)});
}

/// Returns the greatest rate of any row, but at least 1 [m/s, rad/s].
double Velocity::fastest_row() const {
  return std::max(
      1.0, table_.greatest([ju = next_.rate.data()](std::size_t i) { return std::abs(ju[i]); }));
}

double Velocity::row_speed_allowed() const { return kRowSpeed * fastest_row(); }

/// Solves for m with the momenta `base`, after begin_rates_V(base). Then P_trial_, next_.u and
/// next_.rate are those of u+.
bool Velocity::solve_V(const std::vector<double>& base, StepReport& report) {
  if (exact_) return solve_exact_V(base, report);
  P_trial_ = base;
  std::fill(second_.rows.begin(), second_.rows.end(), 0.0);
  for (int k = 0; k <= kRefinements; ++k) {
    const double worst = residual_V();
    if (!std::isfinite(worst)) return false;
    if (k > 0 && worst <= row_speed_allowed()) break;
    if (!correct(*solver_, next_.at, rows(), q_rows_, second_.rows, problem_.bound, x_, report))
      return false;
    double* m = second_.rows.data();
    const double* x = x_.data();
    table_.for_rows([=](std::size_t i) { m[i] += x[i]; });
    apply(next_.at, x_, P_trial_);
    row_rates(next_.at, P_trial_, next_.u, next_.rate);
  }
  // cones need not have a solution (Painleve 1895), or none that is found
  return cones_.empty() || residual_V() <= kConeSpeed * fastest_row();
}

/// Evaluates the loads that depend on rates, at the velocities next_.u, into f.
void Velocity::load_forces_V(std::vector<double>& f) {
  kin_->rates_at_loads(q_trial_.data(), next_.u.data(), next_.at);
  std::fill(f.begin(), f.end(), 0.0);
  kin_->add_loads(next_.at, true, f.data());
}

/// Returns the greatest error of the rates of the rows that hold [m/s, rad/s].
double Velocity::worst_speed() const {
  const double* ju = next_.rate.data();
  const float* equality = table_.equality.data();
  const double worst =
      table_.greatest([=](std::size_t i) { return equality[i] * std::abs(ju[i]); });
  return std::max(worst, table_.greatest_of_others([&](std::size_t i) {
    const bool held =
        problem_.active[i] && problem_.bound[i] == 0 &&
        (hold_[i] == Hold::position || hold_[i] == Hold::rate || hold_[i] == Hold::friction ||
         (hold_[i] == Hold::force && springs_.kind[i] == Spring::rigid));
    return held ? std::abs(next_.rate[i] - problem_.target[i]) : 0;
  }));
}

bool Velocity::stage_V(model::State& state, double h, StepReport& report) {
  const bool drag = kin_->loads_need_rates();
  if (drag) {  // first guess of u+: extrapolated from u and the mean velocity v as 2 v - u
    if (exact_)
      next_.u = newton_.drift;
    else
      kin_->velocities(J_is_at_end_ && !both_ends_ ? next_.at : now_.at, state.P.data(),
                       next_.u.data());
    for (std::size_t i = 0; i < next_.u.size(); ++i) next_.u[i] = 2 * next_.u[i] - now_.u[i];
  }
  state.q = q_trial_;
  if (!exact_) state.P.swap(P_trial_);  // P_trial_: the momenta at the end of the flow of stage P
  if (!J_is_at_end_ && !exact_) {
    hand_over(now_.at, next_.at);
    kin_->jacobians(state, next_.at);
  }
  kin_->inverse_mass(state.q.data(), next_.at);
  solver_->invalidate();
  if (next_.at.lost_joint >= 0) return false;
  begin_V(h);
  if (drag) load_forces_V(f_rates_);
  take_forces(next_.at);
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] += h / 2 * f_[i];
  apply_forces(next_.at, second_.applied, state.P);
  for (int k = 0; k < kRateIterations; ++k) {
    if (drag)
      for (std::size_t i = 0; i < base_.size(); ++i) base_[i] = state.P[i] + h / 2 * f_rates_[i];
    const std::vector<double>& base = drag ? base_ : state.P;
    begin_rates_V(base);
    if (k == 0) {
      if (springs_.dampers) linearise_dampers(h);
      if (unilateral_ && !targets_after_impact(base, report)) return false;
    }
    if (!solve_V(base, report)) return false;
    // are the forces at the velocities found the ones that were applied?
    double change = 0, scale = 1;
    if (springs_.dampers) {
      linearise_dampers(h);
      change = springs_.change;
      for (const double r : next_.rate) scale = std::max(scale, std::abs(r));
    }
    if (drag) {
      f_.swap(f_rates_);
      load_forces_V(f_rates_);
      double off = 0, momentum = 0;
      for (std::size_t i = 0; i < f_.size(); ++i) {
        off = std::max(off, std::abs(h / 2 * (f_[i] - f_rates_[i])));
        momentum = std::max(momentum, std::abs(P_trial_[i]));
      }
      if (momentum > 0) change = std::max(change, scale * off / momentum);
    }
    if (change <= kForceChange * scale) break;
  }
  state.P.swap(P_trial_);
  // u and row rates as load() computes them from the momenta
  if (exact_ && !light_) row_rates(next_.at, state.P, next_.u, next_.rate);
  if (!model_->loads.empty() && !drag)
    kin_->rates_at_loads(state.q.data(), next_.u.data(), next_.at);
  add_outside(now_, first_.rows, first_.applied, h / 2, report);
  next_.outside_known = false;
  add_outside(next_, second_.rows, second_.applied, h / 2, report);
  report.row_speed = worst_speed();
  return true;
}

}  // namespace trammel::form

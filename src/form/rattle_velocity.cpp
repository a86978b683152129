// Stage V of RATTLE: second half kick, and the multipliers m that bring the rows' rates to their
// demand.
#include <algorithm>
#include <cmath>

#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using law::kInf;
constexpr double kDamped = 1e-12;    // least h c S that a damper is solved with
constexpr double kRowSpeed = 1e-11;  // |J u| allowed, times the speed of the rows [m/s, rad/s]
constexpr int kRefinements = 10;
constexpr int kRateIterations = 20;     // of forces that depend on u+
constexpr double kForceChange = 1e-14;  // of their impulses or speeds, relative
}  // namespace

/// What each row demands of u+: bounds, target_, which rows take part. Forces of springs at q+ go
/// into impulse_V_.
void Velocity::demand_V(double h) {
  dampers_ = false;
  take_springs(next_, rest_next_, stiffness_next_);
  for_others([&](std::size_t i) { demand_row_V(i, h); });
  for (const int row : force_rows_) {
    const auto i = static_cast<std::size_t>(row);
    dampers_ |= active_[i] && hold_[i] == Hold::force && spring_[i] != Spring::rigid;
  }
}

void Velocity::demand_row_V(std::size_t i, double h) {
  constraint::RowMotion at = motion(next_, i, h);
  at.at_rest = set_[i] == 0;  // it holds in V what has held in P
  take(i, constraint::end_rate(hold_[i], demands_next_[i], at));
  compliance_[i] = impulse_V_[i] = 0;
  if (hold_[i] == Hold::force) demand_spring_V(i, h);
}

void Velocity::demand_spring_V(std::size_t i, double h) {
  active_[i] = 1;
  target_[i] = 0;
  if (spring_[i] == Spring::rigid) return;
  if (spring_[i] == Spring::explicit_)
    impulse_V_[i] = h / 2 * rest_next_[i];
  else  // the spring's part of L
    impulse_V_[i] = dashpot_[i] == 0 ? L_[i] : spring_impulse(i, h);
  inverse_mass_[i] = row_mass_inverse(i);
  active_[i] = damped_[i] && inverse_mass_[i] > 0;
}

/// Dampers about the row rates ju_: m = h/2 (f_d + f_v (v - ju)) is a row with compliance and
/// target. damper_change_ is how far f was from being linear, as a speed of the row.
void Velocity::linearise_dampers(double h) {
  damper_change_ = 0;
  for (const int row : force_rows_) {
    const auto i = static_cast<std::size_t>(row);
    if (!active_[i] || hold_[i] != Hold::force || spring_[i] == Spring::rigid) continue;
    const law::Force f =
        row_force(*model_, *params_, static_cast<int>(i), next_.g[i], ju_[i], next_.t);
    const double c = std::max(-f.f_v, kDamped / (std::abs(h) * inverse_mass_[i]));
    damper_next_[i] = f.f - rest_next_[i];
    const double b = ju_[i] + damper_next_[i] / c;
    compliance_[i] = 2 / (h * c);
    damper_change_ = std::max(damper_change_, row_share(i) * std::abs(b - target_[i]));
    target_[i] = b;
  }
}

/// What of a change of a row's target its rate follows: S/(S + C).
double Velocity::row_share(std::size_t i) const {
  if (compliance_[i] == 0) return 1;
  return inverse_mass_[i] / (inverse_mass_[i] + std::abs(compliance_[i]));
}

/// Rows that have closed in this step rebound with the velocity just before the blow: that of a
/// solution without their impulses.
bool Velocity::targets_after_blow(const std::vector<double>& base, StepReport& report) {
  bool blow = false;
  for (const int row : others_) {
    const auto i = static_cast<std::size_t>(row);
    if (!has_closed(i)) continue;
    hi_[i] = lo_[i] = target_[i] = 0;
    blow = true;
  }
  if (!blow) return true;
  if (!solve_V(base, report)) return false;  // ju_: the velocities before the blow
  calm_ = m_;
  for (const int row : others_) {
    const auto i = static_cast<std::size_t>(row);
    if (!has_closed(i)) continue;
    constraint::RowMotion at = motion(next_, i, 0);
    at.rate = blow_[i] = ju_[i];
    take(i, constraint::end_rate(hold_[i], demands_next_[i], at));
    report.bounds = true;
    const double speed = constraint::side_of(demands_next_[i], next_.g[i]) * ju_[i];
    if (speed < -constraint::kBlow)
      report.events.push_back({next_.t, "impact",
                               model_->joints[static_cast<std::size_t>(model_->rows[i].joint)].name,
                               "row " + model_->rows[i].name + " has closed", -speed, "m/s"});
  }
  begin_rates_V(base);
  return true;
}

/// Whether a unilateral row has come to a stop in this step that it was not at when it began.
bool Velocity::has_closed(std::size_t i) const {
  if (hold_[i] != Hold::gap || !active_[i]) return false;
  const double before = now_.g[i];
  return !constraint::is_closed(demands_[i], before) ||
         constraint::side_of(demands_[i], before) !=
             constraint::side_of(demands_next_[i], next_.g[i]);
}

/// Whether impulses of unilateral rows stop what ran in when the step began.
bool Velocity::strikes(const model::Demands& demands, const model::Instant& at,
                       const std::vector<double>& impulse) const {
  return std::any_of(others_.begin(), others_.end(), [&](int row) {
    const auto i = static_cast<std::size_t>(row);
    return hold_[i] == Hold::gap && impulse[i] != 0 &&
           constraint::side_of(demands[i], at.g[i]) * ju0_[i] < -constraint::kBlow;
  });
}

/// Velocities and row rates that solve_V begins with: those of the momenta, or near them.
void Velocity::begin_rates_V(const std::vector<double>& base) {
  if (!exact_) return row_rates(next_, base, v_, ju_);
  v_ = drift_;
  rates_of(next_, v_, ju_);
}

/// Residual of every row at ju_ and m_ into q_rows_; the greatest of those that are to vanish.
double Velocity::residual_V() {
  const double* ju = ju_.data();
  double* r = q_rows_.data();
  const float* plain = plain_.data();
  const double worst = greatest([=](std::size_t i) {
    r[i] = ju[i];
    return plain[i] * std::abs(ju[i]);
  });
  return std::max(worst, greatest_of_others([&](std::size_t i) {
                    r[i] = active_[i] ? ju[i] + compliance_[i] * m_[i] - target_[i] : 0;
                    return !set_[i] && lo_[i] < hi_[i] ? row_share(i) * std::abs(r[i]) : 0;
                  }));
}

/// At least 1 [m/s, rad/s].
double Velocity::fastest_row() const {
  return std::max(1.0, greatest([ju = ju_.data()](std::size_t i) { return std::abs(ju[i]); }));
}

double Velocity::row_speed_allowed() const { return kRowSpeed * fastest_row(); }

/// m for the momenta `base`, whose velocities and row rates are in v_ and ju_; afterwards P_trial_,
/// v_ and ju_ are those of u+.
bool Velocity::solve_V(const std::vector<double>& base, StepReport& report) {
  if (exact_) return solve_exact_V(base, report);
  P_trial_ = base;
  std::fill(m_.begin(), m_.end(), 0.0);
  for (int k = 0; k <= kRefinements; ++k) {
    const double worst = residual_V();
    if (!std::isfinite(worst)) return false;
    if (k > 0 && worst <= row_speed_allowed()) break;
    if (!solver_->correct(next_, rows(), q_rows_, m_, set_, x_, report)) return false;
    double* m = m_.data();
    const double* x = x_.data();
    for_rows([=](std::size_t i) { m[i] += x[i]; });
    apply(next_, x_, P_trial_);
    row_rates(next_, P_trial_, v_, ju_);
  }
  return true;
}

/// Loads that depend on rates, at the velocities v_.
void Velocity::load_forces_V(std::vector<double>& f) {
  kin_->rates(q_trial_.data(), v_.data(), next_);
  std::fill(f.begin(), f.end(), 0.0);
  kin_->add_loads(next_, true, f.data());
}

/// Of the rows that are held [m/s, rad/s].
double Velocity::worst_speed() const {
  const double* ju = ju_.data();
  const float* plain = plain_.data();
  const double worst = greatest([=](std::size_t i) { return plain[i] * std::abs(ju[i]); });
  return std::max(worst, greatest_of_others([&](std::size_t i) {
                    const bool held = active_[i] && set_[i] == 0 &&
                                      (hold_[i] == Hold::position || hold_[i] == Hold::rate ||
                                       (hold_[i] == Hold::force && spring_[i] == Spring::rigid));
                    return held ? std::abs(ju_[i] - target_[i]) : 0;
                  }));
}

bool Velocity::stage_V(model::State& state, double h, StepReport& report) {
  const bool drag = kin_->loads_need_rates();
  if (drag) {  // first guess of u+: as far beyond the mean velocity as u is before it
    if (exact_)
      v_ = drift_;
    else
      kin_->velocities(now_, state.P.data(), v_.data());
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = 2 * v_[i] - u_[i];
  }
  state.q = q_trial_;
  if (!exact_) state.P.swap(P_trial_);  // its flow has left it as it is
  if (!has_J_ && !exact_) {
    hand_over(now_, next_);
    kin_->jacobians(state, next_);
  }
  kin_->inverse_mass(state.q.data(), next_);
  solver_->invalidate();
  if (next_.lost_joint >= 0) return false;
  demand_V(h);
  if (drag) load_forces_V(f_rates_);
  std::fill(f_.begin(), f_.end(), 0.0);
  kin_->add_gravity(next_, f_.data());
  kin_->add_loads(next_, false, f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] += h / 2 * f_[i];
  apply_forces(next_, impulse_V_, state.P);
  for (int k = 0; k < kRateIterations; ++k) {
    if (drag)
      for (std::size_t i = 0; i < base_.size(); ++i) base_[i] = state.P[i] + h / 2 * f_rates_[i];
    const std::vector<double>& base = drag ? base_ : state.P;
    begin_rates_V(base);
    if (k == 0) {
      if (dampers_) linearise_dampers(h);
      if (floors_ && !targets_after_blow(base, report)) return false;
    }
    if (!solve_V(base, report)) return false;
    // forces at the velocities found: are they the ones applied?
    double change = 0, scale = 1;
    if (dampers_) {
      linearise_dampers(h);
      change = damper_change_;
      for (const double r : ju_) scale = std::max(scale, std::abs(r));
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
  if (exact_ && !light_) row_rates(next_, state.P, v_, ju_);  // as load() has them
  if (!model_->loads.empty() && !drag) kin_->rates(state.q.data(), v_.data(), next_);
  add_outside(now_, L_, impulse_, h / 2, report);
  add_outside(next_, m_, impulse_V_, h / 2, report);
  report.row_speed = worst_speed();
  return true;
}

}  // namespace trammel::form

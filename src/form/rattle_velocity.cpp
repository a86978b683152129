// Stage V of RATTLE: second half kick, and the multipliers m that bring the rows' rates to their
// demand.
#include <algorithm>
#include <cmath>

#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using law::kInf;
constexpr double kDamped = 1e-12;      // h c S below this: the damper is left explicit
constexpr double kRowSpeed = 1e-11;    // |J u| allowed, times the speed of the rows [m/s, rad/s]
constexpr int kRefinements = 10;
constexpr int kRateIterations = 20;    // of forces that depend on u+
}  // namespace

/// What each row demands of u+: bounds, target_, which rows take part. Forces of springs at q+ go into
/// impulse_V_.
void Velocity::demand_V(const model::State& state, double h) {
  dampers_ = false;
  const double half = std::abs(h) / 2;
  for (std::size_t i = 0; i < role_.size(); ++i) {
    const law::Demand& d = demands_next_[i];
    active_[i] = 1;
    compliance_[i] = impulse_V_[i] = 0;
    lo_[i] = -kInf;
    hi_[i] = kInf;
    target_[i] = d.target.v;
    switch (role_[i]) {
      case Role::off: active_[i] = 0; break;
      case Role::hold:
      case Role::servo: lo_[i] = half * d.lo, hi_[i] = half * d.hi; break;
      case Role::slip:
        lo_[i] = half * d.lo, hi_[i] = half * d.hi;
        target_[i] -= d.erp / h * (next_.g[i] - d.target.x);
        break;
      case Role::floor:
        lo_[i] = 0;
        active_[i] = next_.g[i] - d.target.x <= model::kClosed;
        target_[i] -= d.restitution * std::min(0.0, ju0_[i] - demands_[i].target.v);
        break;
      case Role::rigid: target_[i] = 0; break;
      case Role::soft:
      case Role::compliant: {
        const law::Force f = row_force(*model_, *params_, static_cast<int>(i), next_.g[i], ju0_[i],
                                       state.t + h);
        const bool soft = role_[i] == Role::soft;
        if (soft)
          impulse_V_[i] = h / 2 * row_force(*model_, *params_, static_cast<int>(i), next_.g[i], 0,
                                            state.t + h).f;
        else
          impulse_V_[i] = L_[i];
        active_[i] = -f.f_v * h * direct_->diagonal()[i] > kDamped;
        if (active_[i]) compliance_[i] = -2 / (h * f.f_v);
        dampers_ |= active_[i] != 0;
        break;
      }
    }
  }
}

/// Dampers about the row rates ju_: m = h/2 (f_d + f_v (v - ju)) is a row with compliance and target.
/// damper_change_ is how far f was from being linear.
void Velocity::linearise_dampers(double h) {
  damper_change_ = 0;
  for (std::size_t i = 0; i < role_.size(); ++i) {
    if (!active_[i] || (role_[i] != Role::soft && role_[i] != Role::compliant)) continue;
    const int row = static_cast<int>(i);
    const double rest = row_force(*model_, *params_, row, next_.g[i], 0, next_.t).f;
    const law::Force f = row_force(*model_, *params_, row, next_.g[i], ju_[i], next_.t);
    const double c = -f.f_v, b = (f.f - rest + c * ju_[i]) / c;
    damper_change_ = std::max(damper_change_, std::abs(b - target_[i]));
    if (c > 0) {
      compliance_[i] = 2 / (h * c);
      target_[i] = b;
    }
  }
}

/// Rows that have closed in this step rebound with the velocity just before the blow: that of a
/// solution without their impulses.
void Velocity::targets_after_blow(StepReport& report) {
  const std::vector<double> hi = hi_;
  bool blow = false;
  for (std::size_t i = 0; i < role_.size(); ++i) {
    if (role_[i] != Role::floor || !active_[i]) continue;
    if (now_.g[i] - demands_[i].target.x <= model::kClosed) continue;
    hi_[i] = lo_[i] = 0;
    target_[i] = demands_next_[i].target.v;
    blow = true;
  }
  if (!blow) return;
  for (std::size_t i = 0; i < x_.size(); ++i) q_rows_[i] = ju_[i] - target_[i];
  std::fill(x_.begin(), x_.end(), 0.0);
  solve_rows(next_, q_rows_, report);
  std::vector<double> P = base_;
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = active_[i] ? x_[i] : 0;
  apply(next_, x_, P);
  std::vector<double> before(ju_.size());
  row_rates(next_, P, v_, before);
  for (std::size_t i = 0; i < role_.size(); ++i) {
    if (hi_[i] == hi[i]) continue;
    const double blow_speed = std::min(0.0, before[i] - target_[i]);
    target_[i] -= demands_next_[i].restitution * blow_speed;
    hi_[i] = hi[i];
    report.bounds = true;
    if (blow_speed < -1e-6)
      report.events.push_back({next_.t, "impact",
                               model_->joints[static_cast<std::size_t>(model_->rows[i].joint)].name,
                               "row " + model_->rows[i].name + " has closed", -blow_speed, "m/s"});
  }
}

/// m from the velocities in P_trial_ = base_; afterwards P_trial_, u (v_) and ju_ are those of u+.
bool Velocity::solve_V(StepReport& report) {
  P_trial_ = base_;
  row_rates(next_, P_trial_, v_, ju_);
  std::fill(m_.begin(), m_.end(), 0.0);
  for (int k = 0; k <= kRefinements; ++k) {
    double worst = 0, scale = 1;
    for (std::size_t i = 0; i < m_.size(); ++i) {
      q_rows_[i] = active_[i] ? ju_[i] + compliance_[i] * m_[i] - target_[i] : 0;
      worst = std::max(worst, std::abs(q_rows_[i]));
      scale = std::max(scale, std::abs(ju_[i]));
    }
    if (!std::isfinite(worst)) return false;
    if (k > 0 && (boxed_ || worst <= kRowSpeed * scale)) break;
    if (boxed_) x_ = m_;
    if (!solve_rows(next_, q_rows_, report)) return false;
    for (std::size_t i = 0; i < m_.size(); ++i) m_[i] += x_[i] = active_[i] ? x_[i] : 0;
    apply(next_, x_, P_trial_);
    row_rates(next_, P_trial_, v_, ju_);
  }
  return true;
}

bool Velocity::stage_V(model::State& state, double h, StepReport& report) {
  state.q = q_trial_;
  state.P = P_trial_;
  kin_->inverse_mass(state.q.data(), next_);
  kin_->jacobians(state, next_);
  factored_ = false;
  if (next_.lost_joint >= 0) return false;
  demand_V(state, h);
  std::fill(f_.begin(), f_.end(), 0.0);
  kin_->add_gravity(next_, f_.data());
  kin_->add_loads(next_, false, f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] += h / 2 * f_[i];
  apply(next_, impulse_V_, state.P);
  base_ = state.P;
  row_rates(next_, base_, v_, ju_);
  if (boxed_) targets_after_blow(report);
  const bool iterate = kin_->loads_need_rates() || dampers_;
  rate_guess_ = u_;
  for (int k = 0; k < (iterate ? kRateIterations : 1); ++k) {
    if (dampers_) linearise_dampers(h);
    if (kin_->loads_need_rates()) {
      kin_->rates(state.q.data(), rate_guess_.data(), next_);
      std::fill(f_.begin(), f_.end(), 0.0);
      kin_->add_loads(next_, true, f_.data());
      for (std::size_t i = 0; i < f_.size(); ++i) base_[i] = state.P[i] + h / 2 * f_[i];
    }
    if (!solve_V(report)) return false;
    double change = dampers_ && k == 0 ? 1 : damper_change_, scale = 1;
    if (kin_->loads_need_rates()) change = std::max(change, k == 0 ? 1.0 : 0.0);
    for (std::size_t i = 0; i < v_.size(); ++i) {
      if (kin_->loads_need_rates()) change = std::max(change, std::abs(v_[i] - rate_guess_[i]));
      scale = std::max(scale, std::abs(v_[i]));
    }
    rate_guess_ = v_;
    if (change <= 1e-13 * scale) break;
  }
  state.P = P_trial_;
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = L_[i] + impulse_[i];
  add_outside(now_, x_, h / 2, report);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = m_[i] + impulse_V_[i];
  add_outside(next_, x_, h / 2, report);
  report.row_speed = 0;
  for (std::size_t i = 0; i < m_.size(); ++i)
    if (active_[i] && (role_[i] == Role::hold || role_[i] == Role::rigid) && set_[i] == 0)
      report.row_speed = std::max(report.row_speed, std::abs(ju_[i] - target_[i]));
  return true;
}

}  // namespace trammel::form

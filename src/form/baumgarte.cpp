// The classical form: semi-implicit Euler with J u+ = c' - erp/h (g - c).
#include <algorithm>
#include <cmath>

#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

bool Velocity::baumgarte(model::State& state, double h, StepReport& report) {
  std::fill(f_.begin(), f_.end(), 0.0);
  kin_->add_gravity(now_, f_.data());
  kin_->add_loads(now_, false, f_.data());
  if (kin_->loads_need_rates()) kin_->add_loads(now_, true, f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] += h * f_[i];
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    hold_[i] = hold_of(state, i);
    if (!force_rows_.empty()) spring_[i] = Spring::explicit_;
    take(i, constraint::stabilised_rate(hold_[i], demands_[i], demands_next_[i], motion(now_, i, h),
                                        settings_.erp));
    compliance_[i] = impulse_[i] = impulse_V_[i] = L_[i] = 0;
    if (hold_[i] == Hold::force)
      impulse_[i] =
          h * row_force(*model_, *params_, static_cast<int>(i), now_.g[i], ju0_[i], state.t).f;
  }
  apply(now_, impulse_, state.P);
  row_rates(now_, state.P, v_, ju_);
  for (std::size_t i = 0; i < m_.size(); ++i) q_rows_[i] = active_[i] ? ju_[i] - target_[i] : 0;
  set_ = state.rows.bound;
  std::fill(m_.begin(), m_.end(), 0.0);
  solver_->invalidate();
  if (!solver_->correct(now_, rows(), q_rows_, m_, set_, x_, report)) return false;
  m_ = x_;
  report.struck |= strikes(demands_, now_, m_);
  apply(now_, m_, state.P);
  add_outside(now_, m_, impulse_, h, report);
  kin_->flow(h, q0_.data(), state.P.data(), q_trial_.data(), P_trial_.data());
  state.q = q_trial_;
  state.P = P_trial_;
  next_.arc = now_.arc;
  hand_over(now_, next_);
  kin_->place(state.q.data(), state.t + h, next_);
  kin_->inverse_mass(state.q.data(), next_);
  kin_->jacobians(state, next_);
  row_rates(next_, state.P, v_, ju_);
  if (!model_->loads.empty()) kin_->rates(state.q.data(), v_.data(), next_);
  for (std::size_t i = 0; i < m_.size(); ++i)
    if (hold_[i] == Hold::position)
      report.row_speed = std::max(report.row_speed, std::abs(ju_[i] - demands_next_[i].target.v));
  explicit_dampers(ju0_);
  return next_.lost_joint < 0;
}

}  // namespace trammel::form

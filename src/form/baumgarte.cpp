// Baumgarte's classical form: semi-implicit Euler with J u+ = c' - erp/h (g - c).
#include <algorithm>
#include <cmath>

#include "form/solving.h"
#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

bool Velocity::baumgarte(model::State& state, double h, StepReport& report) {
  std::fill(f_.begin(), f_.end(), 0.0);
  kin_->add_gravity(now_.at, f_.data());
  kin_->add_loads(now_.at, false, f_.data());
  if (kin_->loads_need_rates()) kin_->add_loads(now_.at, true, f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] += h * f_[i];
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    hold_[i] = hold_of(state, i);
    if (!springs_.rows.empty()) springs_.kind[i] = Spring::explicit_;
    take(i, constraint::stabilised_rate(hold_[i], now_.specs[i], next_.specs[i],
                                        motion(now_.at, i, h), settings_.erp));
    problem_.compliance[i] = first_.applied[i] = second_.applied[i] = first_.rows[i] = 0;
    if (hold_[i] == Hold::force)
      first_.applied[i] =
          h *
          row_force(*model_, *params_, static_cast<int>(i), now_.at.g[i], now_.rate[i], state.t).f;
  }
  constraint::follow_normals(cones_, problem_.active);
  apply(now_.at, first_.applied, state.P);
  row_rates(now_.at, state.P, next_.u, next_.rate);
  for (std::size_t i = 0; i < second_.rows.size(); ++i)
    q_rows_[i] = problem_.active[i] ? next_.rate[i] - problem_.target[i] : 0;
  problem_.bound = state.rows.bound;
  std::fill(second_.rows.begin(), second_.rows.end(), 0.0);
  solver_->invalidate();
  if (!correct(*solver_, now_.at, rows(), q_rows_, second_.rows, problem_.bound, x_, report))
    return false;
  second_.rows = x_;
  report.struck |= strikes(now_.specs, now_.at, second_.rows);
  apply(now_.at, second_.rows, state.P);
  add_outside(now_, second_.rows, first_.applied, h, report);
  kin_->flow(h, q0_.data(), state.P.data(), q_trial_.data(), P_trial_.data());
  state.q = q_trial_;
  state.P = P_trial_;
  next_.at.arc = now_.at.arc;
  hand_over(now_.at, next_.at);
  kin_->transforms(state.q.data(), state.t + h, next_.at);
  kin_->inverse_mass(state.q.data(), next_.at);
  kin_->jacobians(state, next_.at);
  row_rates(next_.at, state.P, next_.u, next_.rate);
  if (!model_->loads.empty()) kin_->rates_at_loads(state.q.data(), next_.u.data(), next_.at);
  for (std::size_t i = 0; i < second_.rows.size(); ++i)
    if (hold_[i] == Hold::position)
      report.row_speed =
          std::max(report.row_speed, std::abs(next_.rate[i] - next_.specs[i].target.v));
  explicit_dampers(now_.rate);
  return next_.at.lost_joint < 0;
}

}  // namespace trammel::form

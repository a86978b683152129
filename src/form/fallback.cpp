// The step of a singular pose: where stage P does not contract, the rows act on the mean velocity
// at the mid-point, then positions and velocities are projected.
#include <algorithm>
#include <cmath>

#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

bool Velocity::fallback(model::State& state, double h, StepReport& report) {
  report.fallback = report.bounds = true;
  next_.arc = now_.arc;
  hand_over(now_, next_);
  // to the mid-point with the old velocity
  for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = h / 2 * u_[i];
  kin_->retract(v_.data(), state.q.data());
  kin_->place(state.q.data(), state.t + h / 2, next_);
  kin_->inverse_mass(state.q.data(), next_);
  kin_->jacobians(state, next_);
  if (next_.lost_joint >= 0) return false;
  row_rates(next_, state.P, v_, ju0_);
  std::fill(f_.begin(), f_.end(), 0.0);
  if (kin_->loads_need_rates()) kin_->rates(state.q.data(), u_.data(), next_);
  kin_->add_gravity(next_, f_.data());
  kin_->add_loads(next_, false, f_.data());
  if (kin_->loads_need_rates()) kin_->add_loads(next_, true, f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] += h * f_[i];
  const double full = std::abs(h);
  for (std::size_t i = 0; i < role_.size(); ++i) {
    const law::Demand &d0 = demands_[i], &d1 = demands_next_[i];
    compliance_[i] = impulse_[i] = impulse_V_[i] = L_[i] = 0;
    lo_[i] = full * d0.lo;
    hi_[i] = full * d0.hi;
    active_[i] = role_[i] != Role::off && d0.level != law::Level::force;
    if (role_[i] == Role::floor) {
      push_only(i, law::to_stop(d0, next_.g[i]).side);
      active_[i] = law::to_stop(d0, next_.g[i]).gap <= model::kClosed;
    }
    target_[i] = (d0.target.v + d1.target.v) / 2;
    if (d0.level == law::Level::force && role_[i] != Role::off)
      impulse_[i] =
          h *
          row_force(*model_, *params_, static_cast<int>(i), next_.g[i], ju0_[i], state.t + h / 2).f;
  }
  apply(next_, impulse_, state.P);
  row_rates(next_, state.P, v_, ju_);
  for (std::size_t i = 0; i < role_.size(); ++i)  // (J u + J u+)/2 = target; servos: J u+ = target
    q_rows_[i] = role_[i] == Role::servo ? ju_[i] - target_[i] : ju0_[i] + ju_[i] - 2 * target_[i];
  set_ = state.set;
  solver_->invalidate();
  for (int k = 0; k < 2; ++k) {  // the second pass is for redundant rows
    if (!solver_->correct(next_, rows(), q_rows_, L_, set_, x_, report)) return false;
    for (std::size_t i = 0; i < x_.size(); ++i) L_[i] += x_[i];
    apply(next_, x_, state.P);
    row_rates(next_, state.P, v_, ju_);
    for (std::size_t i = 0; i < role_.size(); ++i)
      q_rows_[i] =
          role_[i] == Role::servo ? ju_[i] - target_[i] : ju0_[i] + ju_[i] - 2 * target_[i];
  }
  add_outside(next_, L_, impulse_, h, report);
  for (std::size_t i = 0; i < v_.size(); ++i) v_[i] *= h / 2;
  kin_->retract(v_.data(), state.q.data());
  // onto the rows; State::t is the projector's time
  const double t0 = state.t;
  state.t = t0 + h;
  Vec3 p = Vec3::Zero(), before = p, after = p;
  kin_->momentum(state.q.data(), state.P.data(), p, before);
  const auto moved =
      projector().position(demands_next_, std::max(settings_.tolerance, 1e-13), state, next_);
  kin_->momentum(state.q.data(), state.P.data(), p, after);
  report.corrected += after - before;
  m_ = projector().velocity(demands_next_, state, next_).impulses;
  add_outside(next_, m_, {}, 0, report);
  state.t = t0;
  std::fill(set_.begin(), set_.end(), static_cast<signed char>(0));
  row_rates(next_, state.P, v_, ju_);
  if (!model_->loads.empty()) kin_->rates(state.q.data(), v_.data(), next_);
  report.row_speed = 0;
  for (std::size_t i = 0; i < role_.size(); ++i)
    if (role_[i] == Role::hold)
      report.row_speed = std::max(report.row_speed, std::abs(ju_[i] - demands_next_[i].target.v));
  solver_->invalidate();
  explicit_dampers(ju0_);
  return moved.residual < 1e-8 && next_.lost_joint < 0;
}

}  // namespace trammel::form

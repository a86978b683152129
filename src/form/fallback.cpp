// The step of a singular pose: where stage P does not contract, the rows act on the mean velocity
// at the mid-point, then positions and velocities are projected.
#include <algorithm>
#include <cmath>

#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
constexpr int kForceIterations = 30;    // of stiff forces that are not linear
constexpr double kStiffChange = 1e-13;  // of their impulses, relative
constexpr double kImplicit = 1e-3;      // least dF of an impulse F by its own rate, times S
}  // namespace

/// Velocities and row rates of the momenta P at the mid-point; of light bodies those found last.
void Velocity::rates_at_mid(const std::vector<double>& P) {
  if (light_)
    rates_of(next_, v_, ju_);
  else
    row_rates(next_, P, v_, ju_);
}

/// A force row over the step: its mean force at the mean rate, of which x_mid is where it is half
/// way at the rates before. Stiff, it is a row with compliance; else explicit.
void Velocity::force_at_mid(std::size_t i, double x_mid, double t, double h) {
  const int row = static_cast<int>(i);
  const double to = 2 * x_mid - now_.g[i] + h / 2 * (ju_[i] - ju0_[i]), x = (now_.g[i] + to) / 2,
               rate = (ju0_[i] + ju_[i]) / 2;
  const law::Force all = row_force(*model_, *params_, row, x, rate, t),
                   rest = row_force(*model_, *params_, row, x, 0, t);
  const model::MeanForce mean = row_mean_force(*model_, *params_, row, now_.g[i], to, t);
  const double F = h * (mean.f + all.f - rest.f);
  const double slope = -h / 2 * (h * mean.f_to + all.f_v);  // of F, by the rate at the end
  damper_[i] = damper_next_[i] = all.f - rest.f;
  compliance_[i] = 0;
  q_rows_[i] = 0;
  if (!active_[i]) return;
  compliance_[i] = 1 / std::max(slope, kImplicit / std::max(row_mass_inverse(i), 1e-300));
  q_rows_[i] = compliance_[i] * (L_[i] - F);
}

/// Whether a force row is to be implicit in the fallback.
bool Velocity::stiff_at_mid(std::size_t i, double x_mid, double t, double h) const {
  const int row = static_cast<int>(i);
  const double way = h / 2 * std::abs(ju0_[i]);
  double slope = 0;
  for (const double x : {now_.g[i], x_mid, x_mid - way, x_mid + way}) {
    const law::Force f = row_force(*model_, *params_, row, x, ju0_[i], t);
    slope = std::max(slope, -h / 4 * (h * f.f_x + 2 * f.f_v));
  }
  return slope * row_mass_inverse(i) > 1. / 16;
}

/// What each row asks of the mean of old and new rate; servos of the new one.
void Velocity::residual_at_mid(const std::vector<double>& x_mid, double t, double h) {
  for (std::size_t i = 0; i < hold_.size(); ++i)
    q_rows_[i] = hold_[i] == Hold::rate ? ju_[i] - target_[i] : ju0_[i] + ju_[i] - 2 * target_[i];
  for (const int row : force_rows_)
    if (const auto i = static_cast<std::size_t>(row); active_[i]) force_at_mid(i, x_mid[i], t, h);
}

void Velocity::begin_at_mid(double h) {
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    take(i, constraint::mean_rate(hold_[i], demands_[i], demands_next_[i], motion(next_, i, h)));
    compliance_[i] = impulse_[i] = impulse_V_[i] = L_[i] = 0;
  }
  const double t = now_.t + h / 2;
  for (const int row : force_rows_) {
    const auto i = static_cast<std::size_t>(row);
    dashpot_[i] = damper_[i] = damper_next_[i] = 0;
    if (hold_[i] == Hold::nothing) continue;
    lo_[i] = -law::kInf;
    hi_[i] = law::kInf;
    ju_[i] = ju0_[i];
    active_[i] = stiff_at_mid(i, next_.g[i], t, h);
    if (active_[i]) continue;
    const law::Force f = row_force(*model_, *params_, row, next_.g[i], ju0_[i], t);
    impulse_[i] = h * f.f;
    damper_[i] = damper_next_[i] = f.f - row_force(*model_, *params_, row, next_.g[i], 0, t).f;
  }
}

/// Impulses L_ and momenta P at the mid-point. False: no solution.
bool Velocity::solve_at_mid(std::vector<double>& P, double h, StepReport& report) {
  const std::vector<double> x_mid = next_.g;
  const double t = now_.t + h / 2;
  bool functions = false;
  for (const int row : force_rows_) functions |= active_[static_cast<std::size_t>(row)] != 0;
  if (light_)
    kin_->drift(0, q_trial_.data(), v_.data(), r_momenta_.data(), mass_.data(), turn_.data());
  for (int k = 0; k < kForceIterations; ++k) {
    rates_at_mid(P);
    residual_at_mid(x_mid, t, h);
    if (light_) {
      kin_->drift(0, q_trial_.data(), v_.data(), r_momenta_.data(), nullptr, nullptr);
      for (std::size_t i = 0; i < P.size(); ++i) r_momenta_[i] -= P[i];
      if (!saddle_->correct({mass_.data(), next_.J.data(), next_.J.data(), compliance_.data()},
                            {active_, lo_, hi_}, {r_momenta_, q_rows_}, L_, set_, du_, x_, false))
        return false;
      for (std::size_t i = 0; i < v_.size(); ++i) v_[i] += du_[i];
    } else if (!solver_->correct(next_, rows(), q_rows_, L_, set_, x_, report)) {
      return false;
    }
    double change = 0, size = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      L_[i] += x_[i];
      change = std::max(change, std::abs(x_[i]));
      size = std::max(size, std::abs(L_[i]));
    }
    apply(next_, x_, P);
    if (k > 0 && (!functions || change <= kStiffChange * size)) break;  // twice for redundant rows
  }
  rates_at_mid(P);
  return true;
}

bool Velocity::fallback(model::State& state, double h, StepReport& report) {
  report.fallback = report.bounds = fell_back_ = true;
  next_.arc = now_.arc;
  hand_over(now_, next_);
  // to the mid-point with the old velocity
  for (std::size_t i = 0; i < v_.size(); ++i) v_[i] = h / 2 * u_[i];
  kin_->retract(v_.data(), state.q.data());
  kin_->place(state.q.data(), state.t + h / 2, next_);
  kin_->inverse_mass(state.q.data(), next_);
  kin_->jacobians(state, next_);
  if (next_.lost_joint >= 0) return false;
  if (light_) {
    v_ = u_;
    if (!projector().velocities(demands_, state, next_, v_)) return false;
    rates_of(next_, v_, ju0_);
  } else {
    row_rates(next_, state.P, v_, ju0_);
  }
  std::fill(f_.begin(), f_.end(), 0.0);
  if (kin_->loads_need_rates()) kin_->rates(state.q.data(), u_.data(), next_);
  kin_->add_gravity(next_, f_.data());
  kin_->add_loads(next_, false, f_.data());
  if (kin_->loads_need_rates()) kin_->add_loads(next_, true, f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] += h * f_[i];
  begin_at_mid(h);
  apply(next_, impulse_, state.P);
  set_ = state.rows.bound;
  solver_->invalidate();
  q_trial_ = state.q;
  if (!solve_at_mid(state.P, h, report)) return false;
  report.struck |= strikes(demands_, next_, L_);
  add_outside(next_, L_, impulse_, h, report);
  if (light_) state.u = v_;
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
  if (light_) v_ = state.u;
  rates_at_mid(state.P);
  if (!model_->loads.empty()) kin_->rates(state.q.data(), v_.data(), next_);
  report.row_speed = 0;
  for (std::size_t i = 0; i < hold_.size(); ++i)
    if (hold_[i] == Hold::position)
      report.row_speed = std::max(report.row_speed, std::abs(ju_[i] - demands_next_[i].target.v));
  solver_->invalidate();
  take_springs(next_, rest_next_, stiffness_next_);
  return moved.residual < 1e-8 && next_.lost_joint < 0;
}

}  // namespace trammel::form

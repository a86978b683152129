// Stage P of RATTLE: half kick, drift, and the multipliers L that bring the rows to their place.
#include <algorithm>
#include <cmath>

#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using law::kInf;
constexpr double kAtRest = 1e-9;  // friction is static below [m/s, rad/s]
}  // namespace

/// The damper of a force row in P: explicit, or, where it would turn its row's rate round (h c S
/// above 2), a row with compliance on the rate over the step. True: it is such a row.
bool Velocity::damp_P(const model::State& state, std::size_t i, double h) {
  dashpot_[i] = damper_[i] = 0;
  if (!damped_[i]) return false;
  const law::Force f =
      row_force(*model_, *params_, static_cast<int>(i), now_.g[i], ju0_[i], state.t);
  damper_[i] = f.f - rest_[i];
  if (!(-f.f_v * std::abs(h) * row_mass_inverse(i) > 2)) return false;
  dashpot_[i] = -2 / (h * f.f_v);
  target_[i] = ju0_[i] - damper_[i] / f.f_v;  // where the linearised damper is free of force
  return true;
}

/// The spring's impulse in each half of a step in which it is implicit: of its mean force.
double Velocity::spring_impulse(std::size_t i, double h) const {
  return function(i) ? h / 2 * mean_[i] : h / 4 * (rest_[i] + rest_next_[i]);
}

/// Of a mean force whose slope by its row's end is given; hardly any where it is not stiff there.
double Velocity::function_compliance(std::size_t i, double slope, double h) const {
  constexpr double kLeast = 1e-3;  // h^2 k S / 2
  return 2 / std::max(-slope * h * h, kLeast / std::max(row_mass_inverse(i), 1e-300));
}

/// Residual of a compliant spring with its damper, or of a stiff damper alone. A function's slope
/// is taken anew.
double Velocity::residual_spring(std::size_t i, double h) {
  const double rate = (next_.g[i] - now_.g[i]) / h;
  if (spring_[i] == Spring::explicit_) return rate + compliance_[i] * L_[i] - target_[i];
  if (spring_[i] == Spring::rigid) {
    const double rest = row_force(*model_, *params_, static_cast<int>(i), next_.g[i], 0, next_.t).f;
    return -rest / stiffness_[i] / h + compliance_[i] * L_[i];
  }
  if (function(i)) {
    const auto mean = row_mean_force(*model_, *params_, static_cast<int>(i), now_.g[i], next_.g[i],
                                     (now_.t + next_.t) / 2);
    mean_[i] = mean.f;
    const double C = function_compliance(i, mean.f_to, h), damper = dashpot_[i];
    compliance_[i] = damper == 0 ? C : 1 / (1 / C + 1 / damper);
    const double drag = damper == 0 ? 0 : (rate - target_[i]) / damper;
    return compliance_[i] * (L_[i] - spring_impulse(i, h) + drag);
  }
  const double C = compliance_[i];
  const double rest = row_force(*model_, *params_, static_cast<int>(i), next_.g[i], 0, next_.t).f;
  const double stretch = -(rest_[i] + rest) / stiffness_[i], pull = stretch / h;
  if (dashpot_[i] == 0) return pull + C * L_[i];
  const double C_spring = 4 / (h * h * stiffness_[i]);
  return C * (L_[i] + pull / C_spring + (rate - target_[i]) / dashpot_[i]);
}

/// Forces at (q, u, t), bounds, and the last multipliers as the first guess: those of one pose
/// differ from the end of a step to the start of the next, and do so from step to step alike.
void Velocity::begin_P(model::State& state, double h) {
  std::fill(f_.begin(), f_.end(), 0.0);
  kin_->add_gravity(now_, f_.data());
  kin_->add_loads(now_, false, f_.data());
  if (kin_->loads_need_rates()) kin_->add_loads(now_, true, f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] = P0_[i] + h / 2 * f_[i];
  const double again = state.rows.h != 0 ? h / state.rows.h : 0;
  const double *last = state.rows.impulse.data(), *trend = state.velocity.trend.data();
  double *L = L_.data(), *x = x_.data();
  for_rows([=](std::size_t i) { x[i] = L[i] = again * (last[i] + trend[i]); });
  for_others([&](std::size_t i) { begin_row_P(state, i, h); });
  set_ = state.rows.bound;
  curved_ = std::any_of(function_rows_.begin(), function_rows_.end(), [&](int row) {
    return spring_[static_cast<std::size_t>(row)] == Spring::compliant;
  });
  apply(now_, x_, state.P);
}

void Velocity::begin_row_P(const model::State& state, std::size_t i, double h) {
  constraint::RowMotion at = motion(now_, i, h);
  at.at_rest = std::abs(ju0_[i] - demands_[i].target.v) < kAtRest;
  const auto row = constraint::end_position(hold_[i], demands_[i], demands_next_[i], at);
  take(i, row);
  place_[i] = row.place;
  compliance_[i] = impulse_[i] = impulse_V_[i] = 0;
  if (hold_[i] == Hold::force) begin_spring_P(state, i, h);
  L_[i] = active_[i] ? std::clamp(L_[i], lo_[i], hi_[i]) : 0;
  x_[i] = L_[i] + impulse_[i];
}

void Velocity::begin_spring_P(const model::State& state, std::size_t i, double h) {
  active_[i] = 1;
  switch (spring_[i]) {
    case Spring::explicit_:
      impulse_[i] = h / 2 * rest_[i];
      if (damp_P(state, i, h))
        compliance_[i] = dashpot_[i];
      else
        active_[i] = 0, impulse_[i] += h / 2 * damper_[i];
      break;
    case Spring::compliant:
      compliance_[i] =
          function(i) ? function_compliance(i, -stiffness_[i] / 2, h) : 4 / (h * h * stiffness_[i]);
      if (damp_P(state, i, h))
        compliance_[i] = 1 / (1 / compliance_[i] + 1 / dashpot_[i]);
      else
        impulse_[i] = h / 2 * damper_[i];
      break;
    case Spring::rigid:
      compliance_[i] = 2 / (h * h * stiffness_[i]);
      break;
  }
}

/// Values at the end of the step, and (J(q) + J(q+)) v / 2 of all rows, v the velocity of the
/// drift.
void Velocity::mean_rates(const model::State& state, double h) {
  kin_->jacobians(state, next_);
  kin_->difference(q0_.data(), q_trial_.data(), v_.data());
  for (double& v : v_) v /= h;
  solve::multiply(kin_->graph(), now_.J.data(), v_.data(), mean_rate_.data());
  solve::multiply(kin_->graph(), next_.J.data(), v_.data(), ju_.data());
  for (std::size_t i = 0; i < ju_.size(); ++i)
    mean_rate_[i] = (mean_rate_[i] + now_.g_t[i] + ju_[i] + next_.g_t[i]) / 2;
}

/// Whether this iteration of stage P is likely to be the last: the pose is then that of stage V,
/// whose J is made along with the values. It takes the place of J(q), which is made again if more
/// is to be corrected: what comes out is the same.
bool Velocity::foresees(int iteration) const {
  return iteration > 0 && iteration == iterations_P_ && iteration == iterations_before_ &&
         !rolls_ && model_->n_arcs == 0 && !kin_->loads_need_rates();
}

/// Drifts with the present momenta; q_rows_ becomes the residual of every row as a speed, and the
/// largest residual as a length [m, rad] is returned.
double Velocity::residual_P(const model::State& state, double h, bool with_J) {
  kin_->flow(h, q0_.data(), state.P.data(), q_trial_.data(), P_trial_.data());
  kin_->place(q_trial_.data(), state.t + h, next_);
  if (with_J) {
    hand_over(now_, next_);
    kin_->jacobians(state, next_);
  } else if (rolls_) {
    mean_rates(state, h);
  } else {
    kin_->values(state, next_);
  }
  return residual_rows_P(h);
}

double Velocity::residual_rows_P(double h) {
  const double *g = next_.g.data(), per_h = 1 / h;
  double* r = q_rows_.data();
  const float* plain = plain_.data();
  const double worst = greatest([=](std::size_t i) {
    r[i] = per_h * g[i];
    return plain[i] * std::abs(g[i]);
  });
  const double other =
      greatest_of_others([&](std::size_t i) { return std::abs(h * row_residual_P(i, h)); });
  return next_.lost_joint < 0 ? std::max(worst, other) : kInf;
}

/// Residual of a row that is no plain lock, into q_rows_. Returned: what of it counts.
double Velocity::row_residual_P(std::size_t i, double h) {
  double r = 0;
  if (!active_[i]) {
    q_rows_[i] = 0;
    return 0;
  }
  if (hold_[i] == Hold::force)
    r = residual_spring(i, h);
  else
    r = (model_->rows[i].row.holonomic() ? (next_.g[i] - place_[i]) / h : mean_rate_[i]) -
        target_[i];
  q_rows_[i] = r;
  if (lo_[i] == -kInf && hi_[i] == kInf) return r;
  return constraint::counted(r, L_[i], {true, lo_[i], hi_[i], 0, 0}, row_mass_inverse(i));
}

/// One Newton correction x of L on the factor of S(q). Returns its size |x|_S, in which the
/// iteration contracts as fast as S changes over the step (in the residual it may not, S being
/// ill-conditioned); infinite on failure.
double Velocity::correct_P(model::State& state, StepReport& report) {
  if (!solver_->correct(now_, rows(), q_rows_, L_, set_, x_, report)) return kInf;
  const auto n = static_cast<Eigen::Index>(L_.size());
  const Eigen::Map<const VecX> x(x_.data(), n), r(q_rows_.data(), n);
  Eigen::Map<VecX>(L_.data(), n) += x;
  apply(now_, x_, state.P);
  return std::sqrt(std::abs(x.dot(r)));
}

double Velocity::tolerance_P() const {
  const double* q = q0_.data();
  const double largest =
      parallel::greatest(static_cast<int>(q0_.size()), 4 * kRowGrain, 0, [=](int first, int end) {
        return greatest_of(first, end, [=](int i) { return std::abs(q[i]); });
      });
  return std::max(settings_.tolerance, 1e-15 * largest);
}

bool Velocity::stage_P(model::State& state, double h, StepReport& report) {
  next_.arc = now_.arc;
  begin_P(state, h);
  const double tolerance = tolerance_P();
  double last = kInf;
  for (int k = 0;; ++k) {
    has_J_ = foresees(k);
    const double e = residual_P(state, h, has_J_);
    if (e <= tolerance) {
      iterations_before_ = iterations_P_;
      iterations_P_ = k;
      return true;
    }
    if (has_J_) {
      hand_over(next_, now_);
      kin_->jacobians(state, now_);
    }
    if (k >= settings_.max_iterations) return false;
    ++report.iterations;
    const double size = correct_P(state, report);
    const bool contracts = size <= settings_.contraction * last;
    if (!contracts && !(curved_ && std::isfinite(size))) return false;
    last = size;
  }
}

}  // namespace trammel::form

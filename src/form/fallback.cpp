// The step at a singular configuration: where stage P does not contract, the rows act on the mean
// velocity at the mid-point, then positions and velocities are projected.
#include <algorithm>
#include <cmath>

#include "form/solving.h"
#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
constexpr int kForceIterations = 30;    // iterations on stiff forces that are not linear
constexpr double kStiffChange = 1e-13;  // relative change of their impulses that is met
// least slope of an implicit impulse by its row's rate, times S_ii
constexpr double kImplicit = 1e-3;
}  // namespace

/// Computes velocities and row rates of the momenta P at the mid-point; with light bodies the
/// velocities are those that the last Newton step found.
void Velocity::rates_at_mid(const std::vector<double>& P) {
  if (light_)
    rates_of(next_.at, next_.u, next_.rate);
  else
    row_rates(next_.at, P, next_.u, next_.rate);
}

/// Evaluates a force row over the step: the mean of its force along the way, and its damper at the
/// mean rate. x_mid is its value half way at the rates before. An active (stiff) row gets its
/// compliance and residual; others are explicit.
void Velocity::force_at_mid(std::size_t i, double x_mid, double t, double h) {
  const int row = static_cast<int>(i);
  const double to = 2 * x_mid - now_.at.g[i] + h / 2 * (next_.rate[i] - now_.rate[i]),
               x = (now_.at.g[i] + to) / 2, rate = (now_.rate[i] + next_.rate[i]) / 2;
  const law::Force all = row_force(*model_, *params_, row, x, rate, t),
                   rest = row_force(*model_, *params_, row, x, 0, t);
  const model::MeanForce mean = row_mean_force(*model_, *params_, row, now_.at.g[i], to, t);
  const double F = h * (mean.f + all.f - rest.f);
  const double slope = -h / 2 * (h * mean.f_to + all.f_v);  // -dF by the rate at the end
  now_.damper[i] = next_.damper[i] = all.f - rest.f;
  problem_.compliance[i] = 0;
  q_rows_[i] = 0;
  if (!problem_.active[i]) return;
  problem_.compliance[i] = 1 / std::max(slope, kImplicit / std::max(inverse_mass_[i], 1e-300));
  q_rows_[i] = problem_.compliance[i] * (first_.rows[i] - F);
}

/// True where a force row must be implicit in the fallback: at one of four places along the way the
/// slope of its impulse by its rate, times S_ii, exceeds 1/16.
bool Velocity::stiff_at_mid(std::size_t i, double x_mid, double t, double h) const {
  const int row = static_cast<int>(i);
  const double way = h / 2 * std::abs(now_.rate[i]);
  double slope = 0;
  for (const double x : {now_.at.g[i], x_mid, x_mid - way, x_mid + way}) {
    const law::Force f = row_force(*model_, *params_, row, x, now_.rate[i], t);
    slope = std::max(slope, -h / 4 * (h * f.f_x + 2 * f.f_v));
  }
  return slope * inverse_mass_[i] > 1. / 16;
}

/// Sets the residual of every row: twice the error of its mean rate, or, of velocity constraints,
/// the error of the new rate. Stiff force rows are evaluated by force_at_mid().
void Velocity::residual_at_mid(const std::vector<double>& x_mid, double t, double h) {
  for (std::size_t i = 0; i < hold_.size(); ++i)
    q_rows_[i] = hold_[i] == Hold::rate ? next_.rate[i] - problem_.target[i]
                                        : now_.rate[i] + next_.rate[i] - 2 * problem_.target[i];
  for (const int row : springs_.rows)
    if (const auto i = static_cast<std::size_t>(row); problem_.active[i])
      force_at_mid(i, x_mid[i], t, h);
}

void Velocity::begin_at_mid(double h) {
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    take(i, constraint::mean_rate(hold_[i], now_.specs[i], next_.specs[i], motion(next_.at, i, h)));
    problem_.compliance[i] = first_.applied[i] = second_.applied[i] = first_.rows[i] = 0;
  }
  constraint::follow_normals(cones_, problem_.active);
  const double t = now_.at.t + h / 2;
  for (const int row : springs_.rows) {
    const auto i = static_cast<std::size_t>(row);
    springs_.dashpot[i] = now_.damper[i] = next_.damper[i] = 0;
    if (hold_[i] == Hold::nothing) continue;
    problem_.lo[i] = -law::kInf;
    problem_.hi[i] = law::kInf;
    next_.rate[i] = now_.rate[i];
    problem_.active[i] = stiff_at_mid(i, next_.at.g[i], t, h);
    if (problem_.active[i]) continue;
    const law::Force f = row_force(*model_, *params_, row, next_.at.g[i], now_.rate[i], t);
    first_.applied[i] = h * f.f;
    now_.damper[i] = next_.damper[i] =
        f.f - row_force(*model_, *params_, row, next_.at.g[i], 0, t).f;
  }
}

/// Solves for the impulses first_.rows at the mid-point and adds them to the momenta P. Returns
/// false where there is no solution.
bool Velocity::solve_at_mid(std::vector<double>& P, double h, StepReport& report) {
  const std::vector<double> x_mid = next_.at.g;
  const double t = now_.at.t + h / 2;
  bool functions = false;
  for (const int row : springs_.rows)
    functions |= problem_.active[static_cast<std::size_t>(row)] != 0;
  if (light_)
    kin_->drift(0, q_trial_.data(), next_.u.data(), newton_.residual.data(), newton_.mass.data(),
                newton_.turn.data());
  for (int k = 0; k < kForceIterations; ++k) {
    rates_at_mid(P);
    residual_at_mid(x_mid, t, h);
    if (light_) {
      kin_->drift(0, q_trial_.data(), next_.u.data(), newton_.residual.data(), nullptr, nullptr);
      for (std::size_t i = 0; i < P.size(); ++i) newton_.residual[i] -= P[i];
      if (!newton_.saddle->correct({newton_.mass.data(), next_.at.J.data(), next_.at.J.data(),
                                    problem_.compliance.data()},
                                   {problem_.active, problem_.lo, problem_.hi},
                                   {newton_.residual, q_rows_}, first_.rows, problem_.bound,
                                   newton_.du, x_, false))
        return false;
      for (std::size_t i = 0; i < next_.u.size(); ++i) next_.u[i] += newton_.du[i];
    } else if (!correct(*solver_, next_.at, rows(), q_rows_, first_.rows, problem_.bound, x_,
                        report)) {
      return false;
    }
    double change = 0, size = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      first_.rows[i] += x_[i];
      change = std::max(change, std::abs(x_[i]));
      size = std::max(size, std::abs(first_.rows[i]));
    }
    apply(next_.at, x_, P);
    // redundant rows want two passes
    if (k > 0 && (!functions || change <= kStiffChange * size)) break;
  }
  rates_at_mid(P);
  return true;
}

bool Velocity::fallback(model::State& state, double h, StepReport& report) {
  report.fallback = report.bounds = fell_back_ = true;
  next_.at.arc = now_.at.arc;
  hand_over(now_.at, next_.at);
  // to the mid-point with the old velocity
  for (std::size_t i = 0; i < next_.u.size(); ++i) next_.u[i] = h / 2 * now_.u[i];
  kin_->retract(next_.u.data(), state.q.data());
  kin_->transforms(state.q.data(), state.t + h / 2, next_.at);
  kin_->inverse_mass(state.q.data(), next_.at);
  kin_->jacobians(state, next_.at);
  if (next_.at.lost_joint >= 0) return false;
  if (light_) {
    next_.u = now_.u;
    if (!projector().velocities(now_.specs, state, next_.at, next_.u)) return false;
    rates_of(next_.at, next_.u, now_.rate);
  } else {
    row_rates(next_.at, state.P, next_.u, now_.rate);
  }
  std::fill(f_.begin(), f_.end(), 0.0);
  if (kin_->loads_need_rates()) kin_->rates_at_loads(state.q.data(), now_.u.data(), next_.at);
  kin_->add_gravity(next_.at, f_.data());
  kin_->add_loads(next_.at, false, f_.data());
  if (kin_->loads_need_rates()) kin_->add_loads(next_.at, true, f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] += h * f_[i];
  begin_at_mid(h);
  apply(next_.at, first_.applied, state.P);
  problem_.bound = state.rows.bound;
  solver_->invalidate();
  q_trial_ = state.q;
  if (!solve_at_mid(state.P, h, report)) return false;
  report.struck |= strikes(now_.specs, next_.at, first_.rows);
  next_.outside_known = false;
  add_outside(next_, first_.rows, first_.applied, h, report);
  next_.outside_known = false;  // what follows is about the end of the step
  if (light_) state.u = next_.u;
  for (std::size_t i = 0; i < next_.u.size(); ++i) next_.u[i] *= h / 2;
  kin_->retract(next_.u.data(), state.q.data());
  // projection onto the rows; the projector reads the time in State::t
  const double t0 = state.t;
  state.t = t0 + h;
  Vec3 p = Vec3::Zero(), before = p, after = p;
  kin_->momentum(state.q.data(), state.P.data(), p, before);
  const auto moved =
      projector().position(next_.specs, std::max(settings_.tolerance, 1e-13), state, next_.at);
  kin_->momentum(state.q.data(), state.P.data(), p, after);
  report.corrected += after - before;
  second_.rows = projector().velocity(next_.specs, state, next_.at).impulses;
  add_outside(next_, second_.rows, {}, 0, report);
  state.t = t0;
  std::fill(problem_.bound.begin(), problem_.bound.end(), static_cast<signed char>(0));
  if (light_) next_.u = state.u;
  rates_at_mid(state.P);
  if (!model_->loads.empty()) kin_->rates_at_loads(state.q.data(), next_.u.data(), next_.at);
  report.row_speed = 0;
  for (std::size_t i = 0; i < hold_.size(); ++i)
    if (hold_[i] == Hold::position)
      report.row_speed =
          std::max(report.row_speed, std::abs(next_.rate[i] - next_.specs[i].target.v));
  solver_->invalidate();
  take_springs(next_.at, next_.rest, next_.stiffness);
  return moved.residual < 1e-8 && next_.at.lost_joint < 0;
}

}  // namespace trammel::form

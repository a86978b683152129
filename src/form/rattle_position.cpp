// Stage P of RATTLE: half kick, drift, and the multipliers L that bring the rows to their place.
#include <algorithm>
#include <cmath>

#include "form/solving.h"
#include "form/velocity.h"
#include "math/index.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
using law::kInf;
constexpr double kAtRest = 1e-9;  // friction is static below this row rate [m/s, rad/s]
}  // namespace

/// Sets up the damper of a force row in stage P: explicit, or, where it would reverse the row's
/// rate (h c S_ii above 2 with c = -df/dv), as a row with compliance on the mean rate over the
/// step. Returns true for such a row. Needs now_.rest.
bool Velocity::damp_P(const model::State& state, std::size_t i, double h) {
  springs_.dashpot[i] = now_.damper[i] = 0;
  if (!springs_.damped[i]) return false;
  const law::Force f = spring_force(i, now_.at.g[i], now_.rate[i], state.t);
  now_.damper[i] = f.f - now_.rest[i];
  if (!(-f.f_v * std::abs(h) * inverse_mass_[i] > 2)) return false;
  springs_.dashpot[i] = -2 / (h * f.f_v);
  problem_.target[i] =
      now_.rate[i] - now_.damper[i] / f.f_v;  // rate at which the linearised damper exerts no force
  return true;
}

/// Returns the impulse of an implicit spring in each half of the step, from its mean force. Needs
/// next_.rest (take_springs() at the end) or, for a function, springs_.mean.
double Velocity::spring_impulse(std::size_t i, double h) const {
  return is_function(i) ? h / 2 * springs_.mean[i] : h / 4 * (now_.rest[i] + next_.rest[i]);
}

/// Returns the compliance of a function's row from `slope`, the derivative of its mean force with
/// respect to g+. Where the function is not stiff there, kLeast stands for its stiffness.
double Velocity::function_compliance(std::size_t i, double slope, double h) const {
  constexpr double kLeast = 1e-3;  // h^2 k S / 2
  return 2 / std::max(-slope * h * h, kLeast / std::max(inverse_mass_[i], 1e-300));
}

/// Returns the residual of an implicit spring with its damper, or of a stiff damper alone [m/s,
/// rad/s]. For a function, updates its mean force and compliance first.
double Velocity::residual_spring(std::size_t i, double h) {
  const double rate = (next_.at.g[i] - now_.at.g[i]) / h;
  if (springs_.kind[i] == Spring::explicit_)
    return rate + problem_.compliance[i] * first_.rows[i] - problem_.target[i];
  if (springs_.kind[i] == Spring::rigid) {
    const double rest = spring_force(i, next_.at.g[i], 0, next_.at.t).f;
    return -rest / now_.stiffness[i] / h + problem_.compliance[i] * first_.rows[i];
  }
  if (is_function(i)) {
    const auto mean = row_mean_force(*model_, *params_, static_cast<int>(i), now_.at.g[i],
                                     next_.at.g[i], (now_.at.t + next_.at.t) / 2);
    springs_.mean[i] = mean.f;
    const double C = function_compliance(i, mean.f_to, h), damper = springs_.dashpot[i];
    problem_.compliance[i] = damper == 0 ? C : 1 / (1 / C + 1 / damper);
    const double drag = damper == 0 ? 0 : (rate - problem_.target[i]) / damper;
    return problem_.compliance[i] * (first_.rows[i] - spring_impulse(i, h) + drag);
  }
  const double C = problem_.compliance[i];
  const double rest = spring_force(i, next_.at.g[i], 0, next_.at.t).f;
  const double stretch = -(now_.rest[i] + rest) / now_.stiffness[i], pull = stretch / h;
  if (springs_.dashpot[i] == 0) return pull + C * first_.rows[i];
  const double C_spring = 4 / (h * h * now_.stiffness[i]);
  return C * (first_.rows[i] + pull / C_spring + (rate - problem_.target[i]) / springs_.dashpot[i]);
}

/// Applies the half kick of the forces at (q, u, t), sets the bounds, and takes as first guess of L
/// the last multipliers plus their extrapolation: at one configuration, m of one step and L
/// of the next differ by the truncation error, which changes little from step to step.
void Velocity::begin_P(model::State& state, double h) {
  take_forces(now_.at);
  if (kin_->loads_need_rates()) kin_->add_loads(now_.at, true, f_.data());
  for (std::size_t i = 0; i < f_.size(); ++i) state.P[i] = P0_[i] + h / 2 * f_[i];
  const double again = state.rows.h != 0 ? h / state.rows.h : 0;
  const double *last = state.rows.impulse.data(),
               *extrapolation = state.velocity.extrapolation.data();
  double *L = first_.rows.data(), *x = x_.data();
  table_.for_rows([=](std::size_t i) { x[i] = L[i] = again * (last[i] + extrapolation[i]); });
  table_.for_others([&](std::size_t i) { begin_row_P(state, i, h); });
  constraint::follow_normals(cones_, problem_.active);
  for (const solve::Cone& c : cones_)
    for (int k = 0; k < c.n && !problem_.active[at(c.normal)]; ++k)
      first_.rows[at(c.tangent[at(k)])] = x_[at(c.tangent[at(k)])] = 0;
  problem_.bound = state.rows.bound;
  springs_.curved = std::any_of(springs_.functions.begin(), springs_.functions.end(), [&](int row) {
    return springs_.kind[static_cast<std::size_t>(row)] == Spring::compliant;
  });
  apply(now_.at, x_, state.P);
}

void Velocity::begin_row_P(const model::State& state, std::size_t i, double h) {
  constraint::RowMotion at = motion(now_.at, i, h);
  at.at_rest = std::abs(now_.rate[i] - now_.specs[i].target.v) < kAtRest;
  const auto row = constraint::end_position(hold_[i], now_.specs[i], next_.specs[i], at);
  take(i, row);
  problem_.place[i] = row.place;
  problem_.compliance[i] = first_.applied[i] = second_.applied[i] = 0;
  if (hold_[i] == Hold::force) begin_spring_P(state, i, h);
  first_.rows[i] =
      problem_.active[i] ? std::clamp(first_.rows[i], problem_.lo[i], problem_.hi[i]) : 0;
  x_[i] = first_.rows[i] + first_.applied[i];
}

void Velocity::begin_spring_P(const model::State& state, std::size_t i, double h) {
  problem_.active[i] = 1;
  switch (springs_.kind[i]) {
    case Spring::explicit_:
      first_.applied[i] = h / 2 * now_.rest[i];
      if (damp_P(state, i, h))
        problem_.compliance[i] = springs_.dashpot[i];
      else
        problem_.active[i] = 0, first_.applied[i] += h / 2 * now_.damper[i];
      break;
    case Spring::compliant:
      problem_.compliance[i] = is_function(i) ? function_compliance(i, -now_.stiffness[i] / 2, h)
                                              : 4 / (h * h * now_.stiffness[i]);
      if (damp_P(state, i, h))
        problem_.compliance[i] = 1 / (1 / problem_.compliance[i] + 1 / springs_.dashpot[i]);
      else
        first_.applied[i] = h / 2 * now_.damper[i];
      break;
    case Spring::rigid:
      problem_.compliance[i] = 2 / (h * h * now_.stiffness[i]);
      break;
  }
}

/// Evaluates the rows at the end of the step, and into mean_rate_ the mean rates (J(q) + J(q+)) v /
/// 2 of all rows with the mean of g_t, v the velocity of the drift.
void Velocity::mean_rates(const model::State& state, double h) {
  kin_->jacobians(state, next_.at);
  kin_->difference(q0_.data(), q_trial_.data(), next_.u.data());
  for (double& v : next_.u) v /= h;
  solve::multiply(kin_->graph(), now_.at.J.data(), next_.u.data(), mean_rate_.data());
  solve::multiply(kin_->graph(), next_.at.J.data(), next_.u.data(), next_.rate.data());
  for (std::size_t i = 0; i < next_.rate.size(); ++i)
    mean_rate_[i] = (mean_rate_[i] + now_.at.g_t[i] + next_.rate[i] + next_.at.g_t[i]) / 2;
}

/// True where this iteration of stage P is likely to be the last, as in the last two steps: J(q+),
/// which stage V needs, is then made along with the values. It overwrites J(q), which take_back_J()
/// makes again if another iteration follows; the result is the same. Not along tracks, where
/// J would begin its projections from another place than after the values.
bool Velocity::foresees(int iteration) const {
  return iteration == iterations_P_ && iteration == iterations_before_ && !rolls_ &&
         model_->n_arcs == 0;
}

/// Drifts with the present momenta; q_rows_ becomes the residual of every row as a speed, and the
/// largest residual as a length [m, rad] is returned.
double Velocity::residual_P(const model::State& state, double h, bool with_J) {
  kin_->flow(h, q0_.data(), state.P.data(), q_trial_.data(), P_trial_.data());
  kin_->transforms(q_trial_.data(), state.t + h, next_.at);
  if (with_J) {
    hand_over(now_.at, next_.at);
    kin_->jacobians(state, next_.at);
  } else if (rolls_) {
    mean_rates(state, h);
  } else {
    kin_->values(state, next_.at);
  }
  return residual_rows_P(h);
}

double Velocity::residual_rows_P(double h) {
  const double *g = next_.at.g.data(), per_h = 1 / h;
  double* r = q_rows_.data();
  const float* equality = table_.equality.data();
  const double worst = table_.greatest([=](std::size_t i) {
    r[i] = per_h * g[i];
    return equality[i] * std::abs(g[i]);
  });
  const double other =
      table_.greatest_of_others([&](std::size_t i) { return std::abs(h * row_residual_P(i, h)); });
  const double friction = cones_.empty() ? 0 : std::abs(h) * off_cones(first_.rows);
  return next_.at.lost_joint < 0 ? std::max({worst, other, friction}) : kInf;
}

/// Returns the greatest rate by which the tangent rows of a cone miss Coulomb's law with these
/// impulses [m/s]. Needs q_rows_.
double Velocity::off_cones(const std::vector<double>& impulses) const {
  double worst = 0;
  for (const solve::Cone& c : cones_) {
    if (!problem_.active[at(c.tangent[0])]) continue;
    double S = inverse_mass_[at(c.tangent[0])];
    if (c.n > 1) S = std::max(S, inverse_mass_[at(c.tangent[1])]);
    const double off =
        solve::off_cone(solve::tangent_of(c, impulses), solve::tangent_of(c, q_rows_), S,
                        solve::radius_of(c, impulses));
    worst = off <= worst ? worst : off;
  }
  return worst;
}

/// Writes the residual of a row that is no equality constraint into q_rows_ [m/s, rad/s]. Returns
/// the part of it that counts for convergence, see constraint::counted.
double Velocity::row_residual_P(std::size_t i, double h) {
  double r = 0;
  if (!problem_.active[i]) {
    q_rows_[i] = 0;
    return 0;
  }
  if (hold_[i] == Hold::force)
    r = residual_spring(i, h);
  else
    r = (model_->rows[i].row.holonomic() ? (next_.at.g[i] - problem_.place[i]) / h
                                         : mean_rate_[i]) -
        problem_.target[i];
  q_rows_[i] = r;
  if (hold_[i] == Hold::friction) return 0;  // off_cones() counts it
  if (problem_.lo[i] == -kInf && problem_.hi[i] == kInf) return r;
  return constraint::counted(r, first_.rows[i], {true, problem_.lo[i], problem_.hi[i], 0, 0},
                             inverse_mass_[i]);
}

/// Makes one simplified Newton step x of L with the kept factor of S(q). Returns |x|_S, the norm in
/// which the iteration contracts by the relative change of S over the step (in the residual it may
/// not, S being ill-conditioned); infinite on failure.
double Velocity::correct_P(model::State& state, StepReport& report) {
  if (!correct(*solver_, now_.at, rows(), q_rows_, first_.rows, problem_.bound, x_, report))
    return kInf;
  const auto n = static_cast<Eigen::Index>(first_.rows.size());
  const Eigen::Map<const VecX> x(x_.data(), n), r(q_rows_.data(), n);
  Eigen::Map<VecX>(first_.rows.data(), n) += x;
  apply(now_.at, x_, state.P);
  return std::sqrt(std::abs(x.dot(r)));
}

double Velocity::tolerance_P() const { return std::max(settings_.tolerance, 1e-15 * largest_q_); }

bool Velocity::stage_P(model::State& state, double h, StepReport& report) {
  next_.at.arc = now_.at.arc;
  begin_P(state, h);
  const double tolerance = tolerance_P();
  double last = kInf;
  for (int k = 0;; ++k) {
    J_is_at_end_ = foresees(k);
    const double e = residual_P(state, h, J_is_at_end_);
    if (e <= tolerance) {
      iterations_before_ = iterations_P_;
      iterations_P_ = k;
      return true;
    }
    take_back_J(state);
    if (k >= settings_.max_iterations) return false;
    ++report.iterations;
    const double size = correct_P(state, report);
    const bool contracts = size <= settings_.contraction * last;
    if (!contracts && !(springs_.curved && std::isfinite(size))) return false;
    last = size;
  }
}

}  // namespace trammel::form

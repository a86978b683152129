// The stages of RATTLE by Newton iteration on momenta and rows together, with the velocity v of the
// drift as an unknown beside the multipliers: for light bodies, whose masses must not be divided
// by, and where J turns too far in a step for a kept factor.
#include <algorithm>
#include <cmath>

#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
constexpr int kMostCorrections = 40;
// ratio of successive Newton steps above which the matrix is factored anew
constexpr double kStale = 0.1;
// ratio above which Newton steps have ceased to fall: rounding, or no convergence
constexpr double kStuck = 0.5;
constexpr double kMet = 1e-24;  // energy of the last Newton step, relative to that of the motion
// residual of the momenta that rounding may leave, relative to momenta and impulses
constexpr double kUneven = 1e-14;

/// Adds the factorisations made during its lifetime to the report.
struct FactorCount {
  const solve::Saddle& saddle;
  StepReport& report;
  int before;
  FactorCount(const solve::Saddle& s, StepReport& r)
      : saddle(s), report(r), before(s.factorisations()) {}
  FactorCount(const FactorCount&) = delete;
  FactorCount& operator=(const FactorCount&) = delete;
  ~FactorCount() { report.factorisations += saddle.factorisations() - before; }
};
}  // namespace

/// Allocates what exact steps need, J and inverse masses of both ends included, at the first call.
void Velocity::make_exact() {
  const solve::Graph& graph = kin_->graph();
  if (newton_.saddle) return;
  newton_.saddle = std::make_unique<solve::Saddle>(graph, kin_->units());
  both_ends_ = true;
  for (model::KinematicsCache* at : {&now_.at, &next_.at}) {
    at->J.resize(static_cast<std::size_t>(graph.J_size));
    at->inv_mass.resize(static_cast<std::size_t>(graph.mass_size));
  }
  std::size_t n = 0;
  for (const solve::Graph::Block& b : graph.blocks) n += static_cast<std::size_t>(b.n * b.n);
  newton_.mass.assign(n, 0);
  newton_.turn.assign(n, 0);
  newton_.J_turn.assign(static_cast<std::size_t>(graph.J_size), 0);
  for (auto* v : {&newton_.drift, &newton_.residual, &newton_.du}) v->assign(now_.u.size(), 0);
}

/// True where Newton iteration may do after the one with the kept factor has failed: bodies supply
/// their drift, and rows are not redundant. Redundant rows make a singular configuration likely,
/// from which Newton may take another branch. Cones of friction are the solver's alone.
bool Velocity::tries_exact() {
  return !solver_->redundant() && cones_.empty() &&
         kin_->drift(0, q0_.data(), now_.u.data(), P_trial_.data(), nullptr, nullptr);
}

/// Makes J and the inverse masses at the start of the step again, which stage P may have handed
/// over to its end.
void Velocity::again_at_start(const model::State& state) {
  make_exact();
  for (std::size_t i = 0; i < now_.at.arc.size(); ++i) now_.at.arc[i] = now_.at.from[i];
  kin_->inverse_mass(state.q.data(), now_.at);
  kin_->jacobians(state, now_.at);
}

/// Computes newton_.J_turn = J(q+) T: h J_turn dv is the change of the rows' values at the end by a
/// change dv of the drift's velocity. Needs residual_exact_P().
void Velocity::turn_rows() {
  const solve::Graph& graph = kin_->graph();
  std::vector<int> offset;
  int sum = 0;
  for (const solve::Graph::Block& b : graph.blocks) {
    offset.push_back(sum);
    sum += b.n * b.n;
  }
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 12>;
  for (const solve::Graph::End& e : graph.ends) {
    const Eigen::Map<const Matrix> J(next_.at.J.data() + e.J, e.m, e.n),
        T(newton_.turn.data() + offset[static_cast<std::size_t>(e.block)], e.n, e.n);
    // into a matrix of its own, which is always aligned alike: elsewhere it would depend on the
    // chance alignment which products are rounded once and which twice
    const Matrix turned = J * T;
    std::copy_n(turned.data(), e.m * e.n, newton_.J_turn.data() + e.J);
  }
}

/// Drifts by the velocity newton_.drift: evaluates next_ with its J, and the residuals of the
/// momenta (newton_.residual) and of the rows (q_rows_). Returns the largest residual of a row as a
/// length [m, rad].
double Velocity::residual_exact_P(const model::State& state, double h) {
  for (std::size_t i = 0; i < newton_.drift.size(); ++i) next_.u[i] = h * newton_.drift[i];
  q_trial_ = q0_;
  kin_->retract(next_.u.data(), q_trial_.data());
  kin_->transforms(q_trial_.data(), state.t + h, next_.at);
  if (rolls_)
    mean_rates(state, h);
  else
    kin_->jacobians(state, next_.at);
  kin_->drift(h, q0_.data(), newton_.drift.data(), newton_.residual.data(), newton_.mass.data(),
              newton_.turn.data());
  for (std::size_t i = 0; i < newton_.residual.size(); ++i) newton_.residual[i] -= state.P[i];
  return residual_rows_P(h);
}

/// Returns the residual of the momenta at the worst body, relative to the greatest momentum or row
/// impulse there. Rounding leaves some: where a thin rod turns freely about its axis, its spin may
/// be off by any number of units of rounding.
double Velocity::uneven() const {
  const solve::Graph& graph = kin_->graph();
  const std::vector<double>& unit = kin_->units();
  std::vector<double> size(graph.blocks.size(), 1e-300);
  for (const solve::Graph::End& e : graph.ends)
    for (int r = 0; r < e.m; ++r)
      for (int i = 0; i < e.n; ++i) {
        double& most = size[static_cast<std::size_t>(e.block)];
        const double J = now_.at.J[static_cast<std::size_t>(e.J + r * e.n + i)];
        most = std::max(most, std::abs(J * first_.rows[static_cast<std::size_t>(e.row + r)]) *
                                  unit[static_cast<std::size_t>(e.u + i)]);
      }
  double worst = 0;
  for (std::size_t b = 0; b < size.size(); ++b) {
    double left = 0;
    for (int i = 0; i < graph.blocks[b].n; ++i) {
      const auto j = static_cast<std::size_t>(graph.u_offset[b] + i);
      size[b] = std::max(size[b], std::abs(P0_[j]) * unit[j]);
      left = std::max(left, std::abs(newton_.residual[j]) * unit[j]);
    }
    worst = std::max(worst, left / size[b]);
  }
  return worst;
}

bool Velocity::exact_P(model::State& state, double h, StepReport& report) {
  make_exact();
  exact_ = true;
  next_.at.arc = now_.at.arc;
  begin_P(state, h);
  newton_.drift = now_.u;
  const double tolerance = tolerance_P();
  double last = law::kInf;
  bool keep = false;
  const FactorCount counted(*newton_.saddle, report);
  for (int k = 0; k < kMostCorrections; ++k) {
    const double e = residual_exact_P(state, h);
    if (!std::isfinite(e)) return false;
    if (!keep) turn_rows();
    const solve::Saddle::System system{newton_.mass.data(), now_.at.J.data(), newton_.J_turn.data(),
                                       problem_.compliance.data()};
    ++report.iterations;
    if (!newton_.saddle->correct(system, {problem_.active, problem_.lo, problem_.hi},
                                 {newton_.residual, q_rows_}, first_.rows, problem_.bound,
                                 newton_.du, x_, keep))
      return false;
    double work = 0, energy = 0;
    for (std::size_t i = 0; i < newton_.du.size(); ++i) {
      work += newton_.residual[i] * newton_.du[i];
      energy +=
          std::abs(state.P[i] * newton_.drift[i]) + std::abs(h / 2 * f_[i] * newton_.drift[i]);
      newton_.drift[i] += newton_.du[i];
    }
    for (std::size_t i = 0; i < first_.rows.size(); ++i) first_.rows[i] += x_[i];
    apply(now_.at, x_, state.P);
    double moved = 0;  // greatest displacement of the end by this Newton step, as a length
    const std::vector<double>& unit = kin_->units();
    for (std::size_t i = 0; i < newton_.du.size(); ++i)
      moved = std::max(moved, std::abs(h * newton_.du[i]) / unit[i]);
    const double size = std::max(std::sqrt(std::abs(work)), std::sqrt(energy) * moved);
    const bool met = e <= tolerance && std::abs(work) <= kMet * energy && moved <= 1e-13;
    const bool rounded = k > 2 && e <= tolerance && size > kStuck * last && uneven() <= kUneven;
    if (k > 0 && (met || rounded)) {
      // the last Newton step is applied: the end must be evaluated again
      if (!std::isfinite(residual_exact_P(state, h))) return false;
      return true;
    }
    if (k > 8 && size > kStuck * last && !springs_.curved) return false;
    keep = !springs_.curved && (k == 0 || size < kStale * last);
    last = size;
  }
  return false;
}

/// Does what solve_V does, by Newton steps in velocities and multipliers together.
bool Velocity::solve_exact_V(const std::vector<double>& base, StepReport& report) {
  P_trial_ = base;
  std::fill(second_.rows.begin(), second_.rows.end(), 0.0);
  kin_->drift(0, q_trial_.data(), next_.u.data(), newton_.residual.data(), newton_.mass.data(),
              newton_.turn.data());
  const solve::Saddle::System system{newton_.mass.data(), next_.at.J.data(), next_.at.J.data(),
                                     problem_.compliance.data()};
  const FactorCount counted(*newton_.saddle, report);
  double last = law::kInf;
  for (int k = 0; k <= kMostCorrections; ++k) {
    const double worst = residual_V();
    if (!std::isfinite(worst)) return false;
    double work = 0, energy = 0;
    kin_->drift(0, q_trial_.data(), next_.u.data(), newton_.residual.data(), nullptr, nullptr);
    for (std::size_t i = 0; i < next_.u.size(); ++i) newton_.residual[i] -= P_trial_[i];
    if (!newton_.saddle->correct(system, {problem_.active, problem_.lo, problem_.hi},
                                 {newton_.residual, q_rows_}, second_.rows, problem_.bound,
                                 newton_.du, x_, k > 0))
      return false;
    for (std::size_t i = 0; i < next_.u.size(); ++i) {
      work += newton_.residual[i] * newton_.du[i];
      energy += std::abs(P_trial_[i] * next_.u[i]);
      next_.u[i] += newton_.du[i];
    }
    for (std::size_t i = 0; i < second_.rows.size(); ++i) second_.rows[i] += x_[i];
    apply(next_.at, x_, P_trial_);
    rates_of(next_.at, next_.u, next_.rate);
    if (k > 0 && worst <= row_speed_allowed() &&
        (std::abs(work) <= kMet * energy || std::abs(work) > kStuck * last))
      return true;
    last = std::abs(work);
  }
  return false;
}

/// Sets now_.u: from State::u where the state has it, else from the momenta and the rows that hold.
/// Needs now_.at evaluated. Returns false where these do not determine it.
bool Velocity::exact_velocities(const model::State& state) {
  if (state.u.size() == now_.u.size()) {
    now_.u = state.u;
    return true;
  }
  return projector().velocities(now_.specs, state, now_.at, now_.u);
}

/// Computes into inverse_mass_ the inverse mass of every row that does not hold a position (forces,
/// stops, velocity constraints), while all rows that do are held. Needs hold_.
void Velocity::find_row_masses_held() {
  std::fill(inverse_mass_.begin(), inverse_mass_.end(), 0.0);
  const auto wants = [&](std::size_t i) {
    return hold_[i] != Hold::nothing && hold_[i] != Hold::position && table_.equality[i] == 0;
  };
  bool any = false;
  std::vector<unsigned char> free(hold_.size());
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    any |= wants(i);
    free[i] = hold_[i] == Hold::position;
  }
  if (!any) return;
  const std::vector<double> none(hold_.size(), 0.0);
  kin_->drift(0, q0_.data(), now_.u.data(), newton_.residual.data(), newton_.mass.data(),
              newton_.turn.data());
  if (!newton_.saddle->factor(
          {newton_.mass.data(), now_.at.J.data(), now_.at.J.data(), none.data()}, free))
    return;
  std::vector<double> x(none), rates(none);
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    if (!wants(i)) continue;
    std::fill(x.begin(), x.end(), 0.0);
    x[i] = 1;
    std::fill(newton_.du.begin(), newton_.du.end(), 0.0);
    apply(now_.at, x, newton_.du);
    std::fill(x.begin(), x.end(), 0.0);
    newton_.saddle->solve(newton_.du, x);
    solve::multiply(kin_->graph(), now_.at.J.data(), newton_.du.data(), rates.data());
    inverse_mass_[i] = std::max(rates[i], 0.0);
  }
}

}  // namespace trammel::form

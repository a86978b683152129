// The stages of RATTLE where masses must not be divided by, or where J turns too far in a step for
// a kept factor: Newton in momenta and rows together, the velocity of the drift an unknown beside
// the multipliers.
#include <algorithm>
#include <cmath>

#include "form/velocity.h"
#include "solve/product.h"

namespace trammel::form {

namespace {
constexpr int kMostCorrections = 40;
constexpr double kStale = 0.1;     // corrections that fall by less want a new factor
constexpr double kStuck = 0.5;     // by less than this: rounding, or no convergence
constexpr double kMet = 1e-24;     // energy of a last correction, of the step's
constexpr double kUneven = 1e-14;  // of momenta and impulses at a body: what rounding leaves

/// Puts the factors made while it lives into the report.
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

/// Room for both ends of a step at once.
void Velocity::make_exact() {
  const solve::Graph& graph = kin_->graph();
  if (saddle_) return;
  saddle_ = std::make_unique<solve::Saddle>(graph, kin_->units());
  both_ends_ = true;
  for (model::Instant* at : {&now_, &next_}) {
    at->J.resize(static_cast<std::size_t>(graph.J_size));
    at->inv_mass.resize(static_cast<std::size_t>(graph.mass_size));
  }
  std::size_t n = 0;
  for (const solve::Graph::Block& b : graph.blocks) n += static_cast<std::size_t>(b.n * b.n);
  mass_.assign(n, 0);
  turn_.assign(n, 0);
  J_turn_.assign(static_cast<std::size_t>(graph.J_size), 0);
  for (auto* v : {&drift_, &r_momenta_, &du_}) v->assign(u_.size(), 0);
}

/// Where the iteration on the kept factor has failed: Newton may do, unless rows depend on each
/// other. Then the pose is likely a singular one, from which it may take another branch.
bool Velocity::tries_exact() {
  return !solver_->redundant() &&
         kin_->drift(0, q0_.data(), u_.data(), P_trial_.data(), nullptr, nullptr);
}

/// Rows of the state that the step begins with, which the iteration has given away.
void Velocity::again_at_start(const model::State& state) {
  make_exact();
  for (std::size_t i = 0; i < now_.arc.size(); ++i) now_.arc[i] = now_.from[i];
  kin_->inverse_mass(state.q.data(), now_);
  kin_->jacobians(state, now_);
}

/// J+ on the drift's velocity: J(q+) times what its end moves by.
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
    const Eigen::Map<const Matrix> J(next_.J.data() + e.J, e.m, e.n),
        T(turn_.data() + offset[static_cast<std::size_t>(e.block)], e.n, e.n);
    // into a matrix of its own: at a place in memory that is aligned by chance, so would be what is
    // rounded once or twice
    const Matrix turned = J * T;
    std::copy_n(turned.data(), e.m * e.n, J_turn_.data() + e.J);
  }
}

/// Drifts by drift_: next_ with its J, the residual of momenta and of rows. Returned: the largest
/// of these as a length [m, rad].
double Velocity::residual_exact_P(const model::State& state, double h) {
  for (std::size_t i = 0; i < drift_.size(); ++i) v_[i] = h * drift_[i];
  q_trial_ = q0_;
  kin_->retract(v_.data(), q_trial_.data());
  kin_->place(q_trial_.data(), state.t + h, next_);
  if (rolls_)
    mean_rates(state, h);
  else
    kin_->jacobians(state, next_);
  kin_->drift(h, q0_.data(), drift_.data(), r_momenta_.data(), mass_.data(), turn_.data());
  for (std::size_t i = 0; i < r_momenta_.size(); ++i) r_momenta_[i] -= state.P[i];
  return residual_rows_P(h);
}

/// What is left of the momenta's residual at a body, of the greatest momenta and impulses that come
/// together there. Rounding leaves it: of a thin rod that turns freely about its axis, its velocity
/// may be any number of units of rounding off.
double Velocity::uneven() const {
  const solve::Graph& graph = kin_->graph();
  const std::vector<double>& unit = kin_->units();
  std::vector<double> size(graph.blocks.size(), 1e-300);
  for (const solve::Graph::End& e : graph.ends)
    for (int r = 0; r < e.m; ++r)
      for (int i = 0; i < e.n; ++i) {
        double& most = size[static_cast<std::size_t>(e.block)];
        const double J = now_.J[static_cast<std::size_t>(e.J + r * e.n + i)];
        most = std::max(most, std::abs(J * L_[static_cast<std::size_t>(e.row + r)]) *
                                  unit[static_cast<std::size_t>(e.u + i)]);
      }
  double worst = 0;
  for (std::size_t b = 0; b < size.size(); ++b) {
    double left = 0;
    for (int i = 0; i < graph.blocks[b].n; ++i) {
      const auto j = static_cast<std::size_t>(graph.u_offset[b] + i);
      size[b] = std::max(size[b], std::abs(P0_[j]) * unit[j]);
      left = std::max(left, std::abs(r_momenta_[j]) * unit[j]);
    }
    worst = std::max(worst, left / size[b]);
  }
  return worst;
}

bool Velocity::exact_P(model::State& state, double h, StepReport& report) {
  make_exact();
  exact_ = true;
  next_.arc = now_.arc;
  begin_P(state, h);
  drift_ = u_;
  const double tolerance = tolerance_P();
  double last = law::kInf;
  bool keep = false;
  const FactorCount counted(*saddle_, report);
  for (int k = 0; k < kMostCorrections; ++k) {
    const double e = residual_exact_P(state, h);
    if (!std::isfinite(e)) return false;
    if (!keep) turn_rows();
    const solve::Saddle::System system{mass_.data(), now_.J.data(), J_turn_.data(),
                                       compliance_.data()};
    ++report.iterations;
    if (!saddle_->correct(system, {active_, lo_, hi_}, {r_momenta_, q_rows_}, L_, set_, du_, x_,
                          keep))
      return false;
    double work = 0, energy = 0;
    for (std::size_t i = 0; i < du_.size(); ++i) {
      work += r_momenta_[i] * du_[i];
      energy += std::abs(state.P[i] * drift_[i]) + std::abs(h / 2 * f_[i] * drift_[i]);
      drift_[i] += du_[i];
    }
    for (std::size_t i = 0; i < L_.size(); ++i) L_[i] += x_[i];
    apply(now_, x_, state.P);
    double moved = 0;  // as a length
    const std::vector<double>& unit = kin_->units();
    for (std::size_t i = 0; i < du_.size(); ++i)
      moved = std::max(moved, std::abs(h * du_[i]) / unit[i]);
    const double size = std::max(std::sqrt(std::abs(work)), std::sqrt(energy) * moved);
    const bool met = e <= tolerance && std::abs(work) <= kMet * energy && moved <= 1e-13;
    const bool rounded = k > 2 && e <= tolerance && size > kStuck * last && uneven() <= kUneven;
    if (k > 0 && (met || rounded)) {
      // the last correction counts, and with it the place
      if (!std::isfinite(residual_exact_P(state, h))) return false;
      return true;
    }
    if (k > 8 && size > kStuck * last && !curved_) return false;
    keep = !curved_ && (k == 0 || size < kStale * last);
    last = size;
  }
  return false;
}

/// As solve_V, in velocities and multipliers.
bool Velocity::solve_exact_V(const std::vector<double>& base, StepReport& report) {
  P_trial_ = base;
  std::fill(m_.begin(), m_.end(), 0.0);
  kin_->drift(0, q_trial_.data(), v_.data(), r_momenta_.data(), mass_.data(), turn_.data());
  const solve::Saddle::System system{mass_.data(), next_.J.data(), next_.J.data(),
                                     compliance_.data()};
  const FactorCount counted(*saddle_, report);
  double last = law::kInf;
  for (int k = 0; k <= kMostCorrections; ++k) {
    const double worst = residual_V();
    if (!std::isfinite(worst)) return false;
    double work = 0, energy = 0;
    kin_->drift(0, q_trial_.data(), v_.data(), r_momenta_.data(), nullptr, nullptr);
    for (std::size_t i = 0; i < v_.size(); ++i) r_momenta_[i] -= P_trial_[i];
    if (!saddle_->correct(system, {active_, lo_, hi_}, {r_momenta_, q_rows_}, m_, set_, du_, x_,
                          k > 0))
      return false;
    for (std::size_t i = 0; i < v_.size(); ++i) {
      work += r_momenta_[i] * du_[i];
      energy += std::abs(P_trial_[i] * v_[i]);
      v_[i] += du_[i];
    }
    for (std::size_t i = 0; i < m_.size(); ++i) m_[i] += x_[i];
    apply(next_, x_, P_trial_);
    rates_of(next_, v_, ju_);
    if (k > 0 && worst <= row_speed_allowed() &&
        (std::abs(work) <= kMet * energy || std::abs(work) > kStuck * last))
      return true;
    last = std::abs(work);
  }
  return false;
}

/// Velocities of a state's momenta, with the rows that hold.
bool Velocity::exact_velocities(const model::State& state) {
  if (state.u.size() == u_.size()) {
    u_ = state.u;
    return true;
  }
  return projector().velocities(demands_, state, now_, u_);
}

/// Inverse masses that rows of forces and rows with bounds feel, with all others held.
void Velocity::find_row_masses() {
  std::fill(inverse_mass_.begin(), inverse_mass_.end(), 0.0);
  const auto wants = [&](std::size_t i) {
    return hold_[i] != Hold::nothing && hold_[i] != Hold::position && plain_[i] == 0;
  };
  bool any = false;
  std::vector<unsigned char> free(hold_.size());
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    any |= wants(i);
    free[i] = hold_[i] == Hold::position;
  }
  if (!any) return;
  const std::vector<double> none(hold_.size(), 0.0);
  kin_->drift(0, q0_.data(), u_.data(), r_momenta_.data(), mass_.data(), turn_.data());
  if (!saddle_->factor({mass_.data(), now_.J.data(), now_.J.data(), none.data()}, free)) return;
  std::vector<double> x(none), rates(none);
  for (std::size_t i = 0; i < hold_.size(); ++i) {
    if (!wants(i)) continue;
    std::fill(x.begin(), x.end(), 0.0);
    x[i] = 1;
    std::fill(du_.begin(), du_.end(), 0.0);
    apply(now_, x, du_);
    std::fill(x.begin(), x.end(), 0.0);
    saddle_->solve(du_, x);
    solve::multiply(kin_->graph(), now_.J.data(), du_.data(), rates.data());
    inverse_mass_[i] = std::max(rates[i], 0.0);
  }
}

}  // namespace trammel::form

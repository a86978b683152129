#include "solve/active_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace trammel::solve {
namespace {

constexpr int kPatience = 5;    // sets without a fall of the merit before projected steps
constexpr int kSets = 50;       // in all
constexpr int kDescents = 300;  // projected steps: then it is given up
// In S + eps D of a projected step: where rows depend on each other and want different things its
// direction has a part of 1 / eps, whose rounding must not hide the rest.
constexpr double kDescentEps = 1e-6;

bool is_fixed(const BoxProblem& p, std::size_t i) { return p.lo[i] == p.hi[i]; }

/// Sides that a row can be on.
signed char legal_side(const BoxProblem& p, std::size_t i, signed char side) {
  if (is_fixed(p, i)) return -1;
  const double bound = side < 0 ? p.lo[i] : p.hi[i];
  return side != 0 && std::isfinite(bound) ? side : static_cast<signed char>(0);
}

bool has_bounds(const BoxProblem& p) {
  const auto finite = [](double b) { return std::isfinite(b); };
  return std::any_of(p.lo.begin(), p.lo.end(), finite) ||
         std::any_of(p.hi.begin(), p.hi.end(), finite);
}

}  // namespace

struct ActiveSet::Task {
  const System& system;
  const BoxProblem& problem;
  std::span<double> x;
  std::span<signed char> set;
};

ActiveSet::ActiveSet(Direct& direct) : direct_(direct), product_(direct.graph()) {}

/// Where bounds never matter nothing is kept for them.
void ActiveSet::make_room() {
  const auto n = static_cast<std::size_t>(direct_.graph().n_rows);
  given_.resize(n), free_.resize(n), best_set_.resize(n);
  w_.resize(n), r_.resize(n), best_x_.resize(n), along_.resize(n), S_along_.resize(n);
}

BoxReport ActiveSet::solve(const System& system, const BoxProblem& problem, std::span<double> x,
                           std::span<signed char> set, bool factor_is_current) {
  return problem.cones.empty() ? solve_box(system, problem, x, set, factor_is_current)
                               : solve_cones(system, problem, x, set, factor_is_current);
}

BoxReport ActiveSet::solve_box(const System& system, const BoxProblem& problem, std::span<double> x,
                               std::span<signed char> set, bool factor_is_current) {
  make_room();
  const std::size_t n = free_.size();
  assert(problem.q.size() == n && problem.lo.size() == n && problem.hi.size() == n);
  assert(x.size() == n && set.size() == n);
  const Task task{system, problem, x, set};
  for (std::size_t i = 0; i < n; ++i) {
    given_[i] = system.active[i] != 0;
    set[i] = given_[i] ? legal_side(problem, i, set[i]) : static_cast<signed char>(0);
  }
  BoxReport report{0, 0, std::numeric_limits<double>::infinity(), false};
  if (!has_bounds(problem)) return solve_free(task, report, factor_is_current);
  for (int waited = 0; report.iterations < kSets && waited < kPatience;) {
    if (!factor(task, report, factor_is_current)) return report;
    solve_set(task);
    const double now = merit(task);
    waited = now < report.merit ? 0 : waited + 1;
    if (!waited) keep(task, report, now);
    if (change(task)) continue;
    keep(task, report, now);
    report.converged = std::isfinite(now);
    break;
  }
  if (!report.converged && std::isfinite(report.merit)) descend(task, report, factor_is_current);
  std::copy(best_x_.begin(), best_x_.end(), x.begin());
  std::copy(best_set_.begin(), best_set_.end(), set.begin());
  return report;
}

bool ActiveSet::factor(const Task& task, BoxReport& report, bool& current) {
  ++report.iterations;
  for (std::size_t i = 0; i < free_.size(); ++i) free_[i] = given_[i] && !task.set[i];
  const auto held = direct_.active();
  if (current && direct_.failed_row() < 0 && std::equal(free_.begin(), free_.end(), held.begin()))
    return true;
  ++report.factorisations;
  const auto& s = task.system;
  return current = direct_.factor({s.J, s.inv_mass, s.compliance, free_.data()});
}

BoxReport ActiveSet::solve_free(const Task& task, BoxReport& report, bool current) {
  if (!factor(task, report, current)) return report;
  double size = 0;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    r_[i] = -task.problem.q[i];
    if (given_[i]) size = std::max(size, std::abs(r_[i]));
  }
  scale_ = size;
  const auto solved = direct_.solve(r_.data(), task.x.data());
  report.merit = solved.residual * size;
  report.converged = std::isfinite(report.merit);
  return report;
}

/// x: bounds where the set says so, else S_FF x_F = -(q_F + S_FB x_B); w = S x + q.
void ActiveSet::solve_set(const Task& task) {
  const auto& p = task.problem;
  const std::size_t n = r_.size();
  bool moved = false;
  for (std::size_t i = 0; i < n; ++i) {
    r_[i] = task.set[i] < 0 ? p.lo[i] : task.set[i] > 0 ? p.hi[i] : 0;
    moved |= r_[i] != 0;
  }
  std::fill(w_.begin(), w_.end(), 0.);
  if (moved) product_.apply(task.system, given_, r_.data(), w_.data());
  scale_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (given_[i]) scale_ = std::max({scale_, std::abs(p.q[i]), std::abs(w_[i])});
    w_[i] = -(p.q[i] + w_[i]);
  }
  direct_.solve(w_.data(), task.x.data());
  for (std::size_t i = 0; i < n; ++i)
    if (task.set[i]) task.x[i] = r_[i];
  product_.apply(task.system, given_, task.x.data(), w_.data());
  for (std::size_t i = 0; i < n; ++i) w_[i] += given_[i] ? p.q[i] : 0;
}

double ActiveSet::merit(const Task& task) const {
  const auto& p = task.problem;
  const auto D = direct_.diagonal();
  double worst = 0;
  for (std::size_t i = 0; i < w_.size(); ++i) {
    if (!given_[i] || is_fixed(p, i)) continue;
    const double x = task.x[i], to = std::min(std::max(x - w_[i] / D[i], p.lo[i]), p.hi[i]);
    const double distance = D[i] > 0 ? D[i] * std::abs(x - to) : D[i];
    if (!(distance <= worst)) worst = distance;
    if (std::isnan(worst)) return worst;
  }
  return worst;
}

/// Moves rows that contradict their side, by more than rounding, to the other; false: there is
/// none.
bool ActiveSet::change(const Task& task) const {
  const auto& p = task.problem;
  const auto D = direct_.diagonal();
  const double slack = direct_.options().tolerance * scale_;
  bool any = false;
  for (std::size_t i = 0; i < w_.size(); ++i) {
    if (!given_[i] || is_fixed(p, i)) continue;
    signed char& side = task.set[i];
    const signed char before = side;
    if (side == 0) {
      if (D[i] * (p.lo[i] - task.x[i]) > slack) side = -1;
      if (D[i] * (task.x[i] - p.hi[i]) > slack) side = 1;
    } else if (side * w_[i] > slack) {
      side = 0;
    }
    any |= side != before;
  }
  return any;
}

/// Projected Newton steps from the best so far until nothing is left of the merit but rounding;
/// then the set they end with is solved exactly.
void ActiveSet::descend(const Task& task, BoxReport& report, bool& current) {
  const double enough = direct_.options().tolerance * scale_, eps = direct_.options().eps;
  std::copy(best_x_.begin(), best_x_.end(), task.x.begin());
  direct_.set_eps(std::max(eps, kDescentEps));
  current = false;
  for (int k = 0; k < kDescents; ++k) {
    product_.apply(task.system, given_, task.x.data(), w_.data());
    for (std::size_t i = 0; i < w_.size(); ++i) w_[i] += given_[i] ? task.problem.q[i] : 0;
    take_sides(task);
    const double now = merit(task);
    if (now < report.merit) keep(task, report, now);
    if (now <= enough || !factor(task, report, current) || !step_down(task)) break;
  }
  direct_.set_eps(eps);
  current = false;
  std::copy(best_set_.begin(), best_set_.end(), task.set.begin());
  if (!factor(task, report, current)) return;
  solve_set(task);
  if (const double now = merit(task); now <= report.merit) keep(task, report, now);
  report.converged = report.merit <= enough;
}

/// A row is on a side where it pushes against that bound: it is there, or nearly so beside what its
/// residual alone would move it (what is nearly there would shorten every step).
void ActiveSet::take_sides(const Task& task) const {
  constexpr double kNearly = 1e-3;
  const auto& p = task.problem;
  const auto D = direct_.diagonal();
  for (std::size_t i = 0; i < w_.size(); ++i) {
    signed char side = 0;
    if (given_[i]) {
      const double near = task.x[i] - kNearly * w_[i] / D[i];
      if (w_[i] > 0 && near <= p.lo[i]) side = -1;
      if (w_[i] < 0 && near >= p.hi[i]) side = 1;
      if (is_fixed(p, i)) side = -1;
    }
    task.set[i] = side;
  }
}

/// The Newton direction of the free rows, bent back into the bounds at some length, then as far
/// along that as the energy falls. Of the lengths the one that lowers it most; false: none does.
bool ActiveSet::step_down(const Task& task) {
  constexpr int kLengths = 16;
  const auto& p = task.problem;
  const std::size_t n = w_.size();
  for (std::size_t i = 0; i < n; ++i) r_[i] = given_[i] && !task.set[i] ? -w_[i] : 0;
  direct_.solve_factored(r_.data());
  for (std::size_t i = 0; i < n; ++i)
    if (task.set[i]) r_[i] = (task.set[i] < 0 ? p.lo[i] : p.hi[i]) - task.x[i];
  double best = 0, best_length = 0, best_part = 0;
  double length = 1;
  const auto bend = [&](double by) {
    for (std::size_t i = 0; i < n; ++i)
      along_[i] = std::min(std::max(task.x[i] + by * r_[i], p.lo[i]), p.hi[i]) - task.x[i];
  };
  for (int k = 0; k < kLengths; ++k, length /= 8) {
    bend(length);
    product_.apply(task.system, given_, along_.data(), S_along_.data());
    double slope = 0, curvature = 0;
    for (std::size_t i = 0; i < n; ++i) {
      slope += w_[i] * along_[i];
      curvature += S_along_[i] * along_[i];
    }
    if (!(slope < 0)) continue;
    const double part = curvature > -slope ? -slope / curvature : 1;
    const double change = part * (slope + part * curvature / 2);
    if (change < best) best = change, best_length = length, best_part = part;
    if (k == 0 && part == 1) break;  // a whole step: no shorter one does better
  }
  if (best_length == 0) return false;
  bend(best_length);
  for (std::size_t i = 0; i < n; ++i) task.x[i] += given_[i] ? best_part * along_[i] : 0;
  return true;
}

/// The best so far, inside its bounds.
void ActiveSet::keep(const Task& task, BoxReport& report, double merit) {
  report.merit = merit;
  for (std::size_t i = 0; i < w_.size(); ++i) {
    const double lo = task.problem.lo[i], hi = task.problem.hi[i];
    best_x_[i] = given_[i] ? std::min(std::max(task.x[i], lo), hi) : 0;
    best_set_[i] = task.set[i];
  }
}

}  // namespace trammel::solve

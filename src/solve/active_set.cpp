#include "solve/active_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace trammel::solve {
namespace {

constexpr int kPatience = 5;     // sets without a fall of the merit before single changes
constexpr int kSetsPerRow = 10;  // and in all, beyond kSets: then it is given up
constexpr int kSets = 50;

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

ActiveSet::ActiveSet(Direct& direct) : direct_(direct), product_(direct.graph()) {
  const auto n = static_cast<std::size_t>(direct.graph().n_rows);
  given_.resize(n), free_.resize(n), best_set_.resize(n);
  w_.resize(n), r_.resize(n), best_x_.resize(n);
}

BoxReport ActiveSet::solve(const System& system, const BoxProblem& problem, std::span<double> x,
                           std::span<signed char> set, bool factor_is_current) {
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
  const int most = kSets + kSetsPerRow * static_cast<int>(n);
  for (int waited = 0; report.iterations < most;) {
    if (!factor(task, report, factor_is_current)) return report;
    solve_set(task);
    const double now = merit(task);
    waited = now < report.merit ? 0 : waited + 1;
    if (!waited) keep(task, report, now);
    if (change(task, waited >= kPatience)) continue;
    keep(task, report, now);
    report.converged = std::isfinite(now);
    break;
  }
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
bool ActiveSet::change(const Task& task, bool only_first) const {
  const auto& p = task.problem;
  const auto D = direct_.diagonal();
  const double slack = direct_.options().tolerance * scale_;
  bool any = false;
  for (std::size_t i = 0; i < w_.size() && !(any && only_first); ++i) {
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

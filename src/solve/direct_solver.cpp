#include "solve/direct_solver.h"

#include <algorithm>
#include <cmath>

#include "math/types.h"

namespace trammel::solve {

namespace {
/// Relative regularisation eps of S + eps diag S. With redundant rows a null component r_0 of a
/// residual makes r_0 / eps of the impulses; 1e-9 leaves room to take it out again (correct_free).
/// Without, 1e-12 solves to rounding in one pass.
constexpr double kEpsRedundant = 1e-9, kEpsFull = 1e-12;
constexpr double kNullPivot = 1e-9;  // relative: below it a row counts as redundant

System system_of(const Matrices& at, const Rows& rows) {
  return {at.J, at.inv_mass, rows.compliance.data(), rows.active.data()};
}
/// x + dx, one number per row.
struct Sum {
  std::span<const double> x, dx;
  double operator[](std::size_t i) const { return x[i] + dx[i]; }
};
}  // namespace

DirectSolver::DirectSolver(const Graph& graph)
    : loops_(has_loops(graph)), direct_(graph, {.eps = kEpsFull}), box_(direct_), product_(graph) {
  const auto n = static_cast<std::size_t>(graph.n_rows);
  compliance_.resize(n);
}

void DirectSolver::set_redundant(bool redundant) {
  redundant_ = redundant;
  direct_.set_eps(redundant ? kEpsRedundant : kEpsFull);
}

/// True where the last factor is the first to show redundant rows. Then eps is that of redundant
/// rows, and the caller factors again.
bool DirectSolver::found_redundant() {
  if (redundant_ || !loops_ || direct_.least_pivot() >= kNullPivot) return false;
  set_redundant(true);
  return true;
}

/// Copies the compliances of the rows. Returns true where they are unchanged.
bool DirectSolver::take_compliance(const Rows& rows) {
  bool same = true;
  for (const int other : rows.others) {
    const auto i = static_cast<std::size_t>(other);
    same = same && compliance_[i] == rows.compliance[i];
    compliance_[i] = rows.compliance[i];
  }
  return same;
}

bool DirectSolver::prepare(const Matrices& at, const Rows& rows, Effort* effort) {
  const auto same = [&](int other) {
    const auto i = static_cast<std::size_t>(other);
    return rows.active[i] == direct_.active()[i] && rows.compliance[i] == compliance_[i];
  };
  if (current_ && std::all_of(rows.others.begin(), rows.others.end(), same)) return true;
  if (effort) ++effort->factorisations;
  take_compliance(rows);
  current_ = direct_.factor(system_of(at, rows));
  if (current_ && effort && found_redundant()) current_ = direct_.factor(system_of(at, rows));
  return current_;
}

/// Solves as if there were no bounds. Returns false where x + dx leaves them. In stage P the
/// residual of redundant rows is not consistent, since J turns over the step: dx = S'^-1 S S'^-1
/// (-r), S' = S + eps D, has no null component, which would stay in the first guess and in the
/// reactions.
bool DirectSolver::correct_free(const Rows& rows, std::span<const double> r,
                                std::span<const double> x, std::span<double> dx) const {
  const auto without_inactive = [&] {
    for (const int other : rows.others)
      if (const auto i = static_cast<std::size_t>(other); !rows.active[i]) dx[i] = 0;
  };
  for (std::size_t i = 0; i < r.size(); ++i) dx[i] = -r[i];
  without_inactive();
  direct_.solve_factored(dx.data());
  if (redundant_) {
    const auto D = direct_.diagonal();
    const double eps = direct_.options().eps;
    for (std::size_t i = 0; i < r.size(); ++i) dx[i] = -r[i] - eps * D[i] * dx[i];
    without_inactive();
    direct_.solve_factored(dx.data());
  }
  return is_inside(rows, x, dx);
}

/// True where x + dx is within bounds, and within its cone, for all rows last factored.
bool DirectSolver::is_inside(const Rows& rows, std::span<const double> x,
                             std::span<const double> dx) const {
  const Sum to_x{x, dx};
  for (const Cone& c : rows.cones) {
    if (!direct_.active()[static_cast<std::size_t>(c.tangent[0])]) continue;
    if (tangent_of(c, to_x).norm() > radius_of(c, to_x)) return false;
  }
  return std::all_of(rows.others.begin(), rows.others.end(), [&](int other) {
    const auto i = static_cast<std::size_t>(other);
    const double to = x[i] + dx[i];
    return !direct_.active()[i] || (to >= rows.lo[i] && to <= rows.hi[i]);
  });
}

/// Removes the null component of dx on the rows last factored (free_): (eps S'^-1 D)^2 dx, S' = S +
/// eps D, has all of it, and (eps / s)^2 of the component at an eigenvalue s of D^-1 S. Done twice:
/// once leaves rounding / eps of a component that may be large.
void DirectSolver::take_out_null(std::span<double> dx) {
  const auto D = direct_.diagonal();
  const double eps = direct_.options().eps;
  for (int k = 0; k < 2; ++k) {
    std::copy(dx.begin(), dx.end(), q_.begin());
    for (int power = 0; power < 2; ++power) {
      for (std::size_t i = 0; i < dx.size(); ++i) q_[i] *= free_[i] ? eps * D[i] : 0;
      direct_.solve_factored(q_.data());
    }
    for (std::size_t i = 0; i < dx.size(); ++i) dx[i] -= free_[i] ? q_[i] : 0;
  }
}

/// Sets dx to lead to the solution within bounds (to_), but without null component: with an
/// inconsistent residual each refinement of that solution has added r_0 / eps. Rows with bounds
/// keep their null component where they need it to stay inside.
bool DirectSolver::correct_within(const Matrices& at, const Rows& rows, std::span<const double> x,
                                  std::span<const signed char> set, std::span<double> dx,
                                  Effort& effort) {
  for (const bool all : {true, false}) {
    for (std::size_t i = 0; i < dx.size(); ++i) {
      dx[i] = rows.active[i] ? to_[i] - x[i] : 0;
      const bool bounded = std::isfinite(rows.lo[i]) || std::isfinite(rows.hi[i]);
      free_[i] = rows.active[i] && !set[i] && (all || !bounded);
    }
    if (!redundant_) return true;
    const auto held = direct_.active();
    if (!current_ || !std::equal(free_.begin(), free_.end(), held.begin())) {
      ++effort.factorisations;
      current_ = direct_.factor({at.J, at.inv_mass, rows.compliance.data(), free_.data()});
      if (!current_) return false;
    }
    take_out_null(dx);
    if (is_inside(rows, x, dx)) return true;
  }
  return true;
}

bool DirectSolver::correct(const Matrices& at, const Rows& rows, std::span<const double> r,
                           std::span<const double> x, std::span<signed char> set,
                           std::span<double> dx, Effort& effort) {
  const bool free = std::all_of(rows.others.begin(), rows.others.end(), [&](int other) {
    const auto i = static_cast<std::size_t>(other);
    return !rows.active[i] || (!set[i] && rows.lo[i] < rows.hi[i]);
  });
  if (free) {
    if (!prepare(at, rows, &effort)) return false;
    const bool inside = correct_free(rows, r, x, dx);
    if (!std::isfinite(
            Eigen::Map<const VecX>(dx.data(), static_cast<Eigen::Index>(dx.size())).sum()))
      return false;
    if (inside) return true;
  }
  const bool current = take_compliance(rows) && current_;
  const System system = system_of(at, rows);
  q_.resize(r.size());
  to_.resize(r.size());
  free_.resize(r.size());
  product_.apply(system, rows.active, x.data(), q_.data());
  for (std::size_t i = 0; i < r.size(); ++i) {
    q_[i] = r[i] - q_[i];
    to_[i] = x[i];
  }
  BoxReport done = box_.solve(system, {q_, rows.lo, rows.hi, rows.cones}, to_, set, current);
  if (found_redundant())
    done = box_.solve(system, {q_, rows.lo, rows.hi, rows.cones}, to_, set, false);
  current_ = direct_.failed_row() < 0;
  effort.factorisations += done.factorisations;
  effort.merit = std::max(effort.merit, done.merit);
  return std::isfinite(done.merit) && correct_within(at, rows, x, set, dx, effort);
}

}  // namespace trammel::solve

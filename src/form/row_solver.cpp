#include "form/row_solver.h"

#include <algorithm>
#include <cmath>

namespace trammel::form {

namespace {
solve::System system_of(const model::Instant& at, const RowSolver::Rows& rows) {
  return {at.J.data(), at.inv_mass.data(), rows.compliance.data(), rows.active.data()};
}
}  // namespace

RowSolver::RowSolver(const solve::Graph& graph) : direct_(graph), box_(direct_), product_(graph) {
  const auto n = static_cast<std::size_t>(graph.n_rows);
  compliance_.resize(n);
  q_.resize(n);
  to_.resize(n);
}

bool RowSolver::factor(const model::Instant& at, const Rows& rows, StepReport* report) {
  const auto same = [](const auto& a, const auto& b) { return std::equal(a.begin(), a.end(), b.begin()); };
  if (current_ && same(rows.active, direct_.active()) && same(rows.compliance, compliance_)) return true;
  if (report) ++report->factorisations;
  std::copy(rows.compliance.begin(), rows.compliance.end(), compliance_.begin());
  return current_ = direct_.factor(system_of(at, rows));
}

/// As if there were no bounds. False: there are, and x + dx leaves them.
bool RowSolver::correct_free(const Rows& rows, std::span<const double> r, std::span<const double> x,
                             std::span<double> dx) const {
  for (std::size_t i = 0; i < r.size(); ++i) dx[i] = rows.active[i] ? -r[i] : 0;
  direct_.solve_factored(dx.data());
  bool inside = true;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double to = x[i] + dx[i];
    inside = inside && (!rows.active[i] || (to >= rows.lo[i] && to <= rows.hi[i]));
  }
  return inside;
}

bool RowSolver::correct(const model::Instant& at, const Rows& rows, std::span<const double> r,
                        std::span<const double> x, std::span<signed char> set, std::span<double> dx,
                        StepReport& report) {
  bool free = true;
  for (std::size_t i = 0; i < r.size(); ++i)
    free = free && (!rows.active[i] || (!set[i] && rows.lo[i] < rows.hi[i]));
  if (free) {
    if (!factor(at, rows, &report)) return false;
    if (correct_free(rows, r, x, dx)) return true;
  }
  const bool current = current_ && std::equal(compliance_.begin(), compliance_.end(), rows.compliance.begin());
  std::copy(rows.compliance.begin(), rows.compliance.end(), compliance_.begin());
  const solve::System system = system_of(at, rows);
  product_.apply(system, rows.active, x.data(), q_.data());
  for (std::size_t i = 0; i < r.size(); ++i) {
    q_[i] = r[i] - q_[i];
    to_[i] = x[i];
  }
  const solve::BoxReport done = box_.solve(system, {q_, rows.lo, rows.hi}, to_, set, current);
  current_ = direct_.failed_row() < 0;
  report.factorisations += done.factorisations;
  report.merit = std::max(report.merit, done.merit);
  for (std::size_t i = 0; i < r.size(); ++i) dx[i] = rows.active[i] ? to_[i] - x[i] : 0;
  return std::isfinite(done.merit);
}

}  // namespace trammel::form

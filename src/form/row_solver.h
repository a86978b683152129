#pragma once

#include <span>
#include <vector>

#include "form/report.h"
#include "model/kinematics.h"
#include "solve/active_set.h"
#include "solve/direct.h"
#include "solve/operator.h"

namespace trammel::form {

/// Solves the rows of one instant for their impulses, within bounds. Keeps its factor as long as
/// rows and masses are the same.
class RowSolver {
 public:
  /// Rows that are not among `others` are active, rigid and without bounds.
  struct Rows {
    std::span<const unsigned char> active;
    std::span<const double> compliance, lo, hi;
    std::span<const int> others;
  };

  explicit RowSolver(const solve::Graph& graph);

  /// Marks the factor as stale: J or the masses have changed.
  void invalidate() { current_ = false; }
  /// True where rows have been found redundant, now or in the run that led here.
  bool redundant() const { return redundant_; }
  void set_redundant(bool redundant);
  bool factored() const { return current_; }
  Rows factored_rows() const { return {direct_.active(), compliance_, {}, {}, {}}; }
  /// Factors S + C of the active rows, without their bounds, unless the kept factor is that.
  /// Returns false where a pivot failed. `report` may be null; then redundancy is not looked for.
  bool factor(const model::Instant& at, const Rows& rows, StepReport* report);
  /// Returns S_ii of the rows last factored, without their compliance.
  double inverse_mass(std::size_t row) const { return direct_.diagonal()[row] - compliance_[row]; }
  int failed_row() const { return direct_.failed_row(); }

  /// Computes dx with (S + C) dx + r = 0 on the active rows, r their residual at x, or, where x +
  /// dx would leave its bounds, the solution of the complementarity problem. Inactive rows get 0.
  /// `set` holds the bounds that rows are at, as first guess and as result. On rows free of their
  /// bounds dx has no null component: x keeps the one that it had. This is one pass; redundant rows
  /// want a second.
  bool correct(const model::Instant& at, const Rows& rows, std::span<const double> r,
               std::span<const double> x, std::span<signed char> set, std::span<double> dx,
               StepReport& report);

 private:
  bool found_redundant();
  bool take_compliance(const Rows& rows);
  bool correct_free(const Rows& rows, std::span<const double> r, std::span<const double> x,
                    std::span<double> dx) const;
  void take_out_null(std::span<double> dx);
  bool is_inside(const Rows& rows, std::span<const double> x, std::span<const double> dx) const;
  bool correct_within(const model::Instant& at, const Rows& rows, std::span<const double> x,
                      std::span<const signed char> set, std::span<double> dx, StepReport& report);

  bool loops_;  // rows may be redundant, as the graph has loops
  // rows have been found redundant: they have their own eps and no null component
  bool redundant_ = false;
  solve::Direct direct_;
  solve::ActiveSet box_;
  solve::Operator product_;
  std::vector<double> compliance_, q_, to_;
  std::vector<unsigned char> free_;
  bool current_ = false;
};

}  // namespace trammel::form

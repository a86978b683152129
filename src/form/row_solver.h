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

  /// J or the masses have changed.
  void invalidate() { current_ = false; }
  /// Whether rows have been found redundant, now or in the run that led here.
  bool redundant() const { return redundant_; }
  void set_redundant(bool redundant);
  bool factored() const { return current_; }
  Rows factored_rows() const { return {direct_.active(), compliance_, {}, {}, {}}; }
  /// S, without bounds: for the inverse masses of the rows. False: a pivot failed.
  bool factor(const model::Instant& at, const Rows& rows, StepReport* report);
  /// S_ii of the rows last factored, without their compliance.
  double inverse_mass(std::size_t row) const { return direct_.diagonal()[row] - compliance_[row]; }
  int failed_row() const { return direct_.failed_row(); }

  /// dx with (S + C) dx + r = 0 on the active rows, r their residual at x, or, where x + dx would
  /// leave its bounds, the complementary solution; inactive rows get 0. `set` is the guess and the
  /// result. Without null part on the rows that are free of their bounds: x has what it had. One
  /// pass: redundant rows want a second.
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

  bool loops_;              // rows may be redundant
  bool redundant_ = false;  // and have been: solved with eps of their own, and without null part
  solve::Direct direct_;
  solve::ActiveSet box_;
  solve::Operator product_;
  std::vector<double> compliance_, q_, to_;
  std::vector<unsigned char> free_;
  bool current_ = false;
};

}  // namespace trammel::form

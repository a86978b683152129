#pragma once

#include <vector>

#include "solve/active_set.h"
#include "solve/direct.h"
#include "solve/operator.h"
#include "solve/solver.h"

namespace trammel::solve {

/// Solves rows by a sparse factor and an active set: exact, linear in time on trees and chains.
/// Keeps its factor as long as rows and masses are the same.
class DirectSolver final : public Solver {
 public:
  explicit DirectSolver(const Graph& graph);

  void invalidate() override { current_ = false; }
  bool prepare(const Matrices& at, const Rows& rows, Effort* effort) override;
  Rows prepared() const override {
    if (!current_) return {};
    return {direct_.active(), compliance_, {}, {}, {}};
  }
  bool correct(const Matrices& at, const Rows& rows, std::span<const double> r,
               std::span<const double> x, std::span<signed char> set, std::span<double> dx,
               Effort& effort) override;
  int failed_row() const override { return direct_.failed_row(); }
  bool redundant() const override { return redundant_; }
  void set_redundant(bool redundant) override;

 private:
  bool found_redundant();
  bool take_compliance(const Rows& rows);
  bool correct_free(const Rows& rows, std::span<const double> r, std::span<const double> x,
                    std::span<double> dx) const;
  void take_out_null(std::span<double> dx);
  bool is_inside(const Rows& rows, std::span<const double> x, std::span<const double> dx) const;
  bool correct_within(const Matrices& at, const Rows& rows, std::span<const double> x,
                      std::span<const signed char> set, std::span<double> dx, Effort& effort);

  bool loops_;  // rows may be redundant, as the graph has loops
  // rows have been found redundant: they have their own eps and no null component
  bool redundant_ = false;
  Direct direct_;
  ActiveSet box_;
  Operator product_;
  std::vector<double> compliance_, q_, to_;
  std::vector<unsigned char> free_;
  bool current_ = false;
};

}  // namespace trammel::solve

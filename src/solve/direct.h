#pragma once

#include <memory>
#include <span>

#include "solve/graph.h"

/// The direct solver: a sparse block LDL^T of S = J M^-1 J^T + diag(compliance), linear in time and
/// storage on chains, trees and stars.
namespace trammel::solve {

struct DirectOptions {
  /// S + eps D is factored, D = diag S: redundant rows have a solution. How they share a load is
  /// then known to rounding / eps, about 1e-4 of it at 1e-12 and 1e-7 at 1e-9; S x is not affected.
  double eps = 1e-12;
  int max_proximal = 10;     // refinements allowed in solve(); 0: one pass, no residual taken
  double tolerance = 1e-10;  // of solve(): max |r - S x| / max |r|
  int hub_degree = 24;       // a block with more groups than this is a node of its own
  bool keep_pivots = false;  // for pivots()
  double drop = 0;           // rows whose pivot is below it, relative to D, are left out
  bool lanes = true;  // islands that are alike several at a time: the same bits, unless keep_pivots
  double task_flops = 60e3;  // what threads share costs at least that much a piece; see threads.md
};

/// Not to be shared between threads: solving uses scratch space inside.
class Direct {
 public:
  /// Symbolic work, once per topology. The graph must outlive the solver.
  explicit Direct(const Graph& graph, DirectOptions options = {});
  ~Direct();
  Direct(Direct&&) noexcept;
  Direct& operator=(Direct&&) noexcept;

  /// Factors S + eps D; inactive rows become identity rows. Allocates nothing. False: see
  /// failed_row.
  bool factor(const System& system);
  int failed_row() const;  // where a pivot was not finite or zero; -1: none
  /// Least pivot of the last factor, relative to its D: about eps where rows are redundant.
  double least_pivot() const;
  void set_eps(double eps, double drop = 0);  // of the next factor
  /// Returns the pivot of every row, relative to its D; empty unless kept.
  std::span<const double> pivots() const;

  void solve_factored(double* x) const;          // in place (S + eps D)^-1 x; inactive rows give 0
  void apply(const double* x, double* y) const;  // y = S x, active rows; inactive rows give 0

  struct Solved {
    double residual;  // max_i |r_i - (S x)_i| / max |r| over the active rows; 0 if not taken
    int iterations;   // solves with the factor
  };
  /// Proximal iterations x += (S + eps D)^-1 (r - S x) from x = 0 until residual <= tolerance.
  /// Where rows are redundant and r is consistent, x tends to the solution least in sum D_i x_i^2.
  Solved solve(const double* r, double* x) const;

  std::span<const double> diagonal() const;       // of S, of every row, active or not
  std::span<const unsigned char> active() const;  // the rows the factor was made with
  const Graph& graph() const;
  const DirectOptions& options() const;

  // Figures of the symbolic analysis.
  long long fill() const;  // numbers in the columns of L
  double flops() const;    // multiplications and additions of one factor()
  int hubs() const;        // blocks kept as nodes

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trammel::solve

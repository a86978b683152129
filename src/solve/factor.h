#pragma once

#include <memory>

#include "solve/direct.h"
#include "solve/symbolic.h"

namespace trammel::solve {

/// The numbers of the factor: S + eps D = L D L^T, column by column, each from those before it. The
/// elimination of a block of rows is in solve/kernels.h; alike islands go in lanes,
/// solve/islands.h.
class Factor {
 public:
  Factor(const Graph& graph, const DirectOptions& options);
  ~Factor();
  bool factor(const System& given);
  void solve(double* x) const;
  int failed_row() const;
  double least_pivot() const;
  std::span<const double> pivots() const;  // of rows, relative to D; empty unless kept
  void set_eps(double eps, double drop);
  const Symbolic& symbolic() const;
  std::span<const double> diagonal() const;
  std::span<const unsigned char> active() const;

 private:
  struct Core;
  std::unique_ptr<Core> core_;
};

}  // namespace trammel::solve

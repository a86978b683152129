#pragma once

#include <functional>
#include <memory>
#include <span>

#include "solve/cone.h"
#include "solve/graph.h"

/// The seam between formulations and what solves their rows: a formulation says which impulses each
/// row may have and what is left of its equation, a solver finds the impulses. Neither knows how
/// the other goes about it.
namespace trammel::solve {

/// J and the inverse masses of an instant, which stay as they are until Solver::invalidate().
struct Matrices {
  const double* J;
  const double* inv_mass;
};

/// The rows of a solve. Those that are not among `others` are active, rigid and without bounds;
/// tangent rows of cones have no other bounds than these.
struct Rows {
  std::span<const unsigned char> active;  // 0: the row takes no part, its impulse is 0
  std::span<const double> compliance, lo, hi;
  std::span<const int> others;
  std::span<const Cone> cones = {};
};

/// The cost of a solve, and the error of its impulses.
struct Effort {
  int factorisations = 0;
  /// max_i |x_i - clamp(x_i - w_i / S_ii, lo_i, hi_i)| S_ii, w = S x + q: the row rates that are
  /// wrong [m/s, rad/s].
  double merit = 0;
};

class Solver {
 public:
  virtual ~Solver() = default;

  /// J or the inverse masses have changed.
  virtual void invalidate() = 0;
  /// Prepares for solves of the active rows (a factor of S + C, say), unless it is prepared for
  /// these. Returns false where it cannot, see failed_row(). Where `effort` is null the rows are
  /// not looked at for redundant ones.
  virtual bool prepare(const Matrices& at, const Rows& rows, Effort* effort) = 0;
  /// Returns what rows and compliances it is prepared for, which a state may store so that another
  /// process prepares for the same; `active` is empty where there is nothing to store.
  virtual Rows prepared() const = 0;
  /// Computes dx with (S + C) dx + r = 0 on the active rows, r their residual at x, or, where x +
  /// dx would leave its bounds, the solution of the complementarity problem. Inactive rows get 0.
  /// `set` holds the bounds that rows are at, as first guess and as result. On rows free of their
  /// bounds dx has no null component: x keeps the one that it had. This is one pass; redundant rows
  /// want a second.
  virtual bool correct(const Matrices& at, const Rows& rows, std::span<const double> r,
                       std::span<const double> x, std::span<signed char> set, std::span<double> dx,
                       Effort& effort) = 0;

  /// Returns the row at which the last solve failed; -1: none.
  virtual int failed_row() const { return -1; }
  /// True where rows have been found redundant, now or in the run that led here.
  virtual bool redundant() const = 0;
  virtual void set_redundant(bool redundant) = 0;
};

/// Makes a solver for a graph, which outlives it.
using MakeSolver = std::function<std::unique_ptr<Solver>(const Graph& graph)>;

}  // namespace trammel::solve

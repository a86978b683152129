#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solve/graph.h"

/// Rows and momenta together, for bodies whose inertia must not be divided by.
namespace trammel::solve {

/// The saddle-point form of rows,
///
///   [ M  -J0^T ] [u]   [a]
///   [ J1    C  ] [x] = [b],
///
/// by LU with pivoting of the whole matrix: M may be unsymmetric, singular or as uneven as one
/// likes where rows hold what has no inertia. In S = J M^-1 J^T the light directions drown all
/// others. Costs about ten times as much as the factor of S; linear in time and storage where that
/// is. Not to be shared between threads.
class Saddle {
 public:
  /// `units`: how large one metre or radian of each unknown is, see Kinematics::units().
  Saddle(const Graph& graph, std::vector<double> units);
  ~Saddle();
  Saddle(Saddle&&) noexcept;
  Saddle& operator=(Saddle&&) noexcept;

  struct System {
    const double* mass;  // n x n of each block, row major, block after block
    const double* J0;    // as Graph has J
    const double* J1;
    const double* compliance;  // n_rows, >= 0
  };
  struct Rows {
    std::span<const unsigned char> active;  // 0: left out, x = 0
    std::span<const double> lo, hi;
  };
  struct Residual {
    std::span<const double> u, x;
  };

  /// The matrix with the rows that are not `free` replaced by x = b. False: it is singular.
  bool factor(const System& system, std::span<const unsigned char> free);
  /// In place: a, b become u, x.
  void solve(std::span<double> a, std::span<double> b) const;

  /// du, dx that take away the residual of both lines, x + dx within its bounds and complementary
  /// to the second: the set is found as ActiveSet does. A row at its bound is an identity row.
  /// Where rows depend on each other, without null part of dx. `keep`: on the last factor, if its
  /// set will do. False: singular, or no set is found.
  bool correct(const System& system, const Rows& rows, const Residual& r, std::span<const double> x,
               std::span<signed char> set, std::span<double> du, std::span<double> dx, bool keep);
  int factorisations() const { return factorisations_; }

 private:
  struct Impl;
  bool change_set(const System& system, const Rows& rows, std::span<const double> r,
                  std::span<const double> x, std::span<signed char> set, std::span<const double> du,
                  std::span<const double> dx, bool all) const;
  void take_out_null(std::span<double> du, std::span<double> dx) const;

  std::unique_ptr<Impl> impl_;
  std::vector<unsigned char> free_;
  int factorisations_ = 0;
};

}  // namespace trammel::solve

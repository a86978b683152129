#pragma once

#include <span>
#include <vector>

#include "solve/cone.h"
#include "solve/direct.h"
#include "solve/operator.h"

/// Rows with bounds, by a primal-dual active set on the direct factor.
namespace trammel::solve {

/// lo <= x <= hi, w = S x + q (S with its compliance): w = 0 if lo < x < hi, w >= 0 at lo, w <= 0
/// at hi. lo = -inf and hi = inf: equality; lo == hi: x fixed. Inactive rows: x = 0. The tangent
/// rows of cones have no other bounds.
struct BoxProblem {
  std::span<const double> q, lo, hi;
  std::span<const Cone> cones = {};
};

struct BoxReport {
  int iterations;      // sets tried
  int factorisations;  // of them, those that needed a new factor
  double merit;        // max_i D_i |x_i - clamp(x_i - w_i / D_i, lo_i, hi_i)|, in the unit of w
  bool converged;
};

/// Semi-smooth Newton: all rows that contradict their side change it at once, which is exact when
/// it stands still. Where the merit has not fallen for a few sets (rows that depend on each other
/// and want different things make it cycle), projected Newton steps follow (Bertsekas 1982): each
/// lowers x^T S x / 2 + q^T x within the bounds, so nothing cycles, and no row comes before
/// another. Not to be shared between threads.
class ActiveSet {
 public:
  explicit ActiveSet(Direct& direct);

  /// set: -1 at lo, +1 at hi, 0 free; the guess, and with x the result. The tangent rows of a cone
  /// at its bound have -1; their first guess is along x. factor_is_current: J,
  /// inverse mass and compliance are those of the factor that `direct` holds, so that a set equal
  /// to the one it was made with costs no factor. Without finite bounds this is one Direct::solve.
  BoxReport solve(const System& system, const BoxProblem& problem, std::span<double> x,
                  std::span<signed char> set, bool factor_is_current = false);

 private:
  struct Task;
  void make_room();
  BoxReport solve_box(const System& system, const BoxProblem& problem, std::span<double> x,
                      std::span<signed char> set, bool factor_is_current);
  BoxReport solve_cones(const System& system, const BoxProblem& problem, std::span<double> x,
                        std::span<signed char> set, bool factor_is_current);
  double release_cones(std::span<const Cone> cones, bool eased, std::span<double> x,
                       std::span<signed char> set) const;
  bool factor(const Task& task, BoxReport& report, bool& current);
  BoxReport solve_free(const Task& task, BoxReport& report, bool current);
  void solve_set(const Task& task);
  double merit(const Task& task) const;
  bool change(const Task& task) const;
  void descend(const Task& task, BoxReport& report, bool& current);
  void take_sides(const Task& task) const;
  bool step_down(const Task& task);
  void keep(const Task& task, BoxReport& report, double merit);

  Direct& direct_;
  Operator product_;
  std::vector<unsigned char> given_, free_;
  std::vector<double> w_, r_, best_x_, along_, S_along_;
  std::vector<signed char> best_set_;
  std::vector<double> lo_, hi_;  // bounds with those of cones
  double scale_ = 0;             // of w: what rounding is measured by
};

}  // namespace trammel::solve

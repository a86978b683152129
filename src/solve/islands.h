#pragma once

#include <algorithm>
#include <vector>

#include "solve/graph.h"
#include "solve/symbolic.h"

namespace trammel::solve {

inline constexpr double kPivotRounding = 1e-14;  // relative to the diagonal that it started from
/// A row that its blocks cannot move, as one across the plane of a system whose coordinates are in
/// it: its part of J M^-1 J^T is zero or the square of rounding, beside other rows of its joint. It
/// counts as zero, and no impulse goes through it.
inline constexpr double kImmovable = 1e-24;

/// The factor of the islands in batches, and its solves: a batch at a time, an island a lane. Each
/// number comes about by the same operations as in Factor, so that it has the same bits.
class Islands {
 public:
  Islands(const Symbolic& symbolic, double task_flops);

  struct Outcome {
    int failed_column = -1, failed = -1;  // the row
    double least_pivot = 1;               // of the rows, relative to D
    void join(const Outcome& other) {
      least_pivot = std::min(least_pivot, other.least_pivot);
      if (other.failed >= 0 && (failed < 0 || other.failed_column < failed_column))
        failed_column = other.failed_column, failed = other.failed;
    }
  };
  struct Given {
    const System& system;
    const unsigned char* active;
    bool all_active;
    double eps, drop;
    double* D;  // of the rows, written
  };
  Outcome factor(const Given& given);
  void solve(double* x) const;

 private:
  const Symbolic& s_;
  std::vector<double> values_;
  std::vector<Outcome> outcomes_;  // of the batches
  int grain_ = 1;                  // batches in one go
};

}  // namespace trammel::solve

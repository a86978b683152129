#pragma once

#include <map>
#include <vector>

#include "math/types.h"

namespace trammel::solve {

/// Cholesky factor of a positive sparse matrix of blocks, one row and column of blocks for each
/// body. The order of elimination is found anew for each set of blocks: with contacts it changes.
class SparseCholesky {
 public:
  /// Begins with a multiple of the unit matrix; sizes of the blocks.
  void begin(const std::vector<int>& sizes, double diagonal = 1);
  /// Adds factor * a b^T at block (i, j), and its transpose at (j, i); with i = j once.
  void add(int i, int j, double factor, const double* a, const double* b);
  /// Returns false where the matrix is not positive.
  bool factor();
  /// x becomes the solution.
  void solve(VecX& x) const;

 private:
  struct Column {
    std::vector<int> rows;  // blocks below, in the order of elimination
    std::vector<int> from;  // where each begins in `below`
    MatX own, below;
  };
  void order();
  void find_columns();
  void place_numbers();
  void update(std::size_t j);

  std::vector<int> size_, start_;
  std::map<std::pair<int, int>, MatX> lower_;  // i >= j
  std::vector<int> at_, in_order_;             // place of a block in the order, and the reverse
  std::vector<Column> column_;
};

}  // namespace trammel::solve

#pragma once

#include <span>
#include <utility>
#include <vector>

#include "math/brief_vector.h"
#include "math/types.h"

namespace trammel::constraint::piles {

/// Sparse L U of blocks of 6 x 6 whose pattern is symmetric, pivots within the diagonal blocks
/// alone: of matrices 1 + M^-1 J^T K J, whose diagonal blocks carry most of them.
class BlockLu {
 public:
  using Block = Eigen::Matrix<double, 6, 6>;

  /// n unknown blocks, off-diagonal ones at `edges` (either way round, repeated or not).
  void analyse(int n, std::span<const std::pair<int, int>> edges);
  void set_identity();
  /// Adds to the block at (i, k), i == k or an edge.
  void add(int i, int k, const Block& block) { *at(i, k) += block; }
  /// False: a pivot is nothing, or no number.
  bool factor();
  void solve(brief::VecX& x) const;

 private:
  struct Column {
    Block D, inverse;
    brief::vector<int> below;   // rows, ascending
    brief::vector<Block> L, U;  // (row, this) and (this, row)
  };
  Block* at(int i, int k);

  brief::vector<int> place_;  // of an unknown, in the order of elimination
  brief::vector<Column> columns_;
};

}  // namespace trammel::constraint::piles

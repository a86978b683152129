#pragma once

#include <algorithm>

#include "math/dense.h"
#include "math/types.h"

namespace trammel::solve {

/// Anderson's mixing (1965): finds the fixed point of a map g from its values alone. Each iterate
/// is the mean of the last values of g, with weights that make the mean of g(x) - x least. An
/// affine map of n numbers is met after n + 1 values, whether or not the map contracts.
class Mixing {
 public:
  /// Returns the iterate after x, where g(x) = `value`.
  VecX next(const VecX& x, const VecX& value) {
    const VecX off = value - x;
    if (n_ < 0) {
      d_off_.resize(x.size(), kDepth);
      d_value_.resize(x.size(), kDepth);
    } else {
      d_off_.col(n_ % kDepth) = off - off_;
      d_value_.col(n_ % kDepth) = value - value_;
    }
    off_ = off;
    value_ = value;
    const int k = std::min(++n_, kDepth);
    if (k == 0) return value;
    const VecX weight = dense::Qr(d_off_.leftCols(k)).solve(off);
    return value - d_value_.leftCols(k) * weight;
  }
  void forget() { n_ = -1; }

 private:
  static constexpr int kDepth = 8;
  int n_ = -1;  // differences kept so far; -1: no value
  MatX d_off_, d_value_;
  VecX off_, value_;
};

}  // namespace trammel::solve

#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "math/index.h"

namespace trammel {

/// Sets of numbers 0 .. n - 1 that grow together; the root of each is its least number.
class Forest {
 public:
  explicit Forest(std::size_t n = 0) { reset(n); }
  /// Each number by itself.
  void reset(std::size_t n) {
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  void unite(int a, int b) {
    a = root(a), b = root(b);
    parent_[at(std::max(a, b))] = std::min(a, b);
  }
  std::size_t size() const { return parent_.size(); }

 private:
  std::vector<int> parent_;
};

}  // namespace trammel

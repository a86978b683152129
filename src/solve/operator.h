#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solve/product.h"

namespace trammel::solve {

/// x -> S x = (J M^-1 J^T + diag(compliance)) x of the rows in a mask, through the blocks.
class Operator {
 public:
  explicit Operator(const Graph& graph) : graph_(graph) {}

  /// y = S x; x counts as 0, and y is 0, where the mask is 0.
  void apply(const System& system, std::span<const unsigned char> mask, const double* x,
             double* y) {
    masked_.resize(mask.size());  // scratch that many never need
    force_.resize(static_cast<std::size_t>(graph_.n_u));
    velocity_.resize(force_.size());
    for (std::size_t i = 0; i < mask.size(); ++i) masked_[i] = mask[i] ? x[i] : 0;
    std::fill(force_.begin(), force_.end(), 0.);
    add_transpose(graph_, system.J, masked_.data(), force_.data());
    apply_inverse_mass(graph_, system.inv_mass, force_.data(), velocity_.data());
    multiply(graph_, system.J, velocity_.data(), y);
    for (std::size_t i = 0; i < mask.size(); ++i)
      y[i] = mask[i] ? y[i] + system.compliance[i] * masked_[i] : 0;
  }

 private:
  const Graph& graph_;
  std::vector<double> force_, velocity_, masked_;
};

}  // namespace trammel::solve

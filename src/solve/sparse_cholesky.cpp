// Block Cholesky factor of Newton's system with contacts.
#include "solve/sparse_cholesky.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <set>

#include "math/dense.h"
#include "math/index.h"

namespace trammel::solve {

void SparseCholesky::begin(const std::vector<int>& sizes, double diagonal) {
  size_ = sizes;
  start_.assign(1, 0);
  lower_.clear();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    start_.push_back(start_.back() + sizes[i]);
    const int n = static_cast<int>(i);
    lower_.emplace(std::pair(n, n), diagonal * MatX::Identity(sizes[i], sizes[i]));
  }
}

void SparseCholesky::add(int i, int j, double factor, const double* a, const double* b) {
  if (i < j) {
    std::swap(i, j);
    std::swap(a, b);
  }
  MatX& block = lower_[{i, j}];
  if (block.size() == 0) block = MatX::Zero(size_[at(i)], size_[at(j)]);
  block.noalias() += (factor * Eigen::Map<const VecX>(a, size_[at(i)])) *
                     Eigen::Map<const VecX>(b, size_[at(j)]).transpose();
}

/// A fill-reducing order of the bodies.
void SparseCholesky::order() {
  const int n = count(size_);
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [place, block] : lower_) {
    entries.emplace_back(place.first, place.second, 1);
    if (place.first != place.second) entries.emplace_back(place.second, place.first, 1);
  }
  Eigen::SparseMatrix<double> pattern(n, n);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> found;
  Eigen::AMDOrdering<int>()(pattern, found);
  in_order_.assign(found.indices().data(), found.indices().data() + n);
  at_.resize(at(n));
  for (int k = 0; k < n; ++k) at_[at(in_order_[at(k)])] = k;
}

/// The blocks of each column: its own and what its columns before bring.
void SparseCholesky::find_columns() {
  const std::size_t n = size_.size();
  std::vector<std::set<int>> rows(n);
  for (const auto& [place, block] : lower_) {
    const int i = at_[at(place.first)], j = at_[at(place.second)];
    if (i != j) rows[at(std::min(i, j))].insert(std::max(i, j));
  }
  column_.assign(n, {});
  for (std::size_t j = 0; j < n; ++j) {
    Column& c = column_[j];
    c.rows.assign(rows[j].begin(), rows[j].end());
    if (!c.rows.empty()) rows[at(c.rows[0])].insert(c.rows.begin() + 1, c.rows.end());
    int height = 0;
    for (const int i : c.rows) {
      c.from.push_back(height);
      height += size_[at(in_order_[at(i)])];
    }
    const int width = size_[at(in_order_[j])];
    c.own = MatX::Zero(width, width);
    c.below = MatX::Zero(height, width);
  }
}

void SparseCholesky::place_numbers() {
  for (const auto& [place, block] : lower_) {
    const int i = at_[at(place.first)], j = at_[at(place.second)];
    Column& c = column_[at(std::min(i, j))];
    if (i == j) {
      c.own = block;
      continue;
    }
    const auto k = std::lower_bound(c.rows.begin(), c.rows.end(), std::max(i, j)) - c.rows.begin();
    auto to = c.below.middleRows(c.from[static_cast<std::size_t>(k)],
                                 i > j ? block.rows() : block.cols());
    if (i > j)
      to = block;
    else
      to = block.transpose();
  }
}

/// Takes what column j contributes off the columns after it.
void SparseCholesky::update(std::size_t j) {
  const Column& c = column_[j];
  for (std::size_t k = 0; k < c.rows.size(); ++k) {
    Column& to = column_[at(c.rows[k])];
    const auto first = c.from[k], width = static_cast<int>(to.own.rows());
    const auto height = static_cast<int>(c.below.rows()) - first;
    const MatX product = c.below.bottomRows(height) * c.below.middleRows(first, width).transpose();
    to.own -= product.topRows(width);
    std::size_t place = 0;
    for (std::size_t i = k + 1; i < c.rows.size(); ++i) {
      while (to.rows[place] != c.rows[i]) ++place;
      const int n = size_[at(in_order_[at(c.rows[i])])];
      to.below.middleRows(to.from[place], n) -= product.middleRows(c.from[i] - first, n);
    }
  }
}

bool SparseCholesky::factor() {
  order();
  find_columns();
  place_numbers();
  for (std::size_t j = 0; j < column_.size(); ++j) {
    Column& c = column_[j];
    if (!dense::factor_cholesky(c.own)) return false;
    c.own.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(c.below);
    update(j);
  }
  return true;
}

void SparseCholesky::solve(VecX& x) const {
  const auto part = [&](int k) -> auto{
    const int b = in_order_[at(k)];
    return x.segment(start_[at(b)], size_[at(b)]);
  };
  for (int j = 0; j < count(column_); ++j) {
    const Column& c = column_[at(j)];
    auto own = part(j);
    c.own.triangularView<Eigen::Lower>().solveInPlace(own);
    const VecX off = c.below * own;
    for (std::size_t k = 0; k < c.rows.size(); ++k) {
      auto to = part(c.rows[k]);
      to -= off.segment(c.from[k], to.size());
    }
  }
  for (int j = count(column_) - 1; j >= 0; --j) {
    const Column& c = column_[at(j)];
    auto own = part(j);
    for (std::size_t k = 0; k < c.rows.size(); ++k) {
      const auto from = part(c.rows[k]);
      own -= c.below.middleRows(c.from[k], from.size()).transpose() * from;
    }
    c.own.triangularView<Eigen::Lower>().transpose().solveInPlace(own);
  }
}

}  // namespace trammel::solve

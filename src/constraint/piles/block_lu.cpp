#include "constraint/piles/block_lu.h"

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace trammel::constraint::piles {

namespace {

brief::vector<int> minimum_degree(int n, std::span<const std::pair<int, int>> edges) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1);
  for (const auto& [i, k] : edges) entries.emplace_back(i, k, 1), entries.emplace_back(k, i, 1);
  Eigen::SparseMatrix<double> pattern(n, n);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  brief::vector<int> place(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) place[static_cast<std::size_t>(order.indices()[i])] = i;
  return place;
}

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void BlockLu::analyse(int n, std::span<const std::pair<int, int>> edges) {
  place_ = minimum_degree(n, edges);
  columns_.assign(index(n), {});
  for (const auto& [i, k] : edges) {
    const auto [low, high] = std::minmax(place_[index(i)], place_[index(k)]);
    columns_[index(low)].below.push_back(high);
  }
  for (Column& column : columns_) {
    brief::vector<int>& below = column.below;
    std::sort(below.begin(), below.end());
    below.erase(std::unique(below.begin(), below.end()), below.end());
    column.L.resize(below.size());
    column.U.resize(below.size());
    if (below.empty()) continue;
    brief::vector<int>& next = columns_[index(below[0])].below;  // its parent takes the others
    next.insert(next.end(), below.begin() + 1, below.end());
  }
}

BlockLu::Block* BlockLu::at(int i, int k) {
  const int row = place_[index(i)], column = place_[index(k)];
  if (row == column) return &columns_[index(row)].D;
  Column& of = columns_[index(std::min(row, column))];
  const auto found = std::lower_bound(of.below.begin(), of.below.end(), std::max(row, column));
  const std::size_t place = static_cast<std::size_t>(found - of.below.begin());
  return row > column ? &of.L[place] : &of.U[place];
}

void BlockLu::set_identity() {
  for (Column& column : columns_) {
    column.D.setIdentity();
    for (Block& block : column.L) block.setZero();
    for (Block& block : column.U) block.setZero();
  }
}

bool BlockLu::factor() {
  for (Column& from : columns_) {
    from.inverse = from.D.inverse();
    if (!from.inverse.allFinite()) return false;
    for (Block& block : from.L) block *= from.inverse;
    for (std::size_t i = 0; i < from.below.size(); ++i) {
      Column& to = columns_[index(from.below[i])];
      to.D.noalias() -= from.L[i] * from.U[i];
      std::size_t place = 0;
      for (std::size_t k = i + 1; k < from.below.size(); ++k) {
        while (to.below[place] != from.below[k]) ++place;
        to.U[place].noalias() -= from.L[i] * from.U[k];
        to.L[place].noalias() -= from.L[k] * from.U[i];
      }
    }
  }
  return true;
}

void BlockLu::solve(brief::VecX& x) const {
  brief::VecX y(x.size());
  const auto part = [&](int i) { return y.segment<6>(6 * i); };
  for (std::size_t i = 0; i < place_.size(); ++i)
    part(place_[i]) = x.segment<6>(6 * static_cast<Eigen::Index>(i));
  const int n = static_cast<int>(columns_.size());
  for (int i = 0; i < n; ++i)
    for (std::size_t k = 0; k < columns_[index(i)].below.size(); ++k)
      part(columns_[index(i)].below[k]) -= columns_[index(i)].L[k] * part(i);
  for (int i = n - 1; i >= 0; --i) {
    const Column& of = columns_[index(i)];
    Eigen::Matrix<double, 6, 1> sum = part(i);
    for (std::size_t k = 0; k < of.below.size(); ++k) sum -= of.U[k] * part(of.below[k]);
    part(i) = of.inverse * sum;
  }
  for (std::size_t i = 0; i < place_.size(); ++i)
    x.segment<6>(6 * static_cast<Eigen::Index>(i)) = part(place_[i]);
}

}  // namespace trammel::constraint::piles

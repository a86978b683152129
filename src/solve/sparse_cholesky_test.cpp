#include "solve/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace trammel::solve::sparse_cholesky_test {
namespace {

/// Blocks of both sizes, joined at random, against a dense factor.
TEST(SparseCholesky, SolvesLikeADenseOne) {
  std::mt19937 rng(1);
  std::uniform_real_distribution<double> any(-1, 1);
  const std::vector<int> sizes{6, 12, 12, 6, 6, 12, 12, 12, 6, 12, 12, 6};
  std::vector<int> start{0};
  for (const int n : sizes) start.push_back(start.back() + n);
  SparseCholesky sparse;
  sparse.begin(sizes);
  MatX dense = MatX::Identity(start.back(), start.back());
  const int n = static_cast<int>(sizes.size());
  for (int term = 0; term < 60; ++term) {
    const int i = static_cast<int>(rng() % static_cast<unsigned>(n)), j = (i + 1 + term % 3) % n;
    VecX v = VecX::Zero(start.back());
    double* a = v.data() + start[static_cast<std::size_t>(i)];
    double* b = v.data() + start[static_cast<std::size_t>(j)];
    for (int k = 0; k < sizes[static_cast<std::size_t>(i)]; ++k) a[k] = any(rng);
    for (int k = 0; k < sizes[static_cast<std::size_t>(j)]; ++k) b[k] = any(rng);
    const double factor = 10 + 9 * any(rng);
    sparse.add(i, i, factor, a, a);
    sparse.add(j, j, factor, b, b);
    sparse.add(i, j, factor, a, b);
    dense += factor * v * v.transpose();
  }
  ASSERT_TRUE(sparse.factor());
  VecX x = VecX::Random(start.back());
  const VecX rhs = x;
  sparse.solve(x);
  EXPECT_LT((dense * x - rhs).cwiseAbs().maxCoeff(), 1e-12);  // rounding
}

TEST(SparseCholesky, SaysWhatIsNotPositive) {
  SparseCholesky sparse;
  sparse.begin({6, 6});
  const double a[6] = {1, 0, 0, 0, 0, 0};
  sparse.add(1, 1, -2, a, a);
  EXPECT_FALSE(sparse.factor());
}

}  // namespace
}  // namespace trammel::solve::sparse_cholesky_test

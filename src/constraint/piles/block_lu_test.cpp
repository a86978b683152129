#include "constraint/piles/block_lu.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

namespace trammel::constraint::piles::block_lu_test {
namespace {

TEST(ContactBlockLu, SolvesAsADenseMatrix) {
  constexpr int kBodies = 30;
  std::mt19937 random(1);
  const auto uniform = [&] { return std::uniform_real_distribution<double>(-1, 1)(random); };
  const auto block = [&] { return BlockLu::Block::NullaryExpr(uniform).eval(); };
  std::vector<std::pair<int, int>> edges;
  for (int i = 1; i < kBodies; ++i) edges.emplace_back(i, i - 1), edges.emplace_back(i / 3, i);
  BlockLu lu;
  lu.analyse(kBodies, edges);
  for (int round = 0; round < 2; ++round) {  // the second one upon the numbers of the first
    lu.set_identity();
    MatX A = MatX::Identity(6 * kBodies, 6 * kBodies);
    const auto add = [&](int i, int k, double scale) {
      const BlockLu::Block x = scale * block();
      lu.add(i, k, x);
      A.block<6, 6>(6 * i, 6 * k) += x;
    };
    for (int i = 0; i < kBodies; ++i) add(i, i, 0.5);
    for (const auto& [i, k] : edges) add(i, k, 0.2), add(k, i, 0.2);
    ASSERT_TRUE(lu.factor());
    const VecX b = VecX::NullaryExpr(6 * kBodies, uniform);
    brief::VecX x = b;
    lu.solve(x);
    EXPECT_LE((A * x - b).cwiseAbs().maxCoeff(), 1e-11 * x.cwiseAbs().maxCoeff());
  }
}

TEST(ContactBlockLu, RefusesWhatHasNoInverse) {
  BlockLu lu;
  lu.analyse(1, {});
  lu.set_identity();
  lu.add(0, 0, -BlockLu::Block::Identity());
  EXPECT_FALSE(lu.factor());
}

}  // namespace
}  // namespace trammel::constraint::piles::block_lu_test

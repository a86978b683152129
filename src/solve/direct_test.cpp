#include "solve/direct.h"

#include <gtest/gtest.h>

#include <limits>

#include "solve/product.h"
#include "solve/test_graphs.h"

namespace trammel::solve::direct_test {
namespace {

using test::at;
using test::Problem;

double worst(const VecX& v) { return v.size() ? v.cwiseAbs().maxCoeff() : 0; }

/// solve() against the dense solution; S regular.
void expect_dense(const Problem& p, double tolerance, DirectOptions options = {}, int hubs = 0) {
  Direct direct(p.graph, options);
  EXPECT_EQ(direct.hubs(), hubs);
  ASSERT_TRUE(direct.factor(p.system())) << direct.failed_row();
  MatX S = p.dense_S();
  Problem random;
  const VecX x = random.vector(p.graph.n_rows);
  VecX expected = x;
  for (int i = 0; i < x.size(); ++i)
    if (!p.active[at(i)]) expected[i] = 0;
  const VecX r = S * expected;
  VecX found(x.size()), product(x.size());
  const auto report = direct.solve(r.data(), found.data());
  EXPECT_LE(report.residual, options.tolerance);
  EXPECT_LE(worst(found - expected), tolerance * worst(expected));
  VecX once = r;
  direct.solve_factored(once.data());  // a bad order shows in one pass, refinement hides it
  EXPECT_LE(worst(S * once - r), 1e-10 * worst(r));
  direct.apply(x.data(), product.data());
  EXPECT_LE(worst(product - S * x), 1e-13 * S.cwiseAbs().maxCoeff() * double(S.rows()));
  for (int i = 0; i < x.size(); ++i)
    if (p.active[at(i)]) {
      EXPECT_NEAR(direct.diagonal()[at(i)], S(i, i), 1e-13 * S(i, i));
    }
}

Problem random_graph(unsigned seed, double compliance) {
  Problem p;
  p.random.seed(seed);
  const int n = 4 + static_cast<int>(seed % 7);
  for (int i = 0; i < n; ++i) {
    const int kind = static_cast<int>(p.uniform(0, 6));
    if (kind == 0) p.body(p.vec3());
    if (kind == 1 || kind == 2) p.dense(kind == 1 ? 12 : 4);
    if (kind == 3 || kind == 4) p.unit(kind == 3 ? 12 : 6);
    if (kind == 5) p.affine();
  }
  for (int i = 0; i < 2 * n; ++i) {
    std::vector<int> ends;
    for (int b = 0; b < n && ends.size() < 4; ++b)
      if (p.uniform(0, 1) < 2. / n) ends.push_back(b);
    p.group(1 + static_cast<int>(p.uniform(0, 6)), ends);
  }
  for (auto& c : p.compliance) c = compliance * p.uniform(.5, 2);
  return p;
}

TEST(Direct, SolvesRandomGraphsOfMixedBlocks) {
  for (unsigned seed = 1; seed <= 60; ++seed) expect_dense(random_graph(seed, 1), 1e-9);
}

TEST(Direct, LeavesOutInactiveRows) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    auto p = random_graph(seed, 1);
    for (auto& a : p.active) a = p.uniform() > -.3;
    expect_dense(p, 1e-9);
  }
  auto p = test::star(40);
  for (auto& a : p.active) a = p.uniform() > -.3;
  expect_dense(p, 1e-8, {}, 1);
}

/// Nothing goes through groups that are off, and what they were before has no part in it; of them
/// the diagonal is known.
TEST(Direct, LeavesOutWholeGroups) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    auto p = seed % 3 ? random_graph(seed, 1) : test::star(30);
    const VecX diagonal = p.dense_S().diagonal();
    Direct direct(p.graph);
    for (int turn = 0; turn < 4; ++turn) {
      for (const auto& g : p.graph.groups) {
        const bool off = turn % 3 > 0 && p.uniform() > 0;
        for (int r = g.row; r < g.row + g.m; ++r) p.active[at(r)] = !off;
      }
      expect_dense(p, 1e-8, {}, direct.hubs());
      ASSERT_TRUE(direct.factor(p.system()));
      Direct fresh(p.graph);
      ASSERT_TRUE(fresh.factor(p.system()));
      VecX x = p.vector(p.graph.n_rows), y = x;
      direct.solve_factored(x.data());
      fresh.solve_factored(y.data());
      EXPECT_EQ(x, y) << seed;
      for (int i = 0; i < p.graph.n_rows; ++i)
        EXPECT_NEAR(direct.diagonal()[at(i)], diagonal[i], 1e-12 * diagonal[i]) << seed;
    }
  }
}

TEST(Direct, SolvesChainsAndTrees) {
  for (const bool hinges : {false, true})
    for (const int n : {1, 2, 7, 60}) expect_dense(test::chain(n, hinges), 1e-6);
  Problem tree;
  tree.ball(-1, tree.body(Vec3::Zero()), Vec3(0, 0, 1));
  for (int i = 1; i < 100; ++i) {
    const int parent = static_cast<int>(tree.uniform(0, i));
    const Vec3 x = tree.centre[at(parent)] + tree.vec3();
    tree.ball(parent, tree.body(x + tree.vec3()), x);
  }
  expect_dense(tree, 1e-6);
}

TEST(Direct, SolvesNetsAndLoops) {
  Problem net;
  const int n = 8;
  for (int i = 0; i < n * n; ++i) net.body(Vec3(i / n, i % n, 0));
  for (int i = 0; i < n * n; ++i) {
    const Vec3 c = net.centre[at(i)];
    if (i % n + 1 < n) net.ball(i, i + 1, c + Vec3(0, .5, .1));
    if (i + n < n * n) net.ball(i, i + n, c + Vec3(.5, 0, -.1));
  }
  for (auto& c : net.compliance) c = 1e-2;  // without, rows of a flat net depend on each other
  expect_dense(net, 1e-7);
}

TEST(Direct, SolvesFreeStarWithHub) {
  expect_dense(test::star(50), 1e-8, {}, 1);
  expect_dense(test::star(50), 1e-8, {.hub_degree = 100}, 0);
}

TEST(Direct, SolvesStarWithPinnedHub) {
  auto p = test::star(50);
  p.ball(-1, 0, Vec3(.3, .2, .1));
  expect_dense(p, 1e-8, {}, 1);
  p = test::star(50);
  p.hinge_y(-1, 5, Vec3(4, 0, 0));  // 8 rows on a leaf of 6 unknowns
  expect_dense(p, 1e-8, {}, 1);
}

TEST(Direct, SolvesHubsThatAreJoinedAndShareLeaves) {
  Problem p;
  for (int hub = 0; hub < 3; ++hub) p.body(Vec3(10 * hub, 0, 0), 5);
  for (int hub = 0; hub < 3; ++hub)
    for (int i = 0; i < 30; ++i) {
      const Vec3 x = p.centre[at(hub)] + p.vec3();
      const int leaf = p.body(x + p.vec3());
      p.ball(hub, leaf, x);
      if (i % 5 == 0) p.ball(leaf, p.body(x + p.vec3()), p.centre[at(leaf)] + p.vec3());
    }
  p.ball(0, 1, Vec3(5, 1, 0));
  const int between = p.body(Vec3(15, 0, 0));
  p.hinge_y(1, between, Vec3(14, 0, 0));
  p.ball(between, 2, Vec3(16, 0, 1));
  expect_dense(p, 1e-7, {}, 3);
  p.ball(-1, 2, Vec3(21, 0, 0));
  expect_dense(p, 1e-7, {}, 3);
}

TEST(Direct, SolvesHubOfManyUnknowns) {
  for (const int n : {4, 12, 15, -6, -12, 0}) {  // < 0: of unit mass; 0: split
    Problem p;
    n > 0 ? p.dense(n) : n < 0 ? p.unit(-n) : p.affine();
    p.graph.blocks[0].moves_freely = n == 12 || n == 0;
    for (int i = 0; i < 8; ++i) p.group(2, {0, p.body(p.vec3())});
    p.graph.groups[at(p.group(3, {0}))].grounded = false;
    if (n == 15) p.group(6, {0, p.dense(4)});
    expect_dense(p, 1e-6, {.hub_degree = 4}, 1);
  }
}

TEST(Direct, TakesHubsWithoutInertia) {  // M^-1 = 0 in some directions: it cannot move that way
  auto p = test::star(40);
  p.inv_mass[0] = 0;
  p.ball(1, 2, Vec3(.1, .5, .2));
  expect_dense(p, 1e-7, {}, 1);
}

TEST(Direct, FindsLeastSolutionOfRedundantRows) {
  for (const int n : {1, 4, 20}) {
    const auto p = test::windows(n);
    EXPECT_EQ(p.graph.n_rows, 15 * n + 5);
    const MatX S = p.dense_S();
    const VecX root = S.diagonal().cwiseSqrt();
    const MatX scaled = root.cwiseInverse().asDiagonal() * S * root.cwiseInverse().asDiagonal();
    Eigen::CompleteOrthogonalDecomposition<MatX> dense;
    dense.setThreshold(1e-11);
    dense.compute(scaled);
    EXPECT_LT(dense.rank(), p.graph.n_rows);
    Problem random;
    const VecX r = S * random.vector(p.graph.n_rows);
    const VecX least =
        root.cwiseInverse().cwiseProduct(dense.solve(VecX(root.cwiseInverse().cwiseProduct(r))));
    // rounding / eps of the least solution's size is left along redundant rows
    for (const double eps : {1e-12, 1e-9}) {
      Direct direct(p.graph, {.eps = eps});
      ASSERT_TRUE(direct.factor(p.system()));
      VecX x(r.size());
      const auto report = direct.solve(r.data(), x.data());
      EXPECT_LE(report.residual, 1e-10);
      EXPECT_LE(worst(S * x - r), 1e-10 * worst(r));
      EXPECT_LE(worst(x - least), (eps < 1e-10 ? 1e-3 : 1e-6) * worst(least));
    }
  }
}

TEST(Direct, SurvivesPivotsThatRoundingTurnsNegative) {
  for (const int n : {10, 20, 40}) {
    const auto p = test::windows(n);
    Direct direct(p.graph, {.eps = 0});
    ASSERT_TRUE(direct.factor(p.system())) << direct.failed_row();
    Problem random;
    const VecX r = p.dense_S() * random.vector(p.graph.n_rows);
    VecX x(r.size());
    EXPECT_LE(direct.solve(r.data(), x.data()).residual, 1e-10);
  }
}

TEST(Direct, SharesLoadBetweenDuplicateRows) {
  auto p = test::chain(5);
  p.ball(2, 3, Vec3(3, 0, 0));  // once more
  Direct direct(p.graph);
  ASSERT_TRUE(direct.factor(p.system()));
  const VecX r = p.dense_S() * p.vector(p.graph.n_rows);
  VecX x(r.size());
  EXPECT_LE(direct.solve(r.data(), x.data()).residual, 1e-10);
  EXPECT_LE(worst(x.segment(9, 3) - x.tail(3)), 1e-3 * worst(x));  // rounding / eps
}

TEST(Direct, SharesLoadBetweenDuplicateRowsAtHubs) {
  auto p = test::star(40);
  const Vec3 f[2] = {Vec3::UnitX(), Vec3::UnitY()}, t[2] = {Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < 2; ++i) p.joint(0, 1, Vec3(.1, .2, .3), f, t);
  for (int i = 0; i < 2; ++i) p.ball(-1, 0, Vec3(.3, .2, .1));
  Direct direct(p.graph);
  ASSERT_TRUE(direct.factor(p.system()));
  const VecX r = p.dense_S() * p.vector(p.graph.n_rows);
  VecX x(r.size());
  EXPECT_LE(direct.solve(r.data(), x.data()).residual, 1e-10);
  EXPECT_LE(worst(x.tail(3) - x.segment(x.size() - 6, 3)), 1e-3 * worst(x));
}

TEST(Direct, TakesOnePassWithoutRefinement) {
  const auto p = test::chain(20);
  Direct direct(p.graph, {.max_proximal = 0});
  ASSERT_TRUE(direct.factor(p.system()));
  Problem random;
  const VecX r = random.vector(60);
  VecX x(60), y = r;
  EXPECT_EQ(direct.solve(r.data(), x.data()).iterations, 1);
  direct.solve_factored(y.data());
  EXPECT_EQ(x, y);
}

TEST(Direct, NamesTheRowThatFails) {
  for (const int row : {0, 31, 59}) {
    auto p = test::chain(20);
    p.J[at(p.graph.ends[at(p.graph.groups[at(row / 3)].end)].J + 6 * (row % 3) + 2)] =
        std::numeric_limits<double>::quiet_NaN();
    Direct direct(p.graph);
    EXPECT_FALSE(direct.factor(p.system()));
    EXPECT_EQ(direct.failed_row(), row);
    p.active[at(row)] = 0;
    EXPECT_TRUE(direct.factor(p.system())) << "the row is left out";
    EXPECT_EQ(direct.failed_row(), -1);
  }
  auto p = test::star(40);
  std::fill_n(&p.J[at(p.graph.ends[at(p.graph.groups[17].end)].J + 6)], 6, 0.);
  std::fill_n(&p.J[at(p.graph.ends[at(p.graph.groups[17].end + 1)].J + 6)], 6, 0.);
  Direct direct(p.graph);
  EXPECT_TRUE(direct.factor(p.system()));
  EXPECT_EQ(direct.failed_row(), -1);  // a row of zeros fails nowhere
}

/// Nothing moves them, and nothing goes through them; one whose compliance is not zero gives way.
TEST(Direct, RowsOfZerosCarryNothing) {
  auto p = test::star(40);
  const int row = 17 * 3 + 1;
  for (int e : {0, 1})
    std::fill_n(&p.J[at(p.graph.ends[at(p.graph.groups[17].end + e)].J + 6)], 6, 1e-16);
  Direct direct(p.graph), without(p.graph);
  std::vector<double> r(at(p.graph.n_rows), 1.0), x(r.size()), y(r.size());
  r[at(row)] = 1e-17;
  ASSERT_TRUE(direct.factor(p.system()));
  direct.solve(r.data(), x.data());
  p.active[at(row)] = 0;
  ASSERT_TRUE(without.factor(p.system()));
  without.solve(r.data(), y.data());
  EXPECT_EQ(x[at(row)], 0);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-9 * std::abs(y[i]));
}

TEST(Direct, CostsLinearTimeOnChainsTreesAndStars) {
  const auto flops = [](const Problem& p) { return Direct(p.graph).flops(); };
  EXPECT_LE(flops(test::chain(2000)), 2000 * 560.);
  EXPECT_NEAR(flops(test::chain(2000)) / flops(test::chain(1000)), 2, .01);
  EXPECT_NEAR(flops(test::star(2000)) / flops(test::star(1000)), 2, .01);
  auto pinned = test::star(2000);
  pinned.ball(-1, 0, Vec3(.3, .2, .1));
  EXPECT_LE(flops(pinned), 1.01 * flops(test::star(2000)));
  EXPECT_NEAR(flops(test::windows(400)) / flops(test::windows(200)), 2, .05);
  EXPECT_LE(Direct(test::chain(1000).graph).fill(), 1000 * 18);
}

TEST(Direct, AnswersTheSameWhateverTheOrderOfRows) {
  Problem a, b;
  for (auto* p : {&a, &b})
    for (int i = 0; i < 30; ++i) p->body(Vec3(i, 0, 0));
  for (int i = 0; i < 29; ++i) a.ball(i, i + 1, Vec3(i + .5, .1, 0));
  for (int i = 28; i >= 0; --i) b.ball(i, i + 1, Vec3(i + .5, .1, 0));
  Direct d(a.graph), e(b.graph);
  ASSERT_TRUE(d.factor(a.system()) && e.factor(b.system()));
  const VecX r = a.vector(87);
  VecX s(87), x(87), y(87);
  for (int i = 0; i < 29; ++i) s.segment(3 * i, 3) = r.segment(3 * (28 - i), 3);
  d.solve(r.data(), x.data());
  e.solve(s.data(), y.data());
  for (int i = 0; i < 29; ++i)
    EXPECT_LE(worst(y.segment(3 * i, 3) - x.segment(3 * (28 - i), 3)), 1e-9 * worst(x));
}

TEST(Product, AgreesWithDenseAlgebra) {
  auto p = random_graph(5, 0);
  const VecX x = p.vector(p.graph.n_rows), u = p.vector(p.graph.n_u);
  VecX f = u, r(x.size()), a(u.size());
  add_transpose(p.graph, p.J.data(), x.data(), f.data());
  multiply(p.graph, p.J.data(), u.data(), r.data());
  apply_inverse_mass(p.graph, p.inv_mass.data(), u.data(), a.data());
  EXPECT_LE(worst(f - u - p.dense_J().transpose() * x), 1e-14);
  EXPECT_LE(worst(r - p.dense_J() * u), 1e-14);
  EXPECT_LE(worst(a - p.dense_inverse_mass() * u), 1e-14);
}

}  // namespace
}  // namespace trammel::solve::direct_test

// Rows on branches of random graphs: beside them the rank of the rest is what dense algebra says.
#include "solve/branches.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "math/dense.h"
#include "solve/test_graphs.h"

namespace trammel::solve::branches_test {
namespace {

using test::at;
using test::Problem;

constexpr double kLeast = 3e-5;

/// Trees, one or two loops in them, rows left out and, in one of four, rows that repeat a row.
Problem random_tree(unsigned seed) {
  Problem p;
  p.random.seed(seed);
  const auto below = [&](int n) { return static_cast<int>(p.uniform(0, n)); };
  const int n = 2 + below(9);
  std::vector<int> block;
  for (int b = 0; b < n; ++b) block.push_back(below(4) ? p.body(p.vec3()) : p.dense(1 + below(4)));
  for (int b = 1; b < n; ++b) p.group(1 + below(6), {block[at(below(b))], block[at(b)]});
  for (int i = below(3); i > 0; --i) p.group(1 + below(3), {block[at(below(n))]});
  for (unsigned char& on : p.active) on = below(8) > 0;
  return p;
}

MatX dense_J(const Problem& p, const std::vector<unsigned char>& which) {
  MatX J = MatX::Zero(p.graph.n_rows, p.graph.n_u);
  for (const Graph::End& e : p.graph.ends)
    for (int r = 0; r < e.m; ++r)
      if (which[at(e.row + r)])
        for (int c = 0; c < e.n; ++c) J(e.row + r, e.u + c) = p.J[at(e.J + r * e.n + c)];
  return J;
}

Eigen::Index rank_of(const Problem& p, const std::vector<unsigned char>& which) {
  return dense::Qr(dense_J(p, which), 1e-9).rank();
}

TEST(Branches, TheRestHasTheRestOfTheRank) {
  long found = 0, rows = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    Problem p = random_tree(seed);
    if (seed % 4 == 0)  // a row twice
      for (const Graph::Group& g : p.graph.groups)
        if (g.m > 1)
          for (int e = g.end; e < g.end + g.n_ends; ++e) {
            const Graph::End& end = p.graph.ends[at(e)];
            std::copy_n(p.J.begin() + end.J, end.n, p.J.begin() + end.J + end.n);
          }
    const std::vector<double> unit(at(p.graph.n_u), 1.0);
    const auto branch = rows_of_branches(p.graph, p.J.data(), unit.data(), p.active, kLeast);
    auto rest = p.active;
    int own = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      EXPECT_LE(branch[i], p.active[i]);
      own += branch[i], rest[i] &= !branch[i], rows += p.active[i];
    }
    EXPECT_EQ(rank_of(p, p.active), rank_of(p, rest) + own) << seed;
    found += own;
  }
  EXPECT_GT(found, rows / 4);  // the test saw branches
  EXPECT_LT(found, rows);
}

TEST(Branches, OfAChainAreAllAndOfALoopNone) {
  for (const bool closed : {false, true}) {
    Problem p;
    std::vector<int> block;
    for (int b = 0; b < 50; ++b) block.push_back(p.body(p.vec3()));
    p.group(3, {block[0]});
    for (int b = 1; b < 50; ++b) p.group(3, {block[at(b - 1)], block[at(b)]});
    if (closed) p.group(3, {block[49]});
    const std::vector<double> unit(at(p.graph.n_u), 1.0);
    const auto branch = rows_of_branches(p.graph, p.J.data(), unit.data(), p.active, kLeast);
    EXPECT_EQ(std::count(branch.begin(), branch.end(), 1), closed ? 0 : p.graph.n_rows);
  }
}

}  // namespace
}  // namespace trammel::solve::branches_test

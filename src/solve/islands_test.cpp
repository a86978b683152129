// Islands that are alike: in lanes the same bits as one by one.
#include "solve/islands.h"

#include <gtest/gtest.h>

#include <limits>

#include "math/parallel.h"
#include "solve/order.h"
#include "solve/test_graphs.h"

namespace trammel::solve::islands_test {
namespace {

using test::at;
using test::Problem;

/// Blocks and groups of an island of any shape: rigid bodies and others, groups of 1 to 6 rows
/// with 0 to 4 ends, loops and anchored ends among them.
struct Shape {
  std::vector<int> unknowns;  // of a block, 0: a rigid body, -1: an affine one, < -1: of unit mass
  struct Group {
    int m;
    std::vector<int> ends;
  };
  std::vector<Group> groups;
};

Shape shape(unsigned seed) {
  Problem random;
  random.random.seed(seed);
  const auto below = [&](int n) { return static_cast<int>(random.uniform(0, n)); };
  Shape s;
  const int n = 1 + below(seed % 8 == 0 ? 12 : 5);
  for (int b = 0; b < n; ++b)
    s.unknowns.push_back(below(3) ? 0 : std::vector<int>{1, 3, 4, 12, -1, -6, -12}[at(below(7))]);
  for (int b = 1; b < n; ++b) s.groups.push_back({1 + below(6), {below(b), b}});
  for (int i = below(4); i >= 0; --i) {
    Shape::Group g{1 + below(6), {}};
    for (int b = 0; b < n && g.ends.size() < 4; ++b)
      if (below(n) < 2) g.ends.push_back(b);
    s.groups.push_back(g);
  }
  return s;
}

void add(const Shape& s, Problem& p) {
  std::vector<int> block;
  for (const int n : s.unknowns)
    block.push_back(n > 0    ? p.dense(n)
                    : n < -1 ? p.unit(-n)
                    : n < 0  ? p.affine()
                             : p.body(p.vec3()));
  for (const auto& g : s.groups) {
    std::vector<int> ends;
    for (const int e : g.ends) ends.push_back(block[at(e)]);
    p.group(g.m, ends);
  }
}

/// n islands of one shape, with others between them.
Problem islands(const Shape& s, int n) {
  Problem p;
  for (int i = 0; i < n; ++i) {
    add(s, p);
    if (i % 7 == 3) p.group(2, {p.body(p.vec3())});
  }
  for (auto& c : p.compliance) c = 1e-3 * p.uniform(.5, 2);
  return p;
}

struct Solved {
  std::vector<double> x, D;
  bool good;
  double least_pivot;
  int failed_row;
  bool operator==(const Solved&) const = default;
};

Solved solved(const Problem& p, const DirectOptions& options) {
  Direct direct(p.graph, options);
  direct.set_eps(options.eps, options.drop);
  Problem random;
  const VecX r = random.vector(p.graph.n_rows);
  Solved out{{r.begin(), r.end()}, {}, direct.factor(p.system()), 0, direct.failed_row()};
  if (!out.good) {
    out.x.clear();
    return out;
  }
  direct.solve_factored(out.x.data());
  out.D.assign(direct.diagonal().begin(), direct.diagonal().end());
  return out;
}

void expect_same(const Problem& p, DirectOptions options = {}) {
  options.lanes = true;
  const Solved lanes = solved(p, options);
  options.lanes = false;
  EXPECT_TRUE(lanes == solved(p, options));
}

std::size_t batches(const Problem& p) { return analyse(p.graph, 24, 60e3).batches.size(); }

TEST(Islands, GiveTheBitsOfOneByOne) {
  for (unsigned seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    const int n = 2 + static_cast<int>(seed % 25);
    const Problem p = islands(shape(seed), n);
    EXPECT_GE(static_cast<int>(batches(p)), n / kAlike);
    expect_same(p);
  }
}

TEST(Islands, LeaveOutInactiveRows) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Problem p = islands(shape(seed), 19);
    for (auto& a : p.active) a = p.uniform() > -.5;
    expect_same(p);
  }
}

TEST(Islands, TakeRedundantAndDroppedRows) {
  for (const double drop : {0., 1e-9})
    for (const double eps : {1e-12, 1e-9, 0.}) {
      Problem p;
      for (int i = 0; i < 20; ++i) {
        const int b = p.body(Vec3(i, 0, 0)), c = p.body(Vec3(i, 1, 0));
        p.hinge_y(-1, b, Vec3(i, 1, 1));
        p.hinge_y(b, c, Vec3(i, 2, 1));
        if (i % 3) p.hinge_y(-1, c, Vec3(i, 1, 0));
        if (i % 3) p.hinge_y(b, c, Vec3(i, 2, 1));  // once more
      }
      EXPECT_GE(batches(p), 20u / kAlike);
      expect_same(p, {.eps = eps, .drop = drop});
    }
}

TEST(Islands, NameTheSameRowThatFails) {
  for (const std::vector<int>& rows :
       {std::vector{7}, std::vector{50, 20}, std::vector{3, 4, 90}}) {
    Problem p;
    for (int i = 0; i < 20; ++i) {
      const int b = p.body(Vec3(i, 0, 0));
      p.ball(-1, b, Vec3(i, 0, 1));
      p.ball(b, p.body(Vec3(i, 1, 0)), Vec3(i, .5, 0));
    }
    for (const int row : rows)
      p.J[at(p.graph.ends[at(p.graph.groups[at(row / 3)].end)].J + 6 * (row % 3))] =
          std::numeric_limits<double>::quiet_NaN();
    const Solved found = solved(p, {});
    EXPECT_FALSE(found.good);
    EXPECT_EQ(found.failed_row, solved(p, {.lanes = false}).failed_row);
  }
}

TEST(Islands, RowsOfZerosCarryNothing) {
  Problem p = islands(shape(3), 11);
  std::fill(p.compliance.begin(), p.compliance.end(), 0.);
  for (const auto& e : p.graph.ends)
    if (e.row <= 40 && 40 < e.row + e.m) std::fill_n(&p.J[at(e.J + (40 - e.row) * e.n)], e.n, 0.);
  const Solved lanes = solved(p, {}), plain = solved(p, {.lanes = false});
  EXPECT_TRUE(lanes.good && plain.good);
  EXPECT_EQ(lanes.x[40], 0);
  EXPECT_EQ(lanes.x, plain.x);
}

TEST(Islands, AreSolved) {  // against dense algebra, whatever the lanes
  Problem p = islands(shape(3), 11);
  Direct direct(p.graph, {});
  ASSERT_TRUE(direct.factor(p.system()));
  Problem random;
  const VecX x = random.vector(p.graph.n_rows);
  VecX found = p.dense_S() * x;
  direct.solve_factored(found.data());
  EXPECT_LE((found - x).cwiseAbs().maxCoeff(), 1e-7);  // rounding, S being ill-conditioned
}

TEST(Islands, AreThoseOfTheSameShape) {
  Problem p = islands(shape(3), 2 * kAlike);
  EXPECT_EQ(batches(p), kAlike == 8 ? 2u : 2u);
  Problem mixed;
  for (int i = 0; i < kAlike; ++i) {
    mixed.group(3, {mixed.body(mixed.vec3())});
    mixed.group(2, {mixed.body(mixed.vec3())});
  }
  EXPECT_EQ(batches(mixed), 2u);
  EXPECT_EQ(batches(test::chain(40)), 0u);
  EXPECT_EQ(batches(test::star(40)), 0u);  // at one hub
}

}  // namespace
}  // namespace trammel::solve::islands_test

#include "expr/graph.h"

#include <array>

#include "expr/test_expressions.h"

namespace trammel::expr::graph_test {
namespace {

TEST(Graph, SharesWhatIsTheSame) {
  Graph g;
  const Expression x = g.variable("x"), y = g.variable("y");
  const Expression first = apply(Op::sin, x * y) + pow(x, 2);
  const std::size_t size = g.size();
  EXPECT_EQ(apply(Op::sin, x * y) + pow(x, 2), first);
  EXPECT_EQ(pow(x, 2) + apply(Op::sin, y * x), first);  // sums and products in either order
  EXPECT_EQ(g.variable("x"), x);
  EXPECT_EQ(g.size(), size);
  EXPECT_NE(x - y, y - x);
  EXPECT_NE(x / y, y / x);
  EXPECT_NE(apply(Op::min, x, y), apply(Op::min, y, x));  // of -0 and 0 the first
  EXPECT_NE(g.constant(0.0), g.constant(-0.0));
  EXPECT_EQ(g.constant(kNaN), g.constant(-kNaN));
}

TEST(Graph, SharesCallsOfTheSameFunction) {
  Graph g;
  const Expression x = g.variable("x"), y = g.variable("y");
  const auto f = std::make_shared<const Function>(Function{.name = "f", .arity = 2, .jet = {}});
  const auto h = std::make_shared<const Function>(Function{.name = "f", .arity = 2, .jet = {}});
  const std::array xy = {x, y}, yx = {y, x};
  EXPECT_EQ(g.call(f, xy), g.call(f, xy, {0, 0}));
  EXPECT_NE(g.call(f, xy), g.call(f, yx));
  EXPECT_NE(g.call(f, xy), g.call(f, xy, {0, 1}));
  EXPECT_NE(g.call(f, xy), g.call(h, xy));  // another, of the same name
}

TEST(Graph, ArgumentsComeBeforeWhatTheyServe) {
  for_all("ids are an order of evaluation", [] {
    Graph g;
    const std::vector x = {g.variable("x"), g.variable("y")};
    const Expression e = TreeMaker{{0, 1, 2.5}}.number(6).build(x);
    for (const Id id : reachable(g, std::span(&e, 1)))
      for (const Id arg : g.args(id)) RC_ASSERT(arg < id);
  });
}

TEST(Graph, RefusesMoreNodesThanItMayHave) {
  Graph g(10);
  Expression e = g.variable("x");
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) e = apply(Op::sin, e);
      },
      GraphFull);
  EXPECT_EQ(g.size(), 10u);
  EXPECT_EQ(g.variable("x").id, 0u);  // what is there is found
  try {
    g.constant(7);
    FAIL();
  } catch (const GraphFull& full) {
    EXPECT_STREQ(full.what(), "the expressions need more than 10 nodes");
  }
}

TEST(Jet, PartialsHaveTheirPlaces) {
  EXPECT_EQ(jet_size(1, 3), 4u);
  EXPECT_EQ(jet_size(2, 2), 6u);
  EXPECT_EQ(jet_size(3, 2), 10u);
  EXPECT_EQ(jet_size(8, 4), 495u);
  EXPECT_EQ(jet_index({3}), 3u);
  const std::vector<Partial> of_two = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1},
                                       {0, 2}, {3, 0}, {2, 1}, {1, 2}, {0, 3}};
  for (std::size_t i = 0; i < of_two.size(); ++i) EXPECT_EQ(jet_index(of_two[i]), i);
  const std::vector<Partial> of_three = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0},
                                         {1, 1, 0}, {1, 0, 1}, {0, 2, 0}, {0, 1, 1}, {0, 0, 2}};
  for (std::size_t i = 0; i < of_three.size(); ++i) EXPECT_EQ(jet_index(of_three[i]), i);
}

}  // namespace
}  // namespace trammel::expr::graph_test

#include "expr/simplify.h"

#include "expr/test_expressions.h"

namespace trammel::expr::simplify_test {
namespace {

const std::vector<double> kOdd = {0.0,  -0.0, 1,     -1,   2,      -2,    3,      0.5,
                                  -3.5, kInf, -kInf, kNaN, 1e-320, 1e300, 1e-300, -1e300};

// The tree is evaluated as written, the graph after its simplifications.
TEST(Simplify, KeepsEveryBit) {
  for_all("of the values of random expressions", [] {
    Graph g;
    const std::vector inputs = {g.variable("x"), g.variable("y")};
    const TreeMaker make{kOdd};
    for (int i = 0; i < 50; ++i) {
      const Tree tree = make.number(range(1, 6));
      const Expression e = tree.build(inputs);
      for (int j = 0; j < 10; ++j) {
        const std::vector<double> x = {make.pick(), range(0, 2) ? make.pick() : uniform(-3, 3)};
        const double expected = tree.evaluate(x), is = value_of(e, inputs, x);
        if (!same_bits(is, expected))
          RC_FAIL(to_text(e) + " gives " + std::to_string(is) + " not " + std::to_string(expected));
      }
    }
  });
}

// Every rule in reach of the odd values, without chance.
TEST(Simplify, KeepsEveryBitOfPairs) {
  Graph g;
  const std::vector inputs = {g.variable("x"), g.variable("y")};
  std::vector<Tree> leaves = {{Op::variable, 0, {}}, {Op::variable, 1, {}}};
  for (const double c : kOdd) leaves.push_back({Op::constant, c, {}});
  for (std::size_t i = 0; i < 2; ++i) leaves.push_back({Op::neg, 0, {leaves[i]}});
  leaves.push_back({Op::abs, 0, {leaves[0]}});
  leaves.push_back({Op::add, 0, {leaves[0], leaves[1]}});
  for (int op = int(Op::add); op <= int(Op::max); ++op)
    for (const Tree& a : leaves)
      for (const Tree& b : leaves) {
        if (static_cast<Op>(op) == Op::power || is_condition(static_cast<Op>(op))) continue;
        const Tree tree{static_cast<Op>(op), 0, {a, b}};
        const Expression e = tree.build(inputs);
        for (const double x : kOdd)
          for (const double y : {0.0, -0.0, 1.5})
            EXPECT_TRUE(same_bits(value_of(e, inputs, {x, y}), tree.evaluate({x, y})))
                << to_text(e) << " at " << x << ", " << y;
      }
}

class Rules : public testing::Test {
 protected:
  Graph g;
  Expression x = g.variable("x"), y = g.variable("y");
  Expression c(double v) { return g.constant(v); }
};

TEST_F(Rules, TakeAwayWhatChangesNothing) {
  EXPECT_EQ(x * 1, x);
  EXPECT_EQ(1 * x, x);
  EXPECT_EQ(x / 1, x);
  EXPECT_EQ(x - 0, x);
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(x + -y, x - y);
  EXPECT_EQ(x - -y, x + y);
  EXPECT_EQ(-x * -y, x * y);
  EXPECT_EQ(-x * y, -(x * y));
  EXPECT_EQ(x + -3, x - 3);
  EXPECT_EQ(pow(-x, 2), pow(x, 2));
  EXPECT_EQ(pow(x, 1), x);
  EXPECT_EQ(pow(x, 0), c(1));
  EXPECT_EQ(pow(x, -1), 1 / x);
  EXPECT_EQ(apply(Op::abs, -x), apply(Op::abs, x));
  EXPECT_EQ(apply(Op::exp, x) + 0, apply(Op::exp, x));  // never -0
  EXPECT_EQ(c(2) * 3 + 1, c(7));
  EXPECT_EQ(apply(Op::select, apply(Op::less, c(1), c(2)), x, y), x);
}

TEST_F(Rules, LeaveWhatWouldHideSomething) {
  EXPECT_NE(x * 0, c(0));  // infinite, NaN
  EXPECT_NE(x - x, c(0));
  EXPECT_NE(x / x, c(1));
  EXPECT_NE(0 / x, c(0));
  EXPECT_NE(x + 0, x);                                           // -0
  EXPECT_NE(apply(Op::select, apply(Op::less, x, y), x, x), x);  // NaN in the condition
}

}  // namespace
}  // namespace trammel::expr::simplify_test

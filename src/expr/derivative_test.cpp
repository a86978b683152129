#include "expr/derivative.h"

#include <array>

#include "expr/test_expressions.h"

namespace trammel::expr::derivative_test {
namespace {

class Derivatives : public testing::Test {
 protected:
  Graph g;
  Expression x = g.variable("x"), y = g.variable("y");
  std::string text(Expression e, std::vector<Expression> by) {
    const Derivative d = derivative(e, by);
    return d ? to_text(d.value) : d.error;
  }
  Expression sin(Expression e) { return apply(Op::sin, e); }
};

TEST_F(Derivatives, FollowTheRules) {
  EXPECT_EQ(text(x, {x}), "1");
  EXPECT_EQ(text(y, {x}), "0");
  EXPECT_EQ(text(pow(x, 3), {x}), "3*x^2");
  EXPECT_EQ(text(pow(x, 3), {x, x}), "3*(2*x)");
  EXPECT_EQ(text(pow(x, 3), {x, x, x}), "6");
  EXPECT_EQ(text(pow(x, 3), {x, x, x, x}), "0");
  EXPECT_EQ(text(x * y, {x, y}), "1");
  EXPECT_EQ(text(x / y, {x}), "1/y");
  EXPECT_EQ(text(x / y, {y}), "-(x/y/y)");
  EXPECT_EQ(text(sin(x * y), {x}), "cos(x*y)*y");
  EXPECT_EQ(text(pow(x, y), {x}), "y*x^(y - 1)");
  EXPECT_EQ(text(pow(x, y), {y}), "x^y*log(x)");
  EXPECT_EQ(text(pow(g.constant(2), x), {x}), "2^x*0.6931471805599453");
  EXPECT_EQ(text(0 * x, {x}), "0");
}

TEST_F(Derivatives, DoNotDependOnTheOrder) {
  for_all("d2/dxdy = d2/dydx", [this] {
    const std::vector inputs = {x, y};
    const Expression e = sin(x * y) * pow(x, y) / apply(Op::hypot, x, y);
    const std::vector at = {uniform(0.5, 2), uniform(0.5, 2)};
    const double xy = value_of(derivative(e, std::array{x, y}).value, inputs, at);
    const double yx = value_of(derivative(e, std::array{y, x}).value, inputs, at);
    RC_ASSERT(std::abs(xy - yx) <= 1e-13 * (1 + std::abs(xy)));  // rounding
  });
}

// Whole numbers, so that nothing is rounded: the graph and the tape agree exactly, also where they
// hit kinks.
Tree whole_tree(int depth) {
  const TreeMaker make{{-2, -1, 0, 1, 2, 3}};
  if (depth == 0) return make.number(0);
  const auto sub = [&] { return whole_tree(depth - 1); };
  constexpr std::array kOps = {Op::add, Op::sub, Op::mul, Op::mul, Op::min,
                               Op::max, Op::neg, Op::abs, Op::sign};
  const int kind = range(0, int(kOps.size()) + 2);
  if (kind == int(kOps.size())) return {Op::pow, 0, {make.number(0), {Op::constant, 3, {}}}};
  if (kind > int(kOps.size()))
    return {Op::select, 0, {{Op::less, 0, {make.number(0), sub()}}, sub(), sub()}};
  const Op op = kOps[std::size_t(kind)];
  if (arity(op) == 1) return {op, 0, {sub()}};
  return {op, 0, {sub(), sub()}};
}

TEST(DerivativesOfRandomExpressions, AreTheSameByGraphAndTape) {
  for_all("first and second", [] {
    Graph g;
    const std::vector inputs = {g.variable("x"), g.variable("y")};
    const Expression e = whole_tree(4).build(inputs);
    const Compiled c = Tape::compile(std::span(&e, 1), inputs);
    std::vector<double> scratch(c.tape.scratch_size());
    const std::array x = {double(range(-3, 4)), double(range(-3, 4))};
    const std::array<double, 2> x1 = {double(range(-2, 3)), double(range(-2, 3))};
    const std::array<double, 2> x2 = {double(range(-2, 3)), double(range(-2, 3))};
    std::array<double, 1> y, y1, y2;
    std::array<double, 2> dy;
    c.tape.all(x, {x1, x2}, {y, dy, y1, y2}, scratch);
    const auto at = [&](Expression f) { return value_of(f, inputs, {x[0], x[1]}); };
    const auto d = [&](Expression f, std::size_t i) { return derivative(f, inputs[i]).value; };
    double first = 0, second = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      RC_ASSERT(dy[i] == at(d(e, i)));
      first += x1[i] * dy[i];
      second += x2[i] * dy[i];
      for (std::size_t j = 0; j < 2; ++j) second += x1[i] * x1[j] * at(d(d(e, i), j));
    }
    RC_ASSERT(y[0] == at(e));
    RC_ASSERT(y1[0] == first);
    RC_ASSERT(y2[0] == second);
  });
}

TEST(DerivativesOfProducts, GrowSlowly) {
  Graph g;
  const Expression x = g.variable("x");
  Expression product = x;
  for (int i = 1; i <= 1000; ++i) product = product * apply(Op::sin, x + i);
  const std::size_t before = g.size();
  ASSERT_TRUE(derivative(product, x));
  EXPECT_LE(g.size() - before, 4 * 1000u + 10);  // cosine, two products, a sum for each factor
}

TEST(DerivativesThatAreNot, SayWhy) {
  Graph g(2000);
  Expression x = g.variable("x"), e = x;
  for (int i = 0; i < 4; ++i) e = pow(e + 1, e);
  Derivative d{e, ""};
  for (int i = 0; i < 20 && d; ++i) d = derivative(d.value, x);
  EXPECT_EQ(d.error, "the expressions need more than 2000 nodes");
  EXPECT_LE(g.size(), 2000u);
}

}  // namespace
}  // namespace trammel::expr::derivative_test

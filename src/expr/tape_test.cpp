#include "expr/tape.h"

#include <array>
#include <thread>

#include "expr/derivative.h"
#include "expr/test_expressions.h"

namespace trammel::expr::tape_test {
namespace {

struct All {
  std::vector<double> y, dy, y1, y2;
  friend bool operator==(const All&, const All&) = default;
};

// By one pass, or by one for each kind.
All evaluate_all(const Tape& tape, const std::vector<double>& x, const std::vector<double>& x1,
                 const std::vector<double>& x2, bool one_pass) {
  const std::size_t m = tape.outputs();
  All out{std::vector<double>(m), std::vector<double>(m * tape.active()), std::vector<double>(m),
          std::vector<double>(m)};
  std::vector<double> scratch(tape.scratch_size(), kNaN);
  if (one_pass) {
    tape.all(x, {x1, x2}, {out.y, out.dy, out.y1, out.y2}, scratch);
  } else {
    tape.gradient(x, out.y, out.dy, scratch);
    tape.directional(x, x1, x2, out.y, out.y1, out.y2, scratch);
    tape.value(x, out.y, scratch);
  }
  return out;
}

class Tapes : public testing::Test {
 protected:
  Graph g;
  Expression x = g.variable("x"), y = g.variable("y"), t = g.variable("t");
};

TEST_F(Tapes, HoldCommonPartsOnce) {
  const Expression common = apply(Op::sin, x * y);
  const std::vector outputs = {common * 2, common + x, common, x, g.constant(3)};
  const Compiled c = Tape::compile(outputs, std::array{x, y});
  ASSERT_TRUE(c);
  EXPECT_EQ(c.tape.operations(), 4u);  // x*y, sin, *2, +x
  const All all = evaluate_all(c.tape, {2, 3}, {1, 0}, {0, 0}, true);
  const double s = std::sin(6.0), d = std::cos(6.0);
  EXPECT_EQ(all.y, (std::vector{s * 2, s + 2, s, 2.0, 3.0}));
  EXPECT_EQ(all.dy,
            (std::vector{6 * d, 4 * d, 3 * d + 1, 2 * d, 3 * d, 2 * d, 1.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(all.y1, (std::vector{6 * d, 3 * d + 1, 3 * d, 1.0, 0.0}));
  EXPECT_EQ(all.y2, (std::vector{-18 * s, -9 * s, -9 * s, 0.0, 0.0}));
}

TEST_F(Tapes, HaveNoDerivativesByParameters) {
  const Expression f = pow(x, y) + apply(Op::sqrt, t);
  const Compiled c = Tape::compile(std::array{f, t}, std::array{x, y, t}, {.active = 1});
  ASSERT_TRUE(c);
  EXPECT_EQ(c.tape.active(), 1u);
  // at x = 0 the slope of x^y by y is no number, at t = 0 that of the root infinite: neither is
  // asked
  const All all = evaluate_all(c.tape, {0, 3, 0}, {1}, {0}, true);
  EXPECT_EQ(all.y, (std::vector{0.0, 0.0}));
  EXPECT_EQ(all.dy, (std::vector{0.0, 0.0}));
  EXPECT_EQ(all.y2, (std::vector{0.0, 0.0}));
}

TEST(TapesOfRandomExpressions, GiveTheSameBitsInOnePassAsInSeveral) {
  for_all("random expressions", [] {
    Graph g;
    const std::vector inputs = {g.variable("x"), g.variable("y")};
    const TreeMaker make{{-1, 0.5, 2, 3}};
    std::vector<Expression> outputs;
    for (int i = 0; i < 3; ++i) outputs.push_back(make.number(4).build(inputs));
    const Tape tape = Tape::compile(outputs, inputs).tape;
    const std::vector x = {uniform(-2, 2), uniform(-2, 2)}, x1 = {1.0, -2.0}, x2 = {0.5, 3.0};
    const All one = evaluate_all(tape, x, x1, x2, true),
              many = evaluate_all(tape, x, x1, x2, false);
    const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
      return std::equal(a.begin(), a.end(), b.begin(), same_bits);
    };
    RC_ASSERT(same(one.y, many.y) && same(one.dy, many.dy));
    RC_ASSERT(same(one.y1, many.y1) && same(one.y2, many.y2));
  });
}

TEST_F(Tapes, GiveTheAccelerationAlongAPath) {
  const Expression f = pow(x, 2) * y + apply(Op::exp, x * y);
  const Tape tape = Tape::compile(std::array{f}, std::array{x, y}).tape;
  const double a = 0.3, b = -0.7, e = std::exp(a * b);
  const All all = evaluate_all(tape, {a, b}, {2, 5}, {3, -1}, true);
  const double fx = 2 * a * b + b * e, fy = a * a + a * e;
  const double fxx = 2 * b + b * b * e, fxy = 2 * a + (1 + a * b) * e, fyy = a * a * e;
  EXPECT_NEAR(all.y1[0], 2 * fx + 5 * fy, 1e-14);  // rounding
  EXPECT_NEAR(all.y2[0], 3 * fx - fy + 4 * fxx + 20 * fxy + 25 * fyy, 1e-14);
}

TEST_F(Tapes, RefuseUnknownVariables) {
  EXPECT_EQ(Tape::compile(std::array{x + y}, std::array{x}).error, "'y' is not among the inputs");
  EXPECT_TRUE(Tape::compile(std::array{g.constant(1)}, std::array{x}));
  EXPECT_TRUE(Tape::compile(std::array{g.constant(1)}, std::span<const Expression>()));
  const Tape unused = Tape::compile(std::array{x}, std::array{x, y, t}).tape;
  EXPECT_EQ(evaluate_all(unused, {1, 2, 3}, {1, 1, 1}, {0, 0, 0}, true).dy,
            (std::vector{1.0, 0.0, 0.0}));
}

TEST_F(Tapes, MayBeSharedByThreads) {
  Expression f = x;
  for (int i = 0; i < 200; ++i) f = apply(Op::sin, f * y) + x / (i + 1);
  const Tape tape = Tape::compile(std::array{f}, std::array{x, y}).tape;
  const auto run = [&](double from) {
    std::vector<All> out;
    for (int i = 0; i < 300; ++i)
      out.push_back(evaluate_all(tape, {from + i, 1.1}, {1, 1}, {0, 0}, true));
    return out;
  };
  std::array<std::vector<All>, 4> results;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) threads.emplace_back([&, i] { results[i] = run(double(i)); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(results[i], run(double(i)));
}

// Sine and cosine of one argument are computed together: the values are those of each alone, to the
// last bit, and so are the derivatives.
TEST(SineAndCosine, AreTheSameTogether) {
  Graph g;
  const Expression x = g.variable("x"), y = g.variable("y"), u = x * y;
  const Expression s = apply(Op::sin, u), c = apply(Op::cos, u);
  for (const std::vector<Expression>& both : {std::vector{s, c}, {c, s}, {s + c, s}})
    for_all("together", [&] {
      const std::vector inputs = {x, y};
      const double huge = range(0, 3) == 0 ? std::pow(10, uniform(-300, 300)) : 1;
      const std::array<double, 2> at = {uniform(-9, 9) * huge, uniform(-2, 2)};
      const std::array<double, 2> x1 = {uniform(-2, 2), uniform(-2, 2)}, x2 = x1;
      const auto all = [&](std::span<const Expression> outputs, std::size_t o) {
        const Compiled compiled = Tape::compile(outputs, inputs);
        const std::size_t n = outputs.size();
        std::vector<double> scratch(compiled.tape.scratch_size()), f(n), d(n), dd(n),
            gradient(2 * n);
        compiled.tape.all(at, {x1, x2}, {f, gradient, d, dd}, scratch);
        std::vector<double> value(n);
        compiled.tape.value(at, value, scratch);
        RC_ASSERT(same_bits(value[o], f[o]));
        return std::array{f[o], d[o], dd[o], gradient[2 * o], gradient[2 * o + 1]};
      };
      for (const std::size_t o : {std::size_t{0}, std::size_t{1}}) {
        if (both[o] != s && both[o] != c) continue;
        const auto together = all(both, o), alone = all(std::span(&both[o], 1), 0);
        for (std::size_t i = 0; i < together.size(); ++i)
          RC_ASSERT(same_bits(together[i], alone[i]));
      }
    });
}

}  // namespace
}  // namespace trammel::expr::tape_test

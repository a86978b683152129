// Functions from outside: a polynomial of three arguments that gives derivatives to any order.
#include <array>
#include <numeric>

#include "expr/derivative.h"
#include "expr/test_expressions.h"

namespace trammel::expr::outside_test {
namespace {

constexpr std::array<int, 3> kPowers = {4, 3, 2};  // f = x^4 y^3 z^2

double monomial(std::span<const double> x, const Partial& partial) {
  double out = 1;
  for (std::size_t i = 0; i < 3; ++i)
    for (int k = 0; k < kPowers[i]; ++k) out *= k < partial[i] ? kPowers[i] - k : x[i];
  for (std::size_t i = 0; i < 3; ++i)
    if (partial[i] > kPowers[i]) return 0;
  return out;
}

int asked = 0;  // how often, and for which order, since last set to 0
int highest = 0;

void jet(std::span<const double> x, int order, std::span<double> out) {
  ++asked;
  highest = std::max(highest, order);
  RC_ASSERT(out.size() == jet_size(3, order));
  for (std::uint8_t i = 0; i <= order; ++i)
    for (std::uint8_t j = 0; i + j <= order; ++j)
      for (std::uint8_t k = 0; i + j + k <= order; ++k)
        out[jet_index({i, j, k})] = monomial(x, {i, j, k});
}

class Outside : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"x", "y", "z"}) EXPECT_EQ(symbols.variable(name), "");
    EXPECT_EQ(symbols.function({.name = "f", .arity = 3, .order = 4, .jet = jet}), "");
    inputs = {g.variable("x"), g.variable("y"), g.variable("z")};
    asked = highest = 0;
  }
  Expression read(const std::string& text) {
    const Parsed parsed = parse(text, symbols);
    EXPECT_TRUE(parsed) << parsed.problems[0].text;
    return parsed.expression;
  }
  Graph g;
  Symbols symbols{g};
  std::vector<Expression> inputs;
};

// The same with the polynomial written out. Tolerance: rounding.
TEST_F(Outside, HasTheDerivativesOfWhatItStandsFor) {
  const Expression f = read("f(sin(x), x*y, y + z)*x");
  const Expression written = read("sin(x)^4*(x*y)^3*(y + z)^2*x");
  const Expression both[] = {f, written};
  const Tape tape = Tape::compile(both, inputs).tape;
  for_all("by the tape", [&] {
    const std::array x = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    const std::array x1 = {1.0, -0.5, 2.0}, x2 = {0.3, 0.2, -1.0};
    std::vector<double> scratch(tape.scratch_size(), kNaN);
    std::array<double, 2> y, y1, y2;
    std::array<double, 6> dy;
    tape.all(x, {x1, x2}, {y, dy, y1, y2}, scratch);
    const auto near = [](double a, double b) { return std::abs(a - b) < 1e-13; };
    RC_ASSERT(near(y[0], y[1]) && near(y1[0], y1[1]) && near(y2[0], y2[1]));
    for (std::size_t i = 0; i < 3; ++i) RC_ASSERT(near(dy[i], dy[3 + i]));
  });
  for_all("by the graph", [&] {
    std::vector<Expression> by;
    for (int i = range(1, 5); i > 0; --i) by.push_back(inputs[std::size_t(range(0, 3))]);
    const std::vector at = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
    const Derivative a = derivative(f, by), b = derivative(written, by);
    RC_ASSERT(a && b);
    RC_ASSERT(std::abs(value_of(a.value, inputs, at) - value_of(b.value, inputs, at)) < 1e-11);
  });
}

TEST_F(Outside, IsAskedOnceForAllItsPartials) {
  const std::vector outputs = {read("f(x, y, 2)"), read("f'1(x, y, 2)"), read("f'12(x, y, 2)"),
                               read("f(x, y, z)")};
  const Tape tape = Tape::compile(outputs, inputs, {.active = 2, .order = 2}).tape;
  std::vector<double> scratch(tape.scratch_size());
  std::array<double, 4> y;
  std::array<double, 8> dy;
  tape.value(std::array{2.0, 3.0, 4.0}, y, scratch);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(highest, 2);
  EXPECT_EQ(y[0], 16 * 27 * 4);
  EXPECT_EQ(y[1], 32 * 27 * 4);
  EXPECT_EQ(y[2], 32 * 27 * 4);
  EXPECT_EQ(y[3], 16 * 27 * 16);
  tape.gradient(std::array{2.0, 3.0, 4.0}, y, dy, scratch);
  EXPECT_EQ(highest, 3);
  EXPECT_EQ(dy[4], 48 * 27 * 4);
  EXPECT_EQ(dy[5], 32 * 18 * 4);
}

TEST_F(Outside, GivesNoMoreDerivativesThanItHas) {
  const Expression f = read("f(x, y, z)"), d4 = read("f'1223(x, y, z)");
  EXPECT_EQ(derivative(d4, inputs[0]).error,
            "a derivative of order 5 of 'f' is needed, it gives up to 4");
  EXPECT_TRUE(derivative(f, std::vector(4, inputs[0])));
  EXPECT_EQ(Tape::compile(std::array{d4}, inputs, {.order = 1}).error,
            "a derivative of order 5 of 'f' is needed, it gives up to 4");
  EXPECT_TRUE(Tape::compile(std::array{d4}, inputs, {.order = 0}));
  EXPECT_TRUE(Tape::compile(std::array{d4}, inputs, {.active = 0, .order = 2}));
}

TEST_F(Outside, DeclarationsAreChecked) {
  const auto declare = [&](Function f) { return symbols.function(std::move(f)); };
  EXPECT_EQ(declare({.name = "f", .jet = jet}), "'f' is declared already");
  EXPECT_EQ(declare({.name = "sin", .jet = jet}), "'sin' is a word of the language of expressions");
  EXPECT_EQ(declare({.name = "2f", .jet = jet}),
            "'2f' is no name: letters, digits and '_', not a digit first");
  EXPECT_EQ(declare({.name = "h", .arity = 9, .jet = jet}),
            "'h' has 9 arguments, 1 to 8 are possible");
  EXPECT_EQ(declare({.name = "h", .order = -1, .jet = jet}),
            "'h' gives derivatives to order -1, 0 to 100 are possible");
  EXPECT_EQ(declare({.name = "h", .arity = 3, .order = 100, .jet = jet}),
            "'h' has 176851 derivatives to order 100, at most 10000 are possible");
  EXPECT_EQ(declare({.name = "h", .jet = {}}), "'h' has no function");
  EXPECT_EQ(symbols.variable("pi"), "'pi' is a word of the language of expressions");
  EXPECT_EQ(symbols.variable("x"), "'x' is declared already");
  EXPECT_EQ(symbols.variable("body.bob_1.x"), "");
}

}  // namespace
}  // namespace trammel::expr::outside_test

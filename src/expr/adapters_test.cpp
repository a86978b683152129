#include "expr/adapters.h"

#include <thread>

#include "expr/test_expressions.h"

namespace trammel::expr::adapters_test {
namespace {

class Adapters : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"x", "v", "t"}) EXPECT_EQ(symbols.variable(name), "");
  }
  Expression read(const std::string& text) { return parse(text, symbols).expression; }
  Compiled force(const std::string& text) {
    return compile_force(read(text), read("x"), read("v"), read("t"));
  }
  Graph g;
  Symbols symbols{g};
};

TEST_F(Adapters, AForceHasItsSlopes) {
  const ForceOf f(force("-2000*x - 30*v*abs(v) + 5*t").tape);
  const auto [value, f_x, f_v] = f(0.1, -2, 3);
  EXPECT_EQ(value, -2000 * 0.1 + 30 * 2 * 2 + 15);
  EXPECT_EQ(f_x, -2000);
  EXPECT_EQ(f_v, -120);
}

TEST_F(Adapters, ASignalHasItsRates) {
  Signal s;
  {
    Graph other;
    Symbols names(other);
    EXPECT_EQ(names.variable("t"), "");
    const Expression e = parse("0.1*sin(3*t) + t^2", names).expression;
    s = Signal::function(SignalOf(compile_signal(e, other.variable("t")).tape));
  }  // the tape outlives its graph
  const Jet jet = s.jet(2);
  EXPECT_EQ(jet.x, 0.1 * std::sin(6.0) + 4);
  EXPECT_NEAR(jet.v, 0.3 * std::cos(6.0) + 4, 1e-15);   // rounding
  EXPECT_NEAR(jet.a, -0.9 * std::sin(6.0) + 2, 1e-15);  // rounding
}

TEST_F(Adapters, OtherVariablesAreRefused) {
  EXPECT_EQ(symbols.variable("k"), "");
  EXPECT_EQ(force("-k*x").error, "'k' is not among the inputs");
  EXPECT_EQ(compile_signal(read("x*t"), read("t")).error, "'x' is not among the inputs");
}

// A function from outside that is itself an expression, called while the outer one is at work.
TEST_F(Adapters, CallEachOther) {
  const ForceOf inner(force("sin(x)*v + t").tape);
  const auto jet = [inner](std::span<const double> x, int, std::span<double> out) {
    const ForceValue f = inner(x[0], 1, 0);
    out[0] = f.f;
    if (out.size() > 1) out[1] = f.f_x;
  };
  EXPECT_EQ(symbols.function({.name = "h", .order = 1, .jet = jet}), "");
  const ForceOf outer(force("2*h(x) + h(2*x) + x").tape);
  const auto run = [&] {
    for (int i = 0; i < 1000; ++i) {
      const double x = 0.01 * i;
      const ForceValue f = outer(x, 0, 0);
      EXPECT_EQ(f.f, 2 * std::sin(x) + std::sin(2 * x) + x);
      EXPECT_NEAR(f.f_x, 2 * std::cos(x) + 2 * std::cos(2 * x) + 1, 1e-14);  // rounding
    }
  };
  std::thread one(run), two(run);
  run();
  one.join();
  two.join();
}

}  // namespace
}  // namespace trammel::expr::adapters_test

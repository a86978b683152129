// Every smooth function: its value against the standard library, its derivatives of order 1 to 3
// (by the graph, and the first two by the tape) against Cauchy's integral over a circle in the
// complex plane.
#include <array>
#include <complex>
#include <functional>
#include <numbers>

#include "expr/derivative.h"
#include "expr/test_expressions.h"

namespace trammel::expr::functions_test {
namespace {

using C = std::complex<double>;

struct Smooth {
  std::string text;
  double lo, hi, radius;  // of the arguments; analytic within the radius around them
  std::function<C(C x, C y)> f;
};

void PrintTo(const Smooth& f, std::ostream* out) { *out << f.text; }

const std::vector<Smooth> kSmooth = {
    {"x + y", -3, 3, 1, [](C x, C y) { return x + y; }},
    {"x - y", -3, 3, 1, [](C x, C y) { return x - y; }},
    {"x*y", -3, 3, 1, [](C x, C y) { return x * y; }},
    {"x/y", 1, 3, 0.5, [](C x, C y) { return x / y; }},
    {"-x", -3, 3, 1, [](C x, C) { return -x; }},
    {"x^2", -3, 3, 1, [](C x, C) { return x * x; }},
    {"x^5", -2, 2, 1, [](C x, C) { return x * x * x * x * x; }},
    {"x^-3", 1, 2, 0.5, [](C x, C) { return 1.0 / (x * x * x); }},
    {"x^20", 0.5, 1, 0.4, [](C x, C) { return std::pow(x, 20.0); }},
    {"x^2.5", 1, 3, 0.5, [](C x, C) { return std::pow(x, 2.5); }},
    {"x^y", 1, 3, 0.5, [](C x, C y) { return std::pow(x, y); }},
    {"2.5^x", -2, 2, 1, [](C x, C) { return std::pow(C(2.5), x); }},
    {"hypot(x, y)", 1, 3, 0.5, [](C x, C y) { return std::sqrt(x * x + y * y); }},
    {"atan2(y, x)", 1, 3, 0.5, [](C x, C y) { return std::atan(y / x); }},
    {"sqrt(x)", 1, 4, 0.5, [](C x, C) { return std::sqrt(x); }},
    {"cbrt(x)", 1, 4, 0.5, [](C x, C) { return std::pow(x, 1.0 / 3); }},
    {"exp(x)", -2, 2, 1, [](C x, C) { return std::exp(x); }},
    {"log(x)", 1, 4, 0.5, [](C x, C) { return std::log(x); }},
    {"log10(x)", 1, 4, 0.5, [](C x, C) { return std::log10(x); }},
    {"sin(x)", -4, 4, 1, [](C x, C) { return std::sin(x); }},
    {"cos(x)", -4, 4, 1, [](C x, C) { return std::cos(x); }},
    {"tan(x)", -1, 1, 0.4, [](C x, C) { return std::tan(x); }},
    {"asin(x)", -0.4, 0.4, 0.4, [](C x, C) { return std::asin(x); }},
    {"acos(x)", -0.4, 0.4, 0.4, [](C x, C) { return std::acos(x); }},
    {"atan(x)", -3, 3, 0.5, [](C x, C) { return std::atan(x); }},
    {"sinh(x)", -2, 2, 1, [](C x, C) { return std::sinh(x); }},
    {"cosh(x)", -2, 2, 1, [](C x, C) { return std::cosh(x); }},
    {"tanh(x)", -3, 3, 0.5, [](C x, C) { return std::tanh(x); }},
    {"asinh(x)", -3, 3, 0.5, [](C x, C) { return std::asinh(x); }},
    {"acosh(x)", 2, 5, 0.5, [](C x, C) { return std::acosh(x); }},
    {"atanh(x)", -0.4, 0.4, 0.4, [](C x, C) { return std::atanh(x); }},
    {"smoothstep(-9, 9, x)", -4, 4, 1,
     [](C x, C) { return (x + 9.0) / 18.0 * ((x + 9.0) / 18.0) * (3.0 - (x + 9.0) / 9.0); }},
    {"sin(x*y)*exp(-x^2)/(1 + y^2)", -0.5, 0.5, 0.3,
     [](C x, C y) { return std::sin(x * y) * std::exp(-x * x) / (1.0 + y * y); }},
    {"atan2(x + y, 2 + x*y)*hypot(x, 2)", -0.5, 0.5, 0.3,
     [](C x, C y) { return std::atan((x + y) / (2.0 + x * y)) * std::sqrt(x * x + 4.0); }},
};

/// f along x + s dx, and its first three derivatives by s at 0, each with the rounding error to
/// expect: 2e-15 n!/r^n times the values on the circle, and what the rounding of the arguments
/// makes of them (measured with 3000 points for each function: at most half of that).
struct Along {
  std::array<double, 4> value{}, rounding{};
};

Along along(const Smooth& f, const std::array<double, 2>& x, const std::array<double, 2>& dx) {
  constexpr int kPoints = 64;  // truncation: (distance of the next pole / r)^-64
  const double r = f.radius / std::hypot(dx[0], dx[1]) / 2;
  std::array<C, 4> sum{};
  const C middle = f.f(x[0], x[1]);
  double largest = 0;
  for (int i = 0; i < kPoints; ++i) {
    const C unit = std::polar(1.0, 2 * std::numbers::pi * i / kPoints);
    const C value = f.f(x[0] + r * unit * dx[0], x[1] + r * unit * dx[1]);
    const double by_x = std::abs(f.f(x[0] + r * unit, x[1]) - middle);
    const double by_y = std::abs(f.f(x[0], x[1] + r * unit) - middle);
    largest = std::max(largest, std::abs(value) + std::hypot(x[0], x[1]) / r * (by_x + by_y));
    for (int n = 0; n < 4; ++n) sum[std::size_t(n)] += value * std::pow(unit, -n) / double(kPoints);
  }
  Along out;
  for (std::size_t n = 0; n < 4; ++n) {
    const double scale = std::tgamma(double(n) + 1) / std::pow(r, double(n));
    out.value[n] = scale * sum[n].real();
    out.rounding[n] = 2e-15 * scale * largest;
  }
  return out;
}

// f and its derivatives along (p, q), in x, y, p, q.
struct Case {
  Case(Graph& g, Expression f)
      : inputs{g.variable("x"), g.variable("y"), g.variable("p"), g.variable("q")}, along{f} {
    for (int order = 1; order <= 3; ++order) {
      const Derivative by_x = derivative(along.back(), inputs[0]);
      const Derivative by_y = derivative(along.back(), inputs[1]);
      EXPECT_TRUE(by_x && by_y);
      along.push_back(by_x.value * inputs[2] + by_y.value * inputs[3]);
    }
  }
  std::vector<Expression> inputs, along;
};

void check_graph(const Case& c, const std::array<double, 2>& x, const std::array<double, 2>& dx,
                 const Along& expected) {
  for (std::size_t n = 0; n < 4; ++n) {
    const double is = value_of(c.along[n], c.inputs, {x[0], x[1], dx[0], dx[1]});
    RC_ASSERT(std::abs(is - expected.value[n]) <= expected.rounding[n]);
  }
}

void check_tape(const Case& c, const std::array<double, 2>& x, const std::array<double, 2>& dx,
                const Along& expected) {
  const Compiled compiled =
      Tape::compile(std::span(c.along).first(1), std::span(c.inputs).first(2));
  const Tape& tape = compiled.tape;
  std::vector<double> scratch(tape.scratch_size());
  const std::array<double, 2> none{};
  std::array<double, 2> dy{};
  double y = 0, y1 = 0, y2 = 0;
  tape.directional(x, dx, none, std::span(&y, 1), std::span(&y1, 1), std::span(&y2, 1), scratch);
  RC_ASSERT(std::abs(y - expected.value[0]) <= expected.rounding[0]);
  RC_ASSERT(std::abs(y1 - expected.value[1]) <= expected.rounding[1]);
  RC_ASSERT(std::abs(y2 - expected.value[2]) <= expected.rounding[2]);
  tape.gradient(x, std::span(&y, 1), dy, scratch);
  RC_ASSERT(std::abs(dy[0] * dx[0] + dy[1] * dx[1] - expected.value[1]) <= expected.rounding[1]);
}

class SmoothFunction : public testing::TestWithParam<Smooth> {};

TEST_P(SmoothFunction, HasItsValueAndDerivatives) {
  Graph g;
  Symbols symbols(g);
  ASSERT_EQ(symbols.variable("x") + symbols.variable("y"), "");
  const Parsed parsed = parse(GetParam().text, symbols);
  ASSERT_TRUE(parsed) << parsed.problems[0].text;
  const Case c(g, parsed.expression);
  for_all(GetParam().text.c_str(), [&] {
    const Smooth& f = GetParam();
    const std::array x = {uniform(f.lo, f.hi), uniform(f.lo, f.hi)};
    const double angle = uniform(0, 6.283);
    const std::array dx = {std::cos(angle), std::sin(angle)};
    const Along expected = along(f, x, dx);
    check_graph(c, x, dx, expected);
    check_tape(c, x, dx, expected);
  });
}

INSTANTIATE_TEST_SUITE_P(All, SmoothFunction, testing::ValuesIn(kSmooth));

struct Standard {
  const char* name;
  double (*f)(double);
};

TEST(Functions, HaveTheValuesOfTheStandardLibrary) {
  const Standard all[] = {
      {"abs", std::abs},     {"floor", std::floor}, {"sqrt", std::sqrt},   {"cbrt", std::cbrt},
      {"exp", std::exp},     {"log", std::log},     {"log10", std::log10}, {"sin", std::sin},
      {"cos", std::cos},     {"tan", std::tan},     {"asin", std::asin},   {"acos", std::acos},
      {"atan", std::atan},   {"sinh", std::sinh},   {"cosh", std::cosh},   {"tanh", std::tanh},
      {"asinh", std::asinh}, {"acosh", std::acosh}, {"atanh", std::atanh},
  };
  Graph g;
  Symbols symbols(g);
  ASSERT_EQ(symbols.variable("x"), "");
  const std::vector inputs = {g.variable("x")};
  for (const auto& [name, f] : all) {
    const Expression e = parse(std::string(name) + "(x)", symbols).expression;
    for_all(name, [&, f = f] {
      const double x = uniform(-1, 1) * std::pow(10, uniform(-300, 300));
      for (const double at : {x, uniform(-2, 2), 0.0, -0.0, kInf, -kInf, kNaN})
        RC_ASSERT(same_bits(value_of(e, inputs, {at}), f(at)));
    });
  }
}

TEST(Functions, OfTwoHaveTheValuesOfTheStandardLibrary) {
  Graph g;
  const std::vector inputs = {g.variable("x"), g.variable("y")};
  const auto value = [&](Op op, double x, double y) {
    return value_of(apply(op, inputs[0], inputs[1]), inputs, {x, y});
  };
  for_all("hypot, atan2, powers", [&] {
    const double x = uniform(-3, 3), y = uniform(-3, 3);
    RC_ASSERT(same_bits(value(Op::hypot, x, y), std::hypot(x, y)));
    RC_ASSERT(same_bits(value(Op::atan2, x, y), std::atan2(x, y)));
    RC_ASSERT(same_bits(value(Op::pow, x, y), std::pow(x, y)));
    const double n = range(-40, 40), power = value(Op::pow, x, n);
    // n - 1 roundings of products, half a unit in the last place each, and that of the quotient
    RC_ASSERT(std::abs(power / std::pow(x, n) - 1) <= (std::abs(n) + 2) * 1.2e-16);
  });
}

}  // namespace
}  // namespace trammel::expr::functions_test

// When formulas in the time switch: moments known in closed form, each side of them.
#include "expr/switches.h"

#include <array>
#include <string>
#include <vector>

#include "expr/adapters.h"
#include "expr/test_expressions.h"

namespace trammel::expr::switches_test {
namespace {

struct Formula {
  Graph g;
  Symbols symbols{g};
  Expression e, t;
  explicit Formula(const char* text) {
    EXPECT_EQ(symbols.variable("t"), "");
    const Parsed parsed = parse(text, symbols);
    EXPECT_TRUE(parsed) << text << ": " << parsed.problems[0].text;
    e = parsed.expression;
    t = g.variable("t");
  }
  SwitchesOf switches() { return {e, std::array{t}, t}; }
  Jet at(double time) { return SignalOf(compile_signal(e, t).tape)(time); }
};

/// All switches in (0, 1] as a loop over steps of 0.07 finds them.
std::vector<Switch> all(const SwitchesOf& switches, double h = 0.07) {
  std::vector<Switch> out;
  double t = 0;
  for (int k = 1; t < 1;) {
    const double end = std::min(1.0, k * h);
    const Switch s = switches(t + 1e-7 * h, end + 1e-7 * h);
    if (s.t < kInf) out.push_back(s);
    t = s.t < kInf ? s.t : end;
    k += t >= end;
  }
  return out;
}

struct Case {
  const char* text;
  std::vector<double> times;
};

// the moments are those of real numbers: rounding of the formula's constants is allowed for
const Case kCases[] = {
    {"sin(3*t) + t^2", {}},
    {"if(t < 0.5, 1, 2)", {0.5}},
    {"if(t <= 0.5, 1, 2)", {0.5}},
    {"if(0.5 > t, 1, 2)", {0.5}},
    {"abs(t - 0.35)", {0.35}},
    {"abs(0.35 - t)", {0.35}},
    {"abs(0.7 - t)*t", {0.7}},  // on a border of the steps
    {"sign(sin(10*t))", {M_PI / 10, M_PI / 5, 3 * M_PI / 10}},
    {"floor(3*t)", {1. / 3, 2. / 3, 1}},
    {"floor(1 - 3*t)", {1. / 3, 2. / 3, 1}},
    {"t - floor(10*t)/10", {.1, .2, .3, .4, .5, .6, .7, .8, .9, 1}},
    {"min(t, 0.2) + max(3*t, 2.1)", {0.2, 0.7}},
    {"clamp(2*t, 0.5, 1.5)", {0.25, 0.75}},
    {"smoothstep(0.1, 0.9, t)", {0.1, 0.9}},
    {"step(t - 0.1234)", {0.1234}},
    {"if(t > 0.5 and t < 0.501, 1, 0)", {0.5, 0.501}},  // within one step
    {"if(t < 0.5, abs(t - 0.2), if(t < 0.6, 1, 3))", {0.2, 0.5, 0.6}},
    {"if((t - 0.3)*(t - 0.31) < 0, 1, 0)", {0.3, 0.31}},  // there and back in one step
    {"max(cos(7*t), 0)", {M_PI / 14, 3 * M_PI / 14}},
    {"table(2*t, d)", {0.1, 0.25, 0.45}},
    {"spline(t, d)", {}},
    {"abs(spline(t, d) + 9)", {}},  // never zero
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.text; }

class SwitchTimes : public testing::TestWithParam<Case> {};

TEST_P(SwitchTimes, AreFoundAndHaveTwoSides) {
  Formula f("0*t");
  ASSERT_EQ(f.symbols.points("d", {{0.2, 0.5, 0.9}, {1, 3, 2}}), "");
  f.e = parse(GetParam().text, f.symbols).expression;
  const std::vector<Switch> found = all(f.switches());
  ASSERT_EQ(found.size(), GetParam().times.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].t, GetParam().times[i], 4e-15);
    EXPECT_LT(found[i].before, found[i].t);
    EXPECT_GT(found[i].before, found[i].t - 1e-13);
    EXPECT_FALSE(found[i].pole);
    // what is said just before and from there on is what is said a little farther off
    for (const double side : {-1., 1.}) {
      const double to = side < 0 ? found[i].before : found[i].t;
      const Jet here = f.at(to), beside = f.at(to + side * 1e-9);
      EXPECT_NEAR(here.x, beside.x, 1e-7) << to;
      EXPECT_NEAR(here.v, beside.v, 1e-6) << to;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SwitchTimes, testing::ValuesIn(kCases));

TEST(Switches, PolesAreToldFromWhatIsFinite) {
  const std::pair<const char*, bool> cases[] = {
      {"1/(0.1 - t)", true},          {"1/(t - 0.1)^2", true},
      {"1e9 + 1/(0.1 - t)", true},    {"1/sqrt(0.1 - t)", true},
      {"(t - 0.1)^-3", true},         {"tan(t*pi*5)", true},
      {"1/(1 + cos(t*pi*10))", true}, {"sin(t - 0.1)/(t - 0.1)", false},
      {"atan(1/(t - 0.1))", false},   {"if(abs(t - 0.1) < 0.01, 3, 1/(t - 0.1))", false},
      {"(t - 0.1)^3", false},         {"abs(t - 0.1)/(t - 0.1)", false}};
  for (const auto& [text, pole] : cases) {
    Formula f(text);
    bool found = false;
    for (const Switch& s : all(f.switches())) {
      if (std::abs(s.t - 0.1) > 1e-9) continue;
      found = true;
      EXPECT_EQ(s.pole, pole) << text;
    }
    EXPECT_TRUE(found || !pole) << text;
  }
}

TEST(Switches, WhatOtherVariablesDecideIsNotWatched) {
  Graph g;
  Symbols symbols(g);
  for (const char* name : {"x", "v", "t"}) ASSERT_EQ(symbols.variable(name), "");
  const std::array inputs{g.variable("x"), g.variable("v"), g.variable("t")};
  const auto of = [&](const char* text) {
    return SwitchesOf(parse(text, symbols).expression, inputs, inputs[2]);
  };
  EXPECT_TRUE(of("if(x > t, 1, 0) + abs(v) + x/(x + t)").empty());
  EXPECT_NEAR(all(of("x*if(t < 0.4, v, abs(x))")).at(0).t, 0.4, 1e-15);
}

/// The formula of a load has the twelve numbers of a body's motion, and those of others.
TEST(Switches, FormulasMayHaveManyVariables) {
  Graph g;
  Symbols symbols(g);
  std::vector<Expression> inputs;
  std::string sum;
  for (int i = 0; i < 30; ++i) {
    const std::string name = "x" + std::to_string(i);
    ASSERT_EQ(symbols.variable(name), "");
    inputs.push_back(g.variable(name));
    sum += name + " + ";
  }
  ASSERT_EQ(symbols.variable("t"), "");
  inputs.push_back(g.variable("t"));
  const SwitchesOf switches(parse(sum + "sqrt(0.4 - t)", symbols).expression, inputs,
                            inputs.back());
  EXPECT_NEAR(all(switches).at(0).t, 0.4, 1e-14);
}

}  // namespace
}  // namespace trammel::expr::switches_test

#pragma once

#include <gtest/gtest.h>
// RapidCheck after GoogleTest
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "expr/build.h"
#include "expr/evaluate.h"
#include "expr/parse.h"
#include "expr/symbols.h"
#include "expr/tape.h"

/// Shared by the tests of expressions.
namespace trammel::expr {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// The same bits, or both NaN.
inline bool same_bits(double a, double b) {
  return (a != a && b != b) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Uniform in [lo, hi), whatever size RapidCheck has reached.
inline int range(int lo, int hi) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(lo, hi));
}
inline double uniform(double lo, double hi) {
  return lo + (hi - lo) * range(0, 1 << 30) / (1 << 30);
}

/// The property holds for random cases, the same ones each time unless RC_PARAMS says otherwise.
template <class Property>
void for_all(const char* what, const Property& property) {
  setenv("RC_PARAMS", "seed=20261120 max_success=300", 0);
  EXPECT_TRUE(rc::check(what, property));
}

/// An expression as a tree, beside the graph: nothing is shared, nothing simplified.
struct Tree {
  Op op = Op::constant;
  double value = 0;  // of a constant; of a variable its index
  std::vector<Tree> args;

  double evaluate(const std::vector<double>& x) const {
    if (op == Op::constant) return value;
    if (op == Op::variable) return x[static_cast<std::size_t>(value)];
    double v[3] = {};
    for (std::size_t i = 0; i < args.size(); ++i) v[i] = args[i].evaluate(x);
    return expr::evaluate(op, v[0], v[1], v[2]);
  }

  Expression build(const std::vector<Expression>& x) const {
    if (op == Op::constant) return x[0].graph->constant(value);
    if (op == Op::variable) return x[static_cast<std::size_t>(value)];
    Expression e[3];
    for (std::size_t i = 0; i < args.size(); ++i) e[i] = args[i].build(x);
    return apply(op, e[0], e[1], e[2]);
  }
};

/// The constants of a random tree are taken from a list, which should hold the odd ones.
struct TreeMaker {
  std::vector<double> constants;
  int variables = 2;

  double pick() const { return *rc::gen::elementOf(constants); }

  Tree condition(int depth) const {
    const int kind = depth > 0 ? range(0, 7) : range(0, 4);
    if (kind == 6) return {Op::negation, 0, {condition(depth - 1)}};
    const auto op = static_cast<Op>(static_cast<int>(Op::less) + kind);
    if (kind < 4) return {op, 0, {number(depth - 1), number(depth - 1)}};
    return {op, 0, {condition(depth - 1), condition(depth - 1)}};
  }

  Tree number(int depth) const {
    if (depth <= 0) {
      if (range(0, 2) == 0) return {Op::constant, pick(), {}};
      return {Op::variable, static_cast<double>(range(0, variables)), {}};
    }
    const int group = range(0, 10);
    if (group < 5) return two(static_cast<Op>(range(int(Op::add), int(Op::div) + 1)), depth);
    if (group == 5)
      return two(*rc::gen::elementOf(std::vector{Op::pow, Op::hypot, Op::atan2}), depth);
    if (group == 6) return two(*rc::gen::element(Op::min, Op::max), depth);
    if (group == 7)
      return {Op::select, 0, {condition(depth - 1), number(depth - 1), number(depth - 1)}};
    if (group == 8) return {Op::neg, 0, {number(depth - 1)}};
    return {static_cast<Op>(range(int(Op::neg), int(Op::negation))), 0, {number(depth - 1)}};
  }

  Tree two(Op op, int depth) const { return {op, 0, {number(depth - 1), number(depth - 1)}}; }
};

/// Value of a tape of one output.
inline double value_of(Expression e, const std::vector<Expression>& inputs,
                       const std::vector<double>& x) {
  const Compiled c = Tape::compile(std::span(&e, 1), inputs, {.order = 0});
  EXPECT_TRUE(c) << c.error;
  std::vector<double> scratch(c.tape.scratch_size());
  double y = 0;
  c.tape.value(x, std::span(&y, 1), scratch);
  return y;
}

}  // namespace trammel::expr

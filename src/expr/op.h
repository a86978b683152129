#pragma once

#include <cstdint>
#include <string_view>

namespace trammel::expr {

/// What a node does with its arguments a, b, c. Conditions are numbers too, 0 or 1. NaN goes
/// through everything: a comparison of NaN is NaN, and so is a choice by it.
enum class Op : std::uint8_t {
  constant,
  variable,
  call,  // of a function from outside
  // of one argument, in the order of the table in unary.cpp
  neg,
  abs,
  sign,
  floor,
  sqrt,
  cbrt,
  exp,
  log,
  log10,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  negation,  // not a
  // of two
  add,
  sub,
  mul,
  div,
  power,  // a^b, b a whole constant
  pow,    // a^b
  hypot,
  atan2,  // of y, x
  less,
  less_equal,
  equal,
  different,
  both,    // a and b
  either,  // a or b
  min,
  max,
  select,  // if a then b else c
};

constexpr int arity(Op op) {
  if (op < Op::neg) return 0;
  return op < Op::add ? 1 : op < Op::select ? 2 : 3;
}

/// a op b is b op a, to the last bit.
constexpr bool is_commutative(Op op) { return op == Op::add || op == Op::mul; }

/// The value is 0 or 1.
constexpr bool is_condition(Op op) {
  return op == Op::negation || (op >= Op::less && op <= Op::either);
}

/// Constant between its jumps: derivatives are 0, the jumps are not seen.
constexpr bool is_flat(Op op) { return is_condition(op) || op == Op::sign || op == Op::floor; }

/// The value is one of the arguments, and so are the derivatives.
constexpr bool is_choice(Op op) { return op >= Op::min; }

/// As written in a text: "sin", "+", "and".
std::string_view symbol(Op op);

}  // namespace trammel::expr

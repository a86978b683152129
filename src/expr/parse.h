#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "expr/dimensions.h"
#include "expr/graph.h"
#include "expr/symbols.h"

namespace trammel::expr {

/// Holds what is wrong with a text, and at which byte (from 0).
struct Problem {
  std::size_t column = 0;
  std::string text;
};

/// An expression with its dimension as far as it is known, or all that is wrong. Nothing is read
/// behind a mistake of syntax.
struct Parsed {
  Expression expression;
  MaybeDimension dimension;
  std::vector<Problem> problems;  // by column, at most kMostProblems and a last word
  explicit operator bool() const { return problems.empty(); }
};

constexpr std::size_t kMostProblems = 20;

/// Holds what a text may ask for at most. The number of nodes is limited by the graph.
struct Limits {
  std::size_t length = 10'000;  // bytes
  int depth = 100;              // of parentheses, calls, signs, powers in one another
  bool factors = false;  // a number without a unit counts as a ratio in products: 2 L is a length
};

/// Reads an expression (docs/expressions.md) into the graph of `symbols`. `needed` is the dimension
/// of the result; nothing: any.
Parsed parse(std::string_view text, const Symbols& symbols, MaybeDimension needed = {},
             const Limits& limits = {});

/// The text of an expression, with as few parentheses as it takes to read back the same. Common
/// parts are written out each time: where it grows longer than `most` bytes it ends with "...".
std::string to_text(Expression e, std::size_t most = 100'000);

}  // namespace trammel::expr

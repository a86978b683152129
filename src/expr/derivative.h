#pragma once

#include <span>
#include <string>

#include "expr/graph.h"

namespace trammel::expr {

/// A derivative, or why there is none: the graph is full, or a function from outside gives no
/// derivative of that order.
struct Derivative {
  Expression value;
  std::string error;
  explicit operator bool() const { return error.empty(); }
};

/// By a variable, exact. Where a function has a kink it is the one-sided derivative that the tape's
/// evaluation gives too: of abs the right one, of min, max and clamp that of the argument chosen
/// (of equals the first), of piecewise that of the branch taken. Jumps are not seen: floor, sign,
/// step and conditions have the derivative 0.
Derivative derivative(Expression e, Expression variable);
/// One after the other, e.g. {x, x, y}.
Derivative derivative(Expression e, std::span<const Expression> variables);

}  // namespace trammel::expr

#pragma once

#include <memory>
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

/// The derivatives of many expressions along a path, on which each variable changes at its rate, an
/// expression too: sum over i of de/dx_i rate_i. What they have in common is differentiated once.
/// At least one variable; all of one graph.
class Along {
 public:
  Along(std::span<const Expression> variables, std::span<const Expression> rates);
  ~Along();
  Along(Along&&) noexcept;
  /// The empty expression where it does not depend on the variables.
  Derivative of(Expression e);

  class Work;

 private:
  std::unique_ptr<Work> work_;
};

}  // namespace trammel::expr

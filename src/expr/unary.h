#pragma once

#include <cstddef>
#include <string_view>

#include "expr/dimensions.h"
#include "expr/graph.h"
#include "expr/op.h"

namespace trammel::expr {

/// First and second derivative of a function of one argument.
struct Slopes {
  double d = 0, dd = 0;
};

/// All that is known of a function of one argument u with the value f: one entry of a table.
struct Unary {
  std::string_view name;
  Rule rule;
  double (*value)(double u);
  Slopes (*slopes)(double u, double f);
  Expression (*derivative)(Expression u, Expression f);  // df/du; null: 0
};

extern const Unary kUnary[];

inline const Unary& unary(Op op) {
  return kUnary[static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::neg)];
}

}  // namespace trammel::expr

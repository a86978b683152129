#pragma once

#include <span>

#include "expr/graph.h"

/// Expressions written in C++. All operands are of one graph, which throws GraphFull when full.
namespace trammel::expr {

inline Expression apply(Op op, Expression a, Expression b = {}, Expression c = {}) {
  return a.graph->apply(op, a, b, c);
}

inline Expression operator-(Expression a) { return apply(Op::neg, a); }
inline Expression operator+(Expression a, Expression b) { return apply(Op::add, a, b); }
inline Expression operator-(Expression a, Expression b) { return apply(Op::sub, a, b); }
inline Expression operator*(Expression a, Expression b) { return apply(Op::mul, a, b); }
inline Expression operator/(Expression a, Expression b) { return apply(Op::div, a, b); }
inline Expression operator+(double a, Expression b) { return b.graph->constant(a) + b; }
inline Expression operator-(double a, Expression b) { return b.graph->constant(a) - b; }
inline Expression operator*(double a, Expression b) { return b.graph->constant(a) * b; }
inline Expression operator/(double a, Expression b) { return b.graph->constant(a) / b; }
inline Expression operator+(Expression a, double b) { return a + a.graph->constant(b); }
inline Expression operator-(Expression a, double b) { return a - a.graph->constant(b); }
inline Expression operator*(Expression a, double b) { return a * a.graph->constant(b); }
inline Expression operator/(Expression a, double b) { return a / a.graph->constant(b); }

/// a^b; where b is a whole constant up to 1024 by products.
inline Expression pow(Expression a, Expression b) { return apply(Op::pow, a, b); }
inline Expression pow(Expression a, double b) { return pow(a, a.graph->constant(b)); }

/// max, then min: at the bounds the derivative is that of x.
Expression clamp(Expression x, Expression lo, Expression hi);
/// 0 before edge a, 1 behind edge b, t^2 (3 - 2 t) between.
Expression smoothstep(Expression a, Expression b, Expression x);
/// 0 for x < 0, else 1.
Expression step(Expression x);
/// condition, value, condition, value, ..., otherwise: the value of the first condition that holds.
Expression piecewise(std::span<const Expression> args);

}  // namespace trammel::expr

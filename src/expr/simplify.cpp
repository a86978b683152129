#include "expr/simplify.h"

#include <cassert>
#include <cmath>

#include "expr/build.h"
#include "expr/evaluate.h"

namespace trammel::expr {

namespace {

bool is(Expression e, Op op) { return e.graph->node(e.id).op == op; }
bool is_value(Expression e, double v) { return is_constant(e) && constant_value(e) == v; }
bool is_zero(Expression e, bool negative) {
  return is_value(e, 0) && std::signbit(constant_value(e)) == negative;
}
bool is_negative_constant(Expression e) {
  return is_constant(e) && std::signbit(constant_value(e)) && !std::isnan(constant_value(e));
}
Expression inside(Expression e) { return e.graph->arg(e, 0); }

// -e, if that costs nothing: of -x and of a negative number.
Expression without_minus(Expression e) {
  if (is(e, Op::neg)) return inside(e);
  return is_negative_constant(e) ? e.graph->constant(-constant_value(e)) : Expression{};
}

Expression simplify_add(Expression a, Expression b) {
  if (is_zero(b, true) || (is_zero(b, false) && !a.graph->node(a.id).may_be_negative_zero))
    return a;
  if (is_zero(a, true) || (is_zero(a, false) && !a.graph->node(b.id).may_be_negative_zero))
    return b;
  if (const Expression c = without_minus(b)) return a - c;
  if (const Expression c = without_minus(a)) return b - c;
  return {};
}

Expression simplify_sub(Expression a, Expression b) {
  if (is_zero(b, false)) return a;
  if (const Expression c = without_minus(b)) return a + c;
  return {};
}

// Takes a minus out of a product or quotient, or into a constant.
Expression pull_minus(Op op, Expression a, Expression b) {
  const bool minus_a = is(a, Op::neg), minus_b = is(b, Op::neg);
  if (minus_a && minus_b) return apply(op, inside(a), inside(b));
  if (minus_a) return is_constant(b) ? apply(op, inside(a), -b) : -apply(op, inside(a), b);
  if (minus_b) return is_constant(a) ? apply(op, -a, inside(b)) : -apply(op, a, inside(b));
  return {};
}

Expression simplify_mul(Expression a, Expression b) {
  if (is_value(b, 1)) return a;
  if (is_value(a, 1)) return b;
  if (is_value(b, -1)) return -a;
  if (is_value(a, -1)) return -b;
  return pull_minus(Op::mul, a, b);
}

Expression simplify_div(Expression a, Expression b) {
  if (is_value(b, 1)) return a;
  if (is_value(b, -1)) return -a;
  return pull_minus(Op::div, a, b);
}

Expression simplify_power(Expression a, Expression b) {
  assert(is_constant(b));
  const double n = constant_value(b);
  if (n == 0) return a.graph->constant(1);
  if (n == 1) return a;
  if (n == -1) return 1 / a;
  const bool even = std::fmod(n, 2) == 0;
  if (even && (is(a, Op::neg) || is(a, Op::abs))) return pow(inside(a), b);
  return {};
}

Expression fold(Op op, Expression a, Expression b, Expression c) {
  const auto value = [](Expression e) { return e ? constant_value(e) : 0; };
  return a.graph->constant(evaluate(op, value(a), value(b), value(c)));
}

}  // namespace

Expression simplify(Op op, Expression a, Expression b, Expression c) {
  const bool whole = op == Op::pow && is_constant(b) && is_whole_power(constant_value(b));
  if (whole) return apply(Op::power, a, b);
  if (is_constant(a) && (!b || is_constant(b)) && (!c || is_constant(c))) return fold(op, a, b, c);
  switch (op) {
    case Op::neg:
      return is(a, Op::neg) ? inside(a) : Expression{};
    case Op::abs:
      return is(a, Op::neg) ? apply(op, inside(a)) : is(a, Op::abs) ? a : Expression{};
    case Op::negation:
      return is(a, Op::negation) ? inside(a) : Expression{};
    case Op::add:
      return simplify_add(a, b);
    case Op::sub:
      return simplify_sub(a, b);
    case Op::mul:
      return simplify_mul(a, b);
    case Op::div:
      return simplify_div(a, b);
    case Op::power:
      return simplify_power(a, b);
    case Op::min:
    case Op::max:
      return a == b ? a : Expression{};
    case Op::select:
      return is_value(a, 0) ? c : is_value(a, 1) ? b : Expression{};
    default:
      return {};
  }
}

bool may_be_negative_zero(const Graph& graph, Op op, std::span<const Id> args) {
  const auto may = [&](std::size_t i) { return graph.node(args[i]).may_be_negative_zero; };
  if (is_condition(op)) return false;
  switch (op) {
    case Op::abs:
    case Op::exp:
    case Op::cosh:
    case Op::acos:
    case Op::hypot:
      return false;
    case Op::add:
      return may(0) && may(1);
    case Op::sub:
      return may(0);
    case Op::min:
    case Op::max:
      return may(0) || may(1);
    case Op::select:
      return may(1) || may(2);
    case Op::power:
      return std::fmod(graph.node(args[1]).value, 2) != 0;
    default:
      return true;
  }
}

}  // namespace trammel::expr

#include "expr/build.h"

#include <cassert>

namespace trammel::expr {

Expression clamp(Expression x, Expression lo, Expression hi) {
  return apply(Op::min, apply(Op::max, x, lo), hi);
}

Expression smoothstep(Expression a, Expression b, Expression x) {
  Graph& g = *x.graph;
  const Expression t = clamp((x - a) / (b - a), g.constant(0), g.constant(1));
  return pow(t, 2) * (3 - 2 * t);
}

Expression step(Expression x) {
  Graph& g = *x.graph;
  return apply(Op::select, apply(Op::less_equal, g.constant(0), x), g.constant(1), g.constant(0));
}

Expression piecewise(std::span<const Expression> args) {
  assert(args.size() % 2 == 1);
  Expression out = args.back();
  for (std::size_t i = args.size() - 1; i > 0; i -= 2)
    out = apply(Op::select, args[i - 2], args[i - 1], out);
  return out;
}

}  // namespace trammel::expr

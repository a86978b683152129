#pragma once

#include "expr/graph.h"

namespace trammel::expr {

/// Returns what an operation on these arguments amounts to if there is something simpler that gives
/// the same bits for all arguments (any NaN counts as the same); nothing otherwise.
Expression simplify(Op op, Expression a, Expression b, Expression c);

/// Whether the value can be -0, the one number that x + 0 changes. For operations that simplify
/// leaves as they are.
bool may_be_negative_zero(const Graph& graph, Op op, std::span<const Id> args);

}  // namespace trammel::expr

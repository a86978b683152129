#include "expr/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "expr/evaluate.h"
#include "expr/simplify.h"

namespace trammel::expr {

namespace {

std::size_t mix(std::size_t seed, std::size_t value) {
  return (seed ^ value) * 0x9e3779b97f4a7c15u + (seed >> 29);
}

}  // namespace

std::size_t Graph::Hash::operator()(Id id) const {
  const Node& n = graph->node(id);
  std::array<Id, 2> pair{};
  std::span<const Id> args = graph->args(id);
  if (is_commutative(n.op)) {
    pair = std::minmax({args[0], args[1]}) == std::pair(args[0], args[1])
               ? std::array{args[0], args[1]}
               : std::array{args[1], args[0]};
    args = pair;
  }
  std::size_t h = mix(static_cast<std::size_t>(n.op), n.index);
  h = mix(h, std::bit_cast<std::uint64_t>(n.value));
  for (const Id arg : args) h = mix(h, arg);
  return h ^ (h >> 32);
}

bool Graph::Same::operator()(Id a, Id b) const {
  const Node &m = graph->node(a), &n = graph->node(b);
  if (m.op != n.op || m.index != n.index) return false;
  if (std::bit_cast<std::uint64_t>(m.value) != std::bit_cast<std::uint64_t>(n.value)) return false;
  const auto x = graph->args(a), y = graph->args(b);
  if (std::equal(x.begin(), x.end(), y.begin(), y.end())) return true;
  return is_commutative(m.op) && x[0] == y[1] && x[1] == y[0];
}

// The node is put in its place to be compared; if it was there before it is taken back.
Expression Graph::intern(Node node, std::span<const Id> args) {
  const auto id = static_cast<Id>(nodes_.size());
  node.first = static_cast<std::uint32_t>(args_.size());
  node.n_args = static_cast<std::uint32_t>(args.size());
  nodes_.push_back(node);
  args_.insert(args_.end(), args.begin(), args.end());
  const auto found = known_.find(id);
  if (found == known_.end() && id < limit_) return {this, *known_.insert(id).first};
  nodes_.pop_back();
  args_.resize(node.first);
  if (found != known_.end()) return {this, *found};
  throw GraphFull(fmt::format("the expressions need more than {} nodes", limit_));
}

Expression Graph::constant(double value) {
  Node node{Op::constant};
  node.value = std::isnan(value) ? kNaN : value;
  node.may_be_negative_zero = value == 0 && std::signbit(value);
  return intern(node, {});
}

Expression Graph::variable(std::string_view name) {
  const auto fresh = static_cast<std::uint32_t>(names_.size());
  const auto [at, added] = name_index_.try_emplace(std::string(name), fresh);
  if (added) names_.emplace_back(name);
  Node node{Op::variable};
  node.index = at->second;
  return intern(node, {});
}

Expression Graph::apply(Op op, Expression a, Expression b, Expression c) {
  assert(arity(op) == int(bool(a)) + int(bool(b)) + int(bool(c)));
  assert(a.graph == this && (!b || b.graph == this) && (!c || c.graph == this));
  if (const Expression known = simplify(op, a, b, c)) return known;
  const std::array<Id, 3> all = {a.id, b.id, c.id};
  const std::span args(all.data(), static_cast<std::size_t>(arity(op)));
  Node node{op};
  node.may_be_negative_zero = may_be_negative_zero(*this, op, args);
  return intern(node, args);
}

Expression Graph::call(std::shared_ptr<const Function> function, std::span<const Expression> args,
                       const Partial& partial, std::uint32_t result) {
  assert(args.size() == static_cast<std::size_t>(function->arity));
  assert(function->arity >= 1 && function->arity <= kMostArguments);
  assert(result < n_results(*function));
  Call call{std::move(function), partial, result};
  call.partial.resize(args.size());
  const auto at = std::find(calls_.begin(), calls_.end(), call);
  Node node{Op::call};
  node.index = static_cast<std::uint32_t>(at - calls_.begin());
  if (at == calls_.end()) calls_.push_back(std::move(call));
  std::vector<Id> ids;
  for (const Expression& arg : args) ids.push_back(arg.id);
  return intern(node, ids);
}

// By what is reached, not by the size of the graph.
std::vector<Id> reachable(const Graph& graph, std::span<const Expression> roots) {
  std::vector<Id> out, open;
  std::unordered_set<Id> seen;
  for (const Expression& root : roots) open.push_back(root.id);
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    out.push_back(id);
    for (const Id arg : graph.args(id)) open.push_back(arg);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool depends(Expression e, Expression variable) {
  const std::vector<Id> all = reachable(*e.graph, std::span(&e, 1));
  return std::binary_search(all.begin(), all.end(), variable.id);
}

bool is_constant(Expression e) { return e.graph->node(e.id).op == Op::constant; }
double constant_value(Expression e) { return e.graph->node(e.id).value; }

}  // namespace trammel::expr

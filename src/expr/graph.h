#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "expr/function.h"
#include "expr/op.h"

namespace trammel::expr {

class Graph;
using Id = std::uint32_t;

/// A handle of a node; valid as long as its graph. Handles of one graph are equal when the
/// expressions are the same, as written and simplified.
struct Expression {
  Graph* graph = nullptr;
  Id id = 0;

  explicit operator bool() const { return graph != nullptr; }
  friend bool operator==(const Expression&, const Expression&) = default;
};

/// The graph has as many nodes as it may have.
struct GraphFull : std::length_error {
  using std::length_error::length_error;
};

struct Node {
  Op op = Op::constant;
  bool may_be_negative_zero = true;
  std::uint32_t n_args = 0, first = 0;  // its arguments among all arguments
  std::uint32_t index = 0;              // of the variable's name, of the call
  double value = 0;                     // of a constant
};

/// Expressions as a graph in which every node is there once; arguments come before what they serve,
/// so ids are an order of evaluation. Nodes are simplified when made, by rules that keep every
/// result bit for bit (docs/theory/expressions.md). Not for several threads at once.
class Graph {
 public:
  explicit Graph(std::size_t most_nodes = 100'000) : limit_(most_nodes) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Expression constant(double value);
  Expression variable(std::string_view name);
  /// As many arguments as the operation has.
  Expression apply(Op op, Expression a, Expression b = {}, Expression c = {});
  /// A function from outside, or its partial derivative; one of its numbers.
  Expression call(std::shared_ptr<const Function> function, std::span<const Expression> args,
                  const Partial& partial = {}, std::uint32_t result = 0);

  std::size_t size() const { return nodes_.size(); }
  const Node& node(Id id) const { return nodes_[id]; }
  std::span<const Id> args(Id id) const {
    return std::span(args_).subspan(nodes_[id].first, nodes_[id].n_args);
  }
  Expression arg(Expression e, std::size_t i) { return {this, args(e.id)[i]}; }
  const std::string& name(Id variable) const { return names_[nodes_[variable].index]; }
  const Call& call_of(Id call) const { return calls_[nodes_[call].index]; }

 private:
  struct Hash {
    const Graph* graph;
    std::size_t operator()(Id id) const;
  };
  struct Same {
    const Graph* graph;
    bool operator()(Id a, Id b) const;
  };

  Expression intern(Node node, std::span<const Id> args);

  std::vector<Node> nodes_;
  std::vector<Id> args_;
  std::vector<std::string> names_;
  std::vector<Call> calls_;
  std::unordered_set<Id, Hash, Same> known_{64, Hash{this}, Same{this}};
  std::unordered_map<std::string, std::uint32_t> name_index_;
  std::size_t limit_;
};

/// The ids that the expressions are made of, themselves included, in order of evaluation.
std::vector<Id> reachable(const Graph& graph, std::span<const Expression> roots);

/// Returns true where the expression contains the variable.
bool depends(Expression e, Expression variable);

bool is_constant(Expression e);
/// Of a constant.
double constant_value(Expression e);

}  // namespace trammel::expr

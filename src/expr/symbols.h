#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "expr/dimensions.h"
#include "expr/function.h"
#include "expr/graph.h"
#include "expr/points.h"

namespace trammel::expr {

/// Holds what the names in a text mean, beside those of the language. Every declaration returns
/// what is wrong with it, or nothing.
class Symbols {
 public:
  explicit Symbols(Graph& graph) : graph_(&graph) {}

  /// A variable of the graph. Without a dimension what depends on it is not checked.
  std::string variable(const std::string& name, MaybeDimension dimension = {});
  /// A name for an expression: a constant, or what is used more than once.
  std::string define(const std::string& name, Expression value, MaybeDimension dimension = {});
  std::string function(Function function);
  /// Data for table(x, name) and spline(x, name).
  std::string points(const std::string& name, const Points& points);

  /// Takes over the names that another one has, of values the constant ones, and returns them.
  std::set<std::string> inherit(const Symbols& other);
  /// A name that has a meaning, but not in these texts: what to say of it. Defined, it has one.
  void refuse(const std::string& name, std::string why) { refused_[name] = std::move(why); }
  /// Leaves a name free again.
  void forget(const std::string& name);

  struct Value {
    Expression expression;
    MaybeDimension dimension;
  };
  struct Data {
    std::shared_ptr<const Function> table, spline;
  };

  Graph& graph() const { return *graph_; }
  const Value* find_value(std::string_view name) const;
  const Data* find_points(std::string_view name) const;
  std::shared_ptr<const Function> find_function(std::string_view name) const;  // may be null
  const std::string* find_refused(std::string_view name) const;
  std::vector<std::string> value_names() const;
  std::vector<std::string> function_names() const;
  std::vector<std::string> point_names() const;

 private:
  std::string complaint_name(const std::string& name) const;

  Graph* graph_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string, std::shared_ptr<const Function>, std::less<>> functions_;
  std::map<std::string, Data, std::less<>> points_;
  std::map<std::string, std::string, std::less<>> refused_;
};

}  // namespace trammel::expr

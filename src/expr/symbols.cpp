#include "expr/symbols.h"

#include <fmt/format.h>

#include "expr/builtins.h"
#include "expr/lexer.h"

namespace trammel::expr {

namespace {

template <class Map>
std::vector<std::string> names(const Map& map) {
  std::vector<std::string> out;
  for (const auto& [name, value] : map) out.push_back(name);
  return out;
}

}  // namespace

std::string Symbols::complaint_name(const std::string& name) const {
  if (is_reserved(name)) return fmt::format("'{}' is a word of the language of expressions", name);
  if (!is_name(name) && !is_quoted_name(name))
    return fmt::format("'{}' is no name: letters, digits and '_', not a digit first", name);
  if (values_.contains(name) || functions_.contains(name) || points_.contains(name))
    return fmt::format("'{}' is declared already", name);
  return "";
}

std::string Symbols::variable(const std::string& name, MaybeDimension dimension) {
  if (std::string wrong = complaint_name(name); !wrong.empty()) return wrong;
  try {
    values_[name] = {graph_->variable(name), dimension};
  } catch (const GraphFull& full) {
    return full.what();
  }
  return "";
}

std::string Symbols::define(const std::string& name, Expression value, MaybeDimension dimension) {
  if (std::string wrong = complaint_name(name); !wrong.empty()) return wrong;
  values_[name] = {value, dimension};
  return "";
}

std::string Symbols::function(Function f) {
  if (std::string wrong = complaint_name(f.name); !wrong.empty()) return wrong;
  if (f.arity < 1 || f.arity > kMostArguments)
    return fmt::format("'{}' has {} arguments, 1 to {} are possible", f.name, f.arity,
                       kMostArguments);
  if (f.order < 0 || f.order > kHighestOrder)
    return fmt::format("'{}' gives derivatives to order {}, 0 to {} are possible", f.name, f.order,
                       kHighestOrder);
  if (jet_size(f.arity, f.order) > kLargestJet)
    return fmt::format("'{}' has {} derivatives to order {}, at most {} are possible", f.name,
                       jet_size(f.arity, f.order), f.order, kLargestJet);
  if (!f.jet) return fmt::format("'{}' has no function", f.name);
  f.arguments.resize(static_cast<std::size_t>(f.arity));
  f.data.clear();
  functions_[f.name] = std::make_shared<const Function>(f);
  return "";
}

std::string Symbols::points(const std::string& name, const Points& data) {
  if (std::string wrong = complaint_name(name); !wrong.empty()) return wrong;
  if (std::string wrong = complaint(data); !wrong.empty())
    return fmt::format("'{}': {}", name, wrong);
  points_[name] = {table(name, data), spline(name, data)};
  return "";
}

std::set<std::string> Symbols::inherit(const Symbols& other) {
  for (const auto& [name, value] : other.values_)
    if (is_constant(value.expression))
      values_[name] = {graph_->constant(constant_value(value.expression)), value.dimension};
  functions_.insert(other.functions_.begin(), other.functions_.end());
  points_.insert(other.points_.begin(), other.points_.end());
  std::set<std::string> out;
  for (const auto& list : {value_names(), function_names(), point_names()})
    out.insert(list.begin(), list.end());
  return out;
}

void Symbols::forget(const std::string& name) {
  values_.erase(name);
  functions_.erase(name);
  points_.erase(name);
}

const Symbols::Value* Symbols::find_value(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? nullptr : &at->second;
}

const Symbols::Data* Symbols::find_points(std::string_view name) const {
  const auto at = points_.find(name);
  return at == points_.end() ? nullptr : &at->second;
}

std::shared_ptr<const Function> Symbols::find_function(std::string_view name) const {
  const auto at = functions_.find(name);
  return at == functions_.end() ? nullptr : at->second;
}

const std::string* Symbols::find_refused(std::string_view name) const {
  const auto at = refused_.find(name);
  return at == refused_.end() ? nullptr : &at->second;
}

std::vector<std::string> Symbols::value_names() const { return names(values_); }
std::vector<std::string> Symbols::function_names() const { return names(functions_); }
std::vector<std::string> Symbols::point_names() const { return names(points_); }

}  // namespace trammel::expr

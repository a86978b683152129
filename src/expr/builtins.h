#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/dimensions.h"
#include "expr/graph.h"

/// The functions and constants of the language.
namespace trammel::expr {

struct Builtin {
  std::string_view name;
  std::size_t least, most;  // arguments
  Rule rule;                // of the arguments that are numbers
  bool chooses = false;     // arguments are condition, value, condition, value, ..., otherwise
  Expression (*make)(std::span<const Expression> args) = nullptr;  // null: apply(op)
  Op op = Op::call;

  Expression operator()(std::span<const Expression> args) const;
};

/// Null where there is none.
const Builtin* find_builtin(std::string_view name);
std::optional<double> find_constant(std::string_view name);
/// A word that cannot be declared.
bool is_reserved(std::string_view name);

std::vector<std::string> builtin_names();  // of functions, table and spline among them
std::vector<std::string> constant_names();

/// Returns what is wrong with so many arguments, or nothing.
std::string complaint_arity(const Builtin& builtin, std::size_t n);
/// Returns what is wrong with these constants (clamp with lo > hi), or nothing.
std::string complaint_values(const Builtin& builtin, std::span<const Expression> args);

}  // namespace trammel::expr

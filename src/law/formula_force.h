#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "expr/graph.h"
#include "law/law.h"

/// Forces written as expressions.
namespace trammel::law {

/// The function, or why there is none.
struct FormulaForce {
  std::shared_ptr<const ForceFunction> function;
  std::string error;
  std::optional<double> constant = {};  // what it is, whatever x, v and t are
};

/// f(x, v, t) of an expression whose variables are x, v, t and then those that the names in `live`
/// stand for (ForceFunction::live), at most kMostLive.
FormulaForce formula_force(expr::Expression f, std::span<const expr::Expression> variables,
                           std::vector<std::string> live = {});

}  // namespace trammel::law

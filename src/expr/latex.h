#pragma once

#include <string>

#include "expr/graph.h"

namespace trammel::expr {

/// The expression in LaTeX's mathematics. Names of Greek letters become these, digits at the end of
/// a name its index, primes dots: theta1' is \dot{\theta}_{1}.
std::string to_latex(Expression e);
std::string name_in_latex(const std::string& name);

}  // namespace trammel::expr

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expr/symbols.h"

namespace trammel::expr {

/// The names in a text that are neither units, nor functions, nor constants, nor known, each once,
/// as they are written there.
std::vector<std::string> free_names(std::string_view text, const Symbols& known);

/// A name without the backquotes around it.
inline std::string_view bare(std::string_view name) {
  return name.starts_with('`') && name.size() > 2 ? name.substr(1, name.size() - 2) : name;
}
/// A name as texts write it: between backquotes where it has other letters than names have.
std::string written(const std::string& name);

}  // namespace trammel::expr

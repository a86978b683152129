#pragma once

#include <map>
#include <memory>
#include <string>

#include "expr/graph.h"
#include "expr/symbols.h"

namespace trammel::sim {

/// What names mean in a formula beside channels: constants, data of tables, functions.
struct Known {
  expr::Graph graph{1'000'000};
  expr::Symbols symbols{graph};
};

/// A number that follows from the channels of a run (`trammel channels`) and the time t, as an
/// expression (docs/expressions.md): "slide.travel - 0.2", "max(front.force, rear.force)".
struct Formula {
  std::string text, path = {};
  std::map<std::string, std::string> names = {};  // channels by what the text calls them, if other
  std::shared_ptr<const Known> known = {};        // null: no more than the language has
};

}  // namespace trammel::sim

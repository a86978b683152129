#pragma once

#include "math/forest.h"
#include "solve/graph.h"

namespace trammel::solve {

/// The blocks that rows tie together: mechanisms.
Forest tied_blocks(const Graph& graph);

}  // namespace trammel::solve

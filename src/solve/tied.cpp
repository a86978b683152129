#include "solve/tied.h"

#include "math/index.h"

namespace trammel::solve {

Forest tied_blocks(const Graph& graph) {
  Forest out(graph.blocks.size());
  for (const Graph::Group& g : graph.groups)
    for (int e = g.end + 1; e < g.end + g.n_ends; ++e)
      out.unite(graph.ends[at(g.end)].block, graph.ends[at(e)].block);
  return out;
}

}  // namespace trammel::solve

#include "solve/graph.h"

#include <cassert>

#include "math/forest.h"
#include "math/index.h"

namespace trammel::solve {

int Graph::add_block(int n, MassForm form) {
  analyses.reset();
  assert(n > 0 && (form != MassForm::split || n == 6 || n == 12));
  const bool body = form == MassForm::split || n == 12 || (form == MassForm::unit && n == 6);
  blocks.push_back({n, form, mass_size, body});
  u_offset.push_back(n_u);
  first_end.push_back(-1);
  last_end.push_back(-1);
  n_u += n;
  mass_size += form == MassForm::split ? 10 : form == MassForm::unit ? 0 : n * n;
  return static_cast<int>(blocks.size()) - 1;
}

int Graph::add_group(int m, std::span<const int> blocks_touched) {
  analyses.reset();
  assert(m >= 1 && m <= 6);
  const int n_ends = static_cast<int>(blocks_touched.size());
  groups.push_back({m, n_rows, static_cast<int>(ends.size()), n_ends, n_ends < 2});
  n_rows += m;
  for (const int b : blocks_touched) {
    const auto i = static_cast<std::size_t>(b);
    const int end = static_cast<int>(ends.size());
    (last_end[i] < 0 ? first_end[i] : next_end[static_cast<std::size_t>(last_end[i])]) = end;
    last_end[i] = end;
    next_end.push_back(-1);
    ends.push_back({b, J_size, m, groups.back().row, blocks[i].n, u_offset[i]});
    J_size += m * blocks[i].n;
  }
  return static_cast<int>(groups.size()) - 1;
}

bool has_loops(const Graph& graph) {
  Forest sets(graph.blocks.size() + 1);
  const int ground = static_cast<int>(graph.blocks.size());
  for (const Graph::Group& g : graph.groups) {
    int last = g.grounded ? sets.root(ground) : -1;
    for (int e = g.end; e < g.end + g.n_ends; ++e) {
      const int next = sets.root(graph.ends[at(e)].block);
      if (next == last) return true;
      if (last >= 0) sets.unite(last, next);
      last = sets.root(next);
    }
  }
  return false;
}

}  // namespace trammel::solve

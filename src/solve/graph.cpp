#include "solve/graph.h"

#include <cassert>

namespace trammel::solve {

int Graph::add_block(int n, MassForm form) {
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

}  // namespace trammel::solve

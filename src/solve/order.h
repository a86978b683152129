#pragma once

#include <vector>

#include "solve/graph.h"

namespace trammel::solve {

/// The order of elimination. Nodes are the groups (0 .. n_groups - 1) and, after them, the hubs.
struct Order {
  std::vector<int> hubs;      // blocks with more groups than hub_degree: nodes of their own
  std::vector<int> hub_node;  // of a block: its node, -1 where it is no hub
  std::vector<int> node;      // in the order of elimination
};

/// Free groups, then hubs, then late groups, each phase in a fill-reducing order.
///
/// Hubs stay in the matrix as [S B; B^T -I], where S lacks what acts through hubs. S of a part of
/// the graph that hangs on one hub alone is as regular as the whole: a row annihilates common rigid
/// motion, so rows that depend on each other without the hub do so with it. That fails for parts
/// held by two hubs, or by a hub and the ground: their groups come after the hubs.
Order find_order(const Graph& graph, int hub_degree);

}  // namespace trammel::solve

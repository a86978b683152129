#include "solve/order.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>

#include "math/forest.h"
#include "math/index.h"

namespace trammel::solve {
namespace {

/// The groups at each block, flat: those of block b are group[start[b]] .. group[start[b + 1]].
struct Incidence {
  std::vector<int> start, group;
};

Incidence groups_of_blocks(const Graph& graph) {
  Incidence s;
  s.start.assign(graph.blocks.size() + 1, 0);
  s.group.resize(graph.ends.size());
  for (const auto& e : graph.ends) ++s.start[at(e.block) + 1];
  std::partial_sum(s.start.begin(), s.start.end(), s.start.begin());
  std::vector<int> next(s.start.begin(), s.start.end() - 1);
  for (std::size_t g = 0; g < graph.groups.size(); ++g)
    for (int e = graph.groups[g].end; e < graph.groups[g].end + graph.groups[g].n_ends; ++e)
      s.group[at(next[at(graph.ends[at(e)].block)]++)] = static_cast<int>(g);
  return s;
}

/// The hub that a component hangs on, hubs apart from the rest: none, the ground, or several.
constexpr int kNone = -1, kGround = -2, kSeveral = -3;

int both(int a, int b) { return a == kNone || a == b ? b : b == kNone ? a : kSeveral; }

/// For each group: does its component have two anchors or more, one of them a hub?
std::vector<char> find_late(const Graph& graph, const Incidence& at_block, const Order& order) {
  const std::size_t n = graph.groups.size();
  Forest parts(n);
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    if (order.hub_node[b] < 0)
      for (int k = at_block.start[b] + 1; k < at_block.start[b + 1]; ++k)
        parts.unite(at_block.group[at(k)], at_block.group[at(at_block.start[b])]);
  std::vector<int> anchor(n, kNone);
  std::vector<char> on_hub(n, 0), late(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& g = graph.groups[i];
    const std::size_t c = at(parts.root(static_cast<int>(i)));
    bool alone = true;
    if (g.grounded) anchor[c] = both(anchor[c], kGround);
    for (int e = g.end; e < g.end + g.n_ends; ++e) {
      const int b = graph.ends[at(e)].block;
      if (!graph.blocks[at(b)].moves_freely) anchor[c] = both(anchor[c], kGround);
      if (order.hub_node[at(b)] < 0)
        alone = false;
      else
        anchor[c] = both(anchor[c], b), on_hub[c] = 1;
    }
    if (alone) anchor[c] = kSeveral;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t c = at(parts.root(static_cast<int>(i)));
    late[i] = on_hub[c] && anchor[c] == kSeveral;
  }
  return late;
}

/// Appends those groups whose `late` is `phase`, by approximate minimum degree on their graph; the
/// groups at a block are a clique, those at a hub only once the hub is eliminated.
void append_phase(const Incidence& at_block, const std::vector<char>& late, char phase,
                  Order& order) {
  std::vector<int> member, index(late.size(), -1);
  for (std::size_t i = 0; i < late.size(); ++i)
    if (late[i] == phase) {
      index[i] = static_cast<int>(member.size());
      member.push_back(static_cast<int>(i));
    }
  const int n = static_cast<int>(member.size());
  if (!n) return;
  std::vector<Eigen::Triplet<double, int>> links;
  for (int i = 0; i < n; ++i) links.emplace_back(i, i, 1.);  // Eigen leaves out nodes without
  std::vector<int> clique;
  for (std::size_t b = 0; b + 1 < at_block.start.size(); ++b) {
    if (order.hub_node[b] >= 0 && !phase) continue;
    clique.clear();
    for (int k = at_block.start[b]; k < at_block.start[b + 1]; ++k)
      if (const int i = index[at(at_block.group[at(k)])]; i >= 0) clique.push_back(i);
    for (const int i : clique)
      for (const int j : clique)
        if (i != j) links.emplace_back(i, j, 1.);
  }
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(links.begin(), links.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> by_degree;
  Eigen::AMDOrdering<int>()(graph, by_degree);
  for (int i = 0; i < n; ++i) order.node.push_back(member[at(by_degree.indices()[i])]);
}

}  // namespace

Order find_order(const Graph& graph, int hub_degree) {
  Order order;
  const auto at_block = groups_of_blocks(graph);
  order.hub_node.assign(graph.blocks.size(), -1);
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    if (at_block.start[b + 1] - at_block.start[b] > hub_degree) {
      order.hub_node[b] = static_cast<int>(graph.groups.size() + order.hubs.size());
      order.hubs.push_back(static_cast<int>(b));
    }
  const auto late = find_late(graph, at_block, order);
  append_phase(at_block, late, 0, order);
  for (const int b : order.hubs) order.node.push_back(order.hub_node[at(b)]);
  append_phase(at_block, late, 1, order);
  return order;
}

}  // namespace trammel::solve

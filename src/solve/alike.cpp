#include "solve/alike.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "math/forest.h"
#include "math/index.h"
#include "solve/order.h"

namespace trammel::solve {
namespace {

constexpr int kMostGroups = 64;          // of an island in lanes
constexpr int kMostInLanes = 16;         // of its blocks
constexpr int kFewest = kAlike / 4 + 1;  // islands in a batch: fewer are quicker alone

/// Islands as lists of their groups, in the order of the groups.
struct Islands {
  std::vector<int> start, group;
};

Islands find_islands(const Graph& graph) {
  const std::size_t n = graph.groups.size();
  Forest sets(n);
  std::vector<int> met(graph.blocks.size(), -1);
  for (std::size_t g = 0; g < n; ++g)
    for (int e = graph.groups[g].end; e < graph.groups[g].end + graph.groups[g].n_ends; ++e) {
      int& first = met[at(graph.ends[at(e)].block)];
      if (first < 0) first = static_cast<int>(g);
      sets.unite(first, static_cast<int>(g));
    }
  Islands out;
  std::vector<int> island(n), size;
  for (std::size_t g = 0; g < n; ++g) {
    const int root = sets.root(static_cast<int>(g));
    if (root == static_cast<int>(g)) island[g] = count(size), size.push_back(0);
    ++size[at(island[g] = island[at(root)])];
  }
  out.start.assign(size.size() + 1, 0);
  std::partial_sum(size.begin(), size.end(), out.start.begin() + 1);
  out.group.resize(n);
  std::vector<int> next(out.start.begin(), out.start.end() - 1);
  for (std::size_t g = 0; g < n; ++g) out.group[at(next[at(island[g])]++)] = static_cast<int>(g);
  return out;
}

/// Returns a key that islands which are alike have in common; empty: this one is not for lanes.
/// `local` is scratch of -1, one a block.
std::vector<int> key_of(const Graph& graph, const Order& order, const int* group, int n,
                        std::vector<int>& local) {
  std::vector<int> key;
  if (n > kMostGroups) return key;
  int blocks = 0;
  bool fit = true;
  for (int i = 0; i < n; ++i) {
    const auto& g = graph.groups[at(group[i])];
    key.push_back(g.m);
    key.push_back(g.n_ends);
    for (int e = g.end; e < g.end + g.n_ends; ++e) {
      const int b = graph.ends[at(e)].block;
      const auto& block = graph.blocks[at(b)];
      fit = fit && order.hub_node[at(b)] < 0 && block.n <= kMostInLanes;
      if (local[at(b)] < 0) local[at(b)] = blocks++;
      key.insert(key.end(), {local[at(b)], block.n, static_cast<int>(block.form)});
    }
  }
  for (int i = 0; i < n; ++i) {
    const auto& g = graph.groups[at(group[i])];
    for (int e = g.end; e < g.end + g.n_ends; ++e) local[at(graph.ends[at(e)].block)] = -1;
  }
  if (!fit) key.clear();
  return key;
}

}  // namespace

std::vector<Batch> gather_alike(const Graph& graph, Order& order) {
  std::vector<Batch> out;
  const Islands islands = find_islands(graph);
  if (count(islands.start) <= kFewest) return out;
  std::map<std::vector<int>, std::vector<int>> alike;
  std::vector<int> local(graph.blocks.size(), -1), rank(order.node.size());
  for (int i = 0; i + 1 < count(islands.start); ++i) {
    const int first = islands.start[at(i)], n = islands.start[at(i + 1)] - first;
    const auto key = key_of(graph, order, islands.group.data() + first, n, local);
    if (!key.empty()) alike[key].push_back(i);
  }
  for (std::size_t k = 0; k < rank.size(); ++k) rank[at(order.node[k])] = static_cast<int>(k);
  std::vector<int> node;
  std::vector<char> taken(order.node.size(), 0);
  for (const auto& [key, members] : alike) {
    const int first = islands.start[at(members[0])], n = islands.start[at(members[0] + 1)] - first;
    std::vector<int> in_turn(at(n));
    std::iota(in_turn.begin(), in_turn.end(), 0);
    std::sort(in_turn.begin(), in_turn.end(), [&](int a, int b) {
      return rank[at(islands.group[at(first + a)])] < rank[at(islands.group[at(first + b)])];
    });
    for (int i = 0; i < count(members); i += kAlike) {
      const int lanes = std::min(kAlike, count(members) - i);
      if (lanes < kFewest) break;
      out.push_back({count(node), n, lanes});
      for (int lane = 0; lane < lanes; ++lane)
        for (const int k : in_turn) {
          node.push_back(islands.group[at(islands.start[at(members[at(i + lane)])] + k)]);
          taken[at(node.back())] = 1;
        }
    }
  }
  for (const int k : order.node)
    if (!taken[at(k)]) node.push_back(k);
  order.node = std::move(node);
  return out;
}

}  // namespace trammel::solve

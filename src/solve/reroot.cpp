#include "solve/reroot.h"

#include <algorithm>
#include <numeric>

#include "math/index.h"

namespace trammel::solve {
namespace {

struct Rerooter {
  const Symbolic& s;
  const std::vector<int>& parent;
  const std::vector<char>& movable;
  int n;
  std::vector<double> below;              // cost of a column with all that hangs on it
  std::vector<int> heaviest;              // child, -1: none
  std::vector<int> known;                 // neighbours found so far; -1: found, or of another tree
  std::vector<std::vector<int>> waiting;  // columns by `known`, some more than once
  std::vector<std::size_t> first = {};    // of those still waiting
  std::vector<int> found;

  bool is_root(int k) const {
    return movable[at(k)] && (parent[at(k)] < 0 || !movable[at(parent[at(k)])]);
  }

  void weigh() {
    heaviest.assign(at(n), -1);
    for (int k = 0; k < n; ++k) {
      const int up = parent[at(k)];
      if (up < 0) continue;
      below[at(up)] += below[at(k)];
      int& best = heaviest[at(up)];
      if (best < 0 || below[at(k)] > below[at(best)]) best = k;
    }
  }

  /// The lowest column with more than half of the tree's cost at and below it.
  int centre(int root) const {
    int k = root;
    for (int next = k; next >= 0; next = heaviest[at(k)]) {
      if (below[at(next)] <= below[at(root)] / 2) break;
      k = next;
    }
    return k;
  }

  void find(int k) {
    found.push_back(k);
    known[at(k)] = -1;
    const auto meet = [&](int j) {
      if (known[at(j)] < 0) return;
      const std::size_t met = at(++known[at(j)]);
      if (waiting.size() <= met) waiting.resize(met + 1), first.resize(met + 1, 0);
      waiting[met].push_back(j);
    };
    const auto &c = s.columns[at(k)], &next = s.columns[at(k + 1)];
    for (int r = c.row + 1; r < next.row; ++r) meet(s.rows[at(r)].column);
    for (int l = c.link; l < next.link; ++l) meet(s.links[at(l)].column);
  }

  /// From the centre and its later neighbours, a clique, outwards.
  void search(int middle) {
    find(middle);
    const auto &c = s.columns[at(middle)], &next = s.columns[at(middle + 1)];
    for (int r = c.row + 1; r < next.row; ++r)
      if (const int j = s.rows[at(r)].column; known[at(j)] >= 0) find(j);
    for (std::size_t most = waiting.size(); most-- > 0;) {
      while (first[most] < waiting[most].size()) {
        const int k = waiting[most][first[most]++];
        if (known[at(k)] != static_cast<int>(most)) continue;
        find(k);
        most = waiting.size() - 1;
      }
    }
  }
};

}  // namespace

std::vector<int> reroot(const Symbolic& symbolic, const std::vector<int>& parent,
                        const std::vector<double>& cost, const std::vector<char>& movable,
                        double least) {
  const int n = count(parent);
  Rerooter r{symbolic, parent, movable, n, cost, {}, std::vector<int>(at(n), -1), {}, {}, {}};
  r.weigh();
  std::vector<int> root(at(n), -1);  // of the tree of a column that is to change
  for (int k = n - 1; k >= 0; --k) {
    if (r.is_root(k))
      root[at(k)] = r.below[at(k)] >= least ? k : -1;
    else if (movable[at(k)])
      root[at(k)] = root[at(parent[at(k)])];
  }
  std::vector<std::vector<int>> orders;
  std::vector<int> index(at(n), -1);
  std::vector<std::vector<int>> member;
  for (int k = 0; k < n; ++k) {
    if (root[at(k)] < 0) continue;
    int& i = index[at(root[at(k)])];
    if (i < 0) i = count(member), member.emplace_back();
    member[at(i)].push_back(k);
  }
  std::vector<int> order(at(n));
  std::iota(order.begin(), order.end(), 0);
  for (const auto& columns : member) {  // the places of a tree's columns stay those of the tree
    for (const int k : columns) r.known[at(k)] = 0;
    r.waiting.clear();
    r.first.clear();
    r.found.clear();
    r.search(r.centre(columns.back()));
    for (std::size_t i = 0; i < columns.size(); ++i)
      order[at(columns[i])] = r.found[columns.size() - 1 - i];
  }
  return order;
}

}  // namespace trammel::solve

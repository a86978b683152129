#include "solve/tasks.h"

#include <algorithm>

#include "math/index.h"

namespace trammel::solve {
namespace {

struct Splitter {
  const std::vector<int>& parent;
  double grain;
  int n;
  std::vector<double> below;            // cost of a column with all that hangs on it
  std::vector<int> child, sibling, of;  // of: the task of a column, -1: its parent's
  std::vector<int> up;                  // of a task: its parent task, -1: none yet
  Tasks out;

  Splitter(const std::vector<int>& p, const std::vector<double>& cost, double g)
      : parent(p), grain(g), n(count(p)), below(cost), child(at(n + 1), -1), sibling(at(n), -1) {
    of.assign(at(n), -1);
    for (int k = 0; k < n; ++k)
      if (parent[at(k)] >= 0) below[at(parent[at(k)])] += below[at(k)];
    for (int k = n - 1; k >= 0; --k) {  // n stands for the root of all roots
      int& first = child[at(parent[at(k)] < 0 ? n : parent[at(k)])];
      sibling[at(k)] = first;
      first = k;
    }
  }

  bool heavy(int k) const { return below[at(k)] >= grain; }
  int new_task() {
    up.push_back(-1);
    return count(up) - 1;
  }

  /// The task of column k (n: none, what waits for all) above those of its heavy children. Where
  /// only one is heavy it goes on with that one's, as the two could not run at once.
  int task_at(int k) {
    int heavies = 0, only = -1;
    double light = 0;
    for (int c = child[at(k)]; c >= 0; c = sibling[at(c)])
      if (heavy(c))
        ++heavies, only = of[at(c)];
      else
        light += below[at(c)];
    const bool share_light = light >= 2 * grain || (heavies > 0 && light >= grain);
    if (heavies == 1 && !share_light) return only;
    if (heavies == 0 && !share_light) return new_task();
    if (share_light) bin_light(k);
    const int task = new_task();
    for (int c = child[at(k)]; c >= 0; c = sibling[at(c)])
      if (of[at(c)] >= 0) up[at(of[at(c)])] = task;
    return task;
  }

  /// Light children of k in tasks of about one grain each.
  void bin_light(int k) {
    double full = grain;
    for (int c = child[at(k)]; c >= 0; c = sibling[at(c)]) {
      if (heavy(c)) continue;
      if (full >= grain) new_task(), full = 0;
      of[at(c)] = count(up) - 1;
      full += below[at(c)];
    }
  }

  void number() {
    for (int k = n - 1; k >= 0; --k)
      if (of[at(k)] < 0) of[at(k)] = parent[at(k)] < 0 ? count(up) - 1 : of[at(parent[at(k)])];
    std::vector<int> next(up.size() + 1, 0);
    for (int k = 0; k < n; ++k) ++next[at(of[at(k)] + 1)];
    for (std::size_t t = 1; t < next.size(); ++t) next[t] += next[t - 1];
    for (std::size_t t = 0; t < up.size(); ++t) out.tasks.push_back({next[t], next[t + 1], 0, 0});
    out.order.resize(at(n));
    for (int k = 0; k < n; ++k) out.order[at(next[at(of[at(k)])]++)] = k;
  }

  void list_children() {
    for (const int u : up)
      if (u >= 0) ++out.tasks[at(u)].n_children;
    int first = 0;
    for (auto& t : out.tasks) t.child = first, first += t.n_children;
    out.children.resize(at(first));
    std::vector<int> next;
    for (const auto& t : out.tasks) next.push_back(t.child);
    for (int t = 0; t < count(up); ++t)
      if (up[at(t)] >= 0) out.children[at(next[at(up[at(t)])]++)] = t;
  }
};

}  // namespace

Tasks split_tree(const std::vector<int>& parent, const std::vector<double>& cost, double grain) {
  Splitter s(parent, cost, grain);
  for (int k = 0; k < s.n; ++k)
    if (s.heavy(k)) s.of[at(k)] = s.task_at(k);
  s.task_at(s.n);
  s.number();
  s.list_children();
  return std::move(s.out);
}

double longest_way(const std::vector<int>& parent, const std::vector<double>& cost) {
  std::vector<double> way(cost);
  double longest = 0;
  for (std::size_t k = 0; k < way.size(); ++k) {
    longest = std::max(longest, way[k]);
    if (const int up = parent[k]; up >= 0)
      way[at(up)] = std::max(way[at(up)], cost[at(up)] + way[k]);
  }
  return longest;
}

}  // namespace trammel::solve

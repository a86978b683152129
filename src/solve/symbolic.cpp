#include "solve/symbolic.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "math/index.h"
#include "solve/kernels.h"
#include "solve/order.h"
#include "solve/reroot.h"

namespace trammel::solve {
namespace {

struct Builder {
  const Graph& graph;
  Order order;
  int n;                            // columns
  std::vector<int> place;           // of a node: its column
  std::vector<int> end_group;       // of an end: its group
  std::vector<int> start, ends_at;  // ends at each block, by the column of their group
  int in_batches;                   // columns
  std::vector<char> begins;         // an island of a batch with this column, or what is left
  Symbolic out;

  Builder(const Graph& g, Order o, const std::vector<Batch>& batches)
      : graph(g), order(std::move(o)), n(count(order.node)) {
    out.batches = batches;
    in_batches =
        batches.empty() ? 0 : batches.back().first + batches.back().n * batches.back().lanes;
    begins.assign(at(in_batches + 1), 0);
    begins[at(in_batches)] = in_batches > 0;
    for (const Batch& b : batches)
      for (int lane = 0; lane < b.lanes; ++lane) begins[at(b.first + lane * b.n)] = 1;
    place_nodes();
    list_ends();
    fill_rows();
    fill_links();
  }

  int groups() const { return count(graph.groups); }
  int column_of_hub(int block) const { return place[at(order.hub_node[at(block)])]; }

  void place_nodes() {
    place.resize(at(n));
    for (int k = 0; k < n; ++k) place[at(order.node[at(k)])] = k;
    out.columns.resize(at(n + 1));
    for (const int b : order.hubs) {
      const int size = graph.blocks[at(b)].n;
      out.hubs.push_back({b, size, out.roots});
      out.roots += size * size;
    }
    for (int k = 0; k < n; ++k) {
      auto& c = out.columns[at(k)];
      const int node = order.node[at(k)], hub = node - groups();
      if (hub < 0) {
        const auto& g = graph.groups[at(node)];
        c.m = g.m, c.x = g.row, c.hub = -1;
      } else {
        c.m = out.hubs[at(hub)].n, c.x = -1, c.hub = hub;
      }
      if (k <= in_batches && begins[at(k)]) out.n_y = 0;
      const int lanes = k < in_batches ? 1 : kernel::lanes(c.m);
      c.y = (out.n_y + lanes - 1) / lanes * lanes;
      out.n_y = c.y + (k < in_batches ? c.m : lanes);
      out.widest = std::max(out.widest, c.m);
    }
  }

  void list_ends() {
    start.assign(graph.blocks.size() + 1, 0);
    for (const auto& e : graph.ends) ++start[at(e.block) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    ends_at.resize(graph.ends.size());
    end_group.resize(graph.ends.size());
    std::vector<int> next(start.begin(), start.end() - 1);
    for (int k = 0; k < n; ++k) {
      const int node = order.node[at(k)];
      if (node >= groups()) continue;
      const auto& g = graph.groups[at(node)];
      for (int e = g.end; e < g.end + g.n_ends; ++e) {
        end_group[at(e)] = node;
        ends_at[at(next[at(graph.ends[at(e)].block)]++)] = e;
      }
    }
  }

  /// Columns that share a block (or couple to a hub) with column k and come after it.
  template <class F>
  void for_later_neighbours(int k, F f) const {
    const int node = order.node[at(k)];
    const auto visit_block = [&](int b) {
      for (int i = start[at(b)]; i < start[at(b) + 1]; ++i)
        if (const int j = place[at(end_group[at(ends_at[at(i)])])]; j > k) f(j);
    };
    if (node >= groups()) return visit_block(order.hubs[at(node - groups())]);
    const auto& g = graph.groups[at(node)];
    for (int e = g.end; e < g.end + g.n_ends; ++e) {
      const int b = graph.ends[at(e)].block;
      if (order.hub_node[at(b)] < 0)
        visit_block(b);
      else if (const int j = column_of_hub(b); j > k)
        f(j);
    }
  }

  /// Structure of the columns: that of S, and what the columns hanging on it in the elimination
  /// tree leave behind.
  void fill_rows() {
    std::vector<int> mark(at(n), -1), child(at(n), -1), sibling(at(n), -1), found;
    for (int k = 0; k < n; ++k) {
      found.clear();
      mark[at(k)] = k;
      const auto add = [&](int j) {
        if (j > k && mark[at(j)] != k) mark[at(j)] = k, found.push_back(j);
      };
      for_later_neighbours(k, add);
      for (int c = child[at(k)]; c >= 0; c = sibling[at(c)])
        for (int r = out.columns[at(c)].row; r < out.columns[at(c + 1)].row; ++r)
          add(out.rows[at(r)].column);
      std::sort(found.begin(), found.end());
      if (!found.empty()) {
        sibling[at(k)] = child[at(found[0])];
        child[at(found[0])] = k;
      }
      append_column(k, found);
    }
  }

  void append_column(int k, const std::vector<int>& below) {
    auto& c = out.columns[at(k)];
    c.row = count(out.rows);
    int height = 0;
    const auto append = [&](int j) {
      const auto& r = out.columns[at(j)];
      out.rows.push_back({j, r.m, r.y, height});
      height += r.m;
    };
    append(k);
    for (const int j : below) append(j);
    out.columns[at(k + 1)].row = count(out.rows);
    c.height = height;
    const bool batched = k < in_batches;
    const long long block = batched ? c.m * (c.m + 1) / 2 : c.m * c.m;
    out.columns[at(k + 1)].value =
        batched && begins[at(k + 1)] ? 0 : c.value + 2ll * (height - c.m) * c.m + block;
    out.tallest = std::max(out.tallest, height);
  }

  void fill_links() {
    std::vector<int> next(at(n + 1), 0);
    for (const auto& r : out.rows) ++next[at(r.column) + 1];
    for (int k = 0; k < n; ++k) next[at(k + 1)] += next[at(k)] - 1;  // less the diagonal block
    for (int k = 0; k <= n; ++k) out.columns[at(k)].link = next[at(k)];
    out.links.resize(at(next[at(n)]));
    for (int k = 0; k < n; ++k)
      for (int r = out.columns[at(k)].row + 1; r < out.columns[at(k + 1)].row; ++r)
        out.links[at(next[at(out.rows[at(r)].column)]++)] = {k, r};
  }

  void fill_own() {
    std::vector<int> block_at(at(n), -1);
    for (int k = 0; k < n; ++k) {
      out.columns[at(k)].own = count(out.own);
      for (int r = out.columns[at(k)].row; r < out.columns[at(k + 1)].row; ++r)
        block_at[at(out.rows[at(r)].column)] = out.rows[at(r)].at;
      if (const int node = order.node[at(k)]; node < groups())
        own_of_group(k, graph.groups[at(node)], block_at);
      else
        own_of_hub(k, node - groups(), block_at);
    }
    out.columns[at(n)].own = count(out.own);
    out.own.push_back({0, 0, 0, -1, count(out.targets), MassForm::dense});
  }

  void own_of_group(int k, const Graph::Group& g, const std::vector<int>& block_at) {
    for (int e = g.end; e < g.end + g.n_ends; ++e) {
      const auto& end = graph.ends[at(e)];
      const auto& block = graph.blocks[at(end.block)];
      const int hub = order.hub_node[at(end.block)];
      out.own.push_back({end.J, block.mass, block.n, hub < 0 ? -1 : hub - groups(),
                         count(out.targets), block.form});
      if (hub >= 0) {
        if (const int j = place[at(hub)]; j > k)
          out.targets.push_back({end.J, block.n, block_at[at(j)]});
        continue;
      }
      for (int i = start[at(end.block)]; i < start[at(end.block) + 1]; ++i) {
        const int other = ends_at[at(i)], j = place[at(end_group[at(other)])];
        if (j >= k)
          out.targets.push_back(
              {graph.ends[at(other)].J, graph.groups[at(end_group[at(other)])].m, block_at[at(j)]});
      }
    }
  }

  void own_of_hub(int k, int hub, const std::vector<int>& block_at) {
    const int b = out.hubs[at(hub)].block;
    out.own.push_back({0, 0, out.hubs[at(hub)].n, hub, count(out.targets), MassForm::dense});
    for (int i = start[at(b)]; i < start[at(b) + 1]; ++i) {
      const int node = end_group[at(ends_at[at(i)])], j = place[at(node)];
      if (j > k)
        out.targets.push_back(
            {graph.ends[at(ends_at[at(i)])].J, graph.groups[at(node)].m, block_at[at(j)]});
    }
  }

  /// Multiplications and additions of a column, of the numbers that are used; but for its own part.
  double column_flops(int k) const {
    const auto &c = out.columns[at(k)], &d = out.columns[at(k + 1)];
    const double m = c.m, below = c.height - c.m;
    double sum = m * m * m + below * m * m;  // LDL^T of the block, and the blocks below it
    for (int i = c.link; i < d.link; ++i) {
      const auto& [from, row] = out.links[at(i)];
      const auto& s = out.columns[at(from)];
      const double rows = s.height - out.rows[at(row)].at;
      sum += m * s.m + 2 * rows * m * s.m;
    }
    return sum;
  }

  /// Returns the operations that its own part of S takes.
  double own_flops(int k) const {
    const auto &c = out.columns[at(k)], &d = out.columns[at(k + 1)];
    double sum = 0;
    for (int i = c.own; i < d.own; ++i) {
      const auto& o = out.own[at(i)];
      const double m = c.m, n_u = o.n;
      if (c.hub < 0)
        sum += o.form == MassForm::split   ? 3 * n_u * m
               : o.form == MassForm::dense ? 2 * m * n_u * n_u
                                           : 0;
      for (int t = o.target; t < out.own[at(i + 1)].target; ++t)
        sum += o.hub < 0 ? 2. * m * n_u * out.targets[at(t)].m : 0;
    }
    return sum;
  }

  /// Fills the numbers that each lane of a batch has of its own.
  void fill_batches() {
    long long value = 0;
    for (Batch& b : out.batches) {
      b.table = count(out.lane_at);
      b.value = value;
      const auto& last = out.columns[at(b.first + b.n - 1)];
      value += last.value + 2ll * (last.height - last.m) * last.m + last.m * (last.m + 1) / 2;
      const auto add = [&](const auto& of) {
        for (int lane = 0; lane < kAlike; ++lane)
          out.lane_at.push_back(of(std::min(lane, b.lanes - 1) * b.n));
      };
      for (int k = b.first; k < b.first + b.n; ++k)
        add([&](int ahead) { return out.columns[at(k + ahead)].x; });
      for (int k = b.first; k < b.first + b.n; ++k)
        for (int i = out.columns[at(k)].own; i < out.columns[at(k + 1)].own; ++i)
          add_own(k, i, add);
    }
    out.batch_values = value;
  }
  void add_own(int k, int i, const auto& add) {
    const auto own = [&](int ahead) {
      return out.columns[at(k + ahead)].own + i - out.columns[at(k)].own;
    };
    add([&](int ahead) { return out.own[at(own(ahead))].J; });
    add([&](int ahead) { return out.own[at(own(ahead))].mass; });
    for (int t = 1; t < out.own[at(i + 1)].target - out.own[at(i)].target; ++t)
      add([&](int ahead) { return out.targets[at(out.own[at(own(ahead))].target + t)].J; });
  }

  /// Fills what is left and gives back the result.
  Symbolic finish(std::vector<Tasks::Task> tasks, std::vector<int> children) {
    fill_own();
    fill_batches();
    out.tasks = std::move(tasks);
    out.children = std::move(children);
    for (int k = 0; k < n; ++k) {
      out.flops += column_flops(k) + own_flops(k);
      if (k < in_batches) out.batch_flops = out.flops;
    }
    return std::move(out);
  }
  Symbolic finish_whole() { return finish({{in_batches, n, 0, 0}}, {}); }

  /// The elimination tree: a column's parent is the first it has a block with. Columns of batches
  /// cost nothing in it.
  struct Tree {
    std::vector<int> parent;
    std::vector<double> cost;
    double total = 0, way = 0;
  };
  Tree tree() const {
    Tree t;
    for (int k = 0; k < n; ++k) {
      const auto &c = out.columns[at(k)], &d = out.columns[at(k + 1)];
      t.parent.push_back(d.row - c.row > 1 ? out.rows[at(c.row + 1)].column : -1);
      t.cost.push_back(k < in_batches ? 0 : column_flops(k));
      t.total += t.cost.back();
    }
    t.way = longest_way(t.parent, t.cost);
    return t;
  }

  Order in_order(const std::vector<int>& columns) const {
    Order o = order;
    for (std::size_t i = 0; i < columns.size(); ++i) o.node[i] = order.node[at(columns[i])];
    return o;
  }

  /// Columns that may change places with each other: groups that come before the hubs.
  std::vector<char> movable() const {
    std::vector<char> out_of(at(n), 0);
    for (int k = in_batches; k < n && order.node[at(k)] < groups(); ++k) out_of[at(k)] = 1;
    return out_of;
  }
};

constexpr double kTasks = 64;         // a task costs no less than its part of so many
constexpr double kWorthRooting = .9;  // of the longest way
constexpr double kMoreFlops = 1.02;   // that another order may cost

/// The order, by another root where that shortens the longest way and costs next to nothing.
std::unique_ptr<Builder> rooted(std::unique_ptr<Builder> first, double least) {
  const Builder::Tree t = first->tree();
  const Order before = first->order;
  const auto columns = reroot(first->out, t.parent, t.cost, first->movable(), least);
  const Graph& graph = first->graph;
  const std::vector<Batch> batches = first->out.batches;
  const Order after = first->in_order(columns);
  if (after.node == before.node) return first;
  first.reset();  // one at a time: they are large
  auto second = std::make_unique<Builder>(graph, after, batches);
  const Builder::Tree u = second->tree();
  if (u.way <= kWorthRooting * t.way && u.total <= kMoreFlops * t.total) return second;
  second.reset();
  return std::make_unique<Builder>(graph, before, batches);
}

/// Makes the tasks of the columns behind those of batches.
Tasks tasks_of(const Builder& b, const Builder::Tree& t, double grain) {
  const auto skip = [&](auto& v) { return v.begin() + b.in_batches; };
  std::vector<int> parent(skip(t.parent), t.parent.end());
  for (int& up : parent) up = up < 0 ? up : up - b.in_batches;
  Tasks out = split_tree(parent, std::vector<double>(skip(t.cost), t.cost.end()), grain);
  for (auto& task : out.tasks) task.first += b.in_batches, task.last += b.in_batches;
  for (int& k : out.order) k += b.in_batches;
  std::vector<int> order(at(b.in_batches));
  std::iota(order.begin(), order.end(), 0);
  out.order.insert(out.order.begin(), order.begin(), order.end());
  return out;
}

}  // namespace

Symbolic analyse(const Graph& graph, int hub_degree, double task_flops, bool lanes) {
  Order found = find_order(graph, hub_degree);
  std::vector<Batch> batches = gather_alike(graph, found);
  if (!lanes) batches.clear();
  auto b = std::make_unique<Builder>(graph, std::move(found), batches);
  const double total = b->tree().total, grain = std::max(task_flops, total / kTasks);
  if (total < 4 * task_flops) return b->finish_whole();
  b = rooted(std::move(b), 4 * grain);
  const Builder::Tree t = b->tree();
  Tasks tasks = tasks_of(*b, t, grain);
  if (tasks.tasks.size() < 2) return b->finish_whole();
  Order order = b->in_order(tasks.order);
  b.reset();
  return Builder(graph, std::move(order), batches)
      .finish(std::move(tasks.tasks), std::move(tasks.children));
}

std::shared_ptr<const Symbolic> Analyses::of(const Graph& graph, int hub_degree, double task_flops,
                                             bool lanes) {
  const std::lock_guard lock(mutex_);
  std::erase_if(made_, [](const Made& m) { return m.symbolic.expired(); });
  for (const Made& m : made_)
    if (m.hub_degree == hub_degree && m.task_flops == task_flops && m.lanes == lanes)
      if (auto kept = m.symbolic.lock()) return kept;
  auto symbolic = std::make_shared<const Symbolic>(analyse(graph, hub_degree, task_flops, lanes));
  made_.push_back({hub_degree, task_flops, lanes, symbolic});
  return symbolic;
}

}  // namespace trammel::solve

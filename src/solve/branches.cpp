#include "solve/branches.h"

#include "math/dense.h"
#include "math/index.h"

namespace trammel::solve {

namespace {

/// The part at one end of a group's active rows, each row of length one over all ends.
MatX part_at(const Graph& graph, const Graph::Group& group, int end, const double* J,
             const double* unit, const std::vector<unsigned char>& active) {
  const Graph::End& here = graph.ends[at_(end)];
  MatX out(group.m, here.n);
  Eigen::Index rows = 0;
  for (int r = 0; r < group.m; ++r) {
    if (!active[at_(group.row + r)]) continue;
    double square = 0;
    for (int e = group.end; e < group.end + group.n_ends; ++e) {
      const Graph::End& part = graph.ends[at_(e)];
      for (int c = 0; c < part.n; ++c) {
        const double x = J[part.J + r * part.n + c] * unit[part.u + c];
        square += x * x;
        if (e == end) out(rows, c) = x;
      }
    }
    if (square > 0) out.row(rows) /= std::sqrt(square);
    ++rows;
  }
  return out.topRows(rows);
}

/// Groups that are left, and how many of them are at each block.
struct Left {
  std::vector<int> at_block;
  std::vector<unsigned char> group;
};

Left all_groups(const Graph& graph, const std::vector<unsigned char>& active) {
  Left out{std::vector<int>(graph.blocks.size(), 0),
           std::vector<unsigned char>(graph.groups.size(), 0)};
  for (std::size_t g = 0; g < graph.groups.size(); ++g) {
    const Graph::Group& group = graph.groups[g];
    for (int r = group.row; r < group.row + group.m; ++r) out.group[g] |= active[at_(r)];
    if (!out.group[g]) continue;
    for (int e = group.end; e < group.end + group.n_ends; ++e)
      ++out.at_block[at_(graph.ends[at_(e)].block)];
  }
  return out;
}

std::vector<int> groups_of_ends(const Graph& graph) {
  std::vector<int> out(graph.ends.size());
  for (std::size_t g = 0; g < graph.groups.size(); ++g)
    for (int e = graph.groups[g].end; e < graph.groups[g].end + graph.groups[g].n_ends; ++e)
      out[at_(e)] = static_cast<int>(g);
  return out;
}

}  // namespace

std::vector<unsigned char> rows_of_branches(const Graph& graph, const double* J, const double* unit,
                                            const std::vector<unsigned char>& active,
                                            double least) {
  std::vector<unsigned char> out(active.size(), 0);
  const std::vector<int> group_of = groups_of_ends(graph);
  Left left = all_groups(graph, active);
  std::vector<int> tips;
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    if (left.at_block[b] == 1) tips.push_back(static_cast<int>(b));
  while (!tips.empty()) {
    const int tip = tips.back();
    tips.pop_back();
    if (left.at_block[at_(tip)] != 1) continue;
    int end = graph.first_end[at_(tip)];
    while (!left.group[at_(group_of[at_(end)])]) end = graph.next_end[at_(end)];
    const int g = group_of[at_(end)];
    const Graph::Group& group = graph.groups[at_(g)];
    const MatX part = part_at(graph, group, end, J, unit, active);
    if (dense::Qr(part, least).rank() < part.rows()) continue;
    left.group[at_(g)] = 0;
    for (int r = group.row; r < group.row + group.m; ++r) out[at_(r)] = active[at_(r)];
    for (int e = group.end; e < group.end + group.n_ends; ++e)
      if (--left.at_block[at_(graph.ends[at_(e)].block)] == 1)
        tips.push_back(graph.ends[at_(e)].block);
  }
  return out;
}

}  // namespace trammel::solve

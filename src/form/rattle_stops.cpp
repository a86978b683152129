#include "form/rattle_stops.h"

#include <algorithm>
#include <set>

#include "constraint/stops.h"
#include "math/index.h"
#include "solve/product.h"
#include "solve/tied.h"

namespace trammel::form::velocity {

namespace {
constexpr int kFewMechanisms = 32;

double stop_of(const Step& s, const Ends& ends, std::size_t i) {
  const double g = ends.now.at.g[i], g_end = ends.next.at.g[i];
  return constraint::time_of_stop(s.roles.hold[i], ends.now.specs[i], ends.next.specs[i],
                                  {g, ends.now.rate[i], g_end, s.h});
}
}  // namespace

bool finds_stops_of(const model::Kinematics& kin, const std::vector<int>& rows) {
  std::vector<int> groups;
  const solve::Graph& graph = kin.graph();
  solve::find_groups(graph, rows, groups);
  Forest tied = solve::tied_blocks(graph);
  std::set<int> mechanisms;
  for (const int g : groups)
    mechanisms.insert(tied.root(graph.ends[at(graph.groups[at(g)].end)].block));
  return count(mechanisms) <= kFewMechanisms;
}

double first_stop(const Step& s, const Ends& ends) {
  double first = law::kInf;
  if (!s.roles.unilateral || !s.mechanism.finds_stops) return first;
  for (const int row : s.mechanism.table.others) first = std::min(first, stop_of(s, ends, at(row)));
  return first;
}

}  // namespace trammel::form::velocity

#include "form/rattle_stops.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "constraint/rows.h"
#include "math/index.h"
#include "model/project.h"
#include "solve/product.h"
#include "solve/tied.h"

namespace trammel::form::velocity {

namespace {
constexpr int kFewMechanisms = 32;
constexpr double kBeyond = model::kPenetrated / 4;  // the way into a stop that a step ends at

/// The way left to the stop of a row that is on one side of it.
double way_left(const law::ConstraintSpec& spec, int side, double x) {
  return side > 0 ? x - spec.from : spec.to - x;
}

/// When gap + rate t + bend t^2 comes to 0, for the first time after 0 [s].
double first_root(double gap, double rate, double bend) {
  const double root = std::sqrt(std::max(0., rate * rate - 4 * bend * gap));
  return 2 * gap / (root - rate);
}

double stop_of(const Step& s, const Ends& ends, std::size_t i) {
  const law::ConstraintSpec &before = ends.now.specs[i], &after = ends.next.specs[i];
  if (s.roles.hold[i] != Hold::unilateral || !constraint::is_closed(after, ends.next.at.g[i]))
    return law::kInf;
  const int side = constraint::side_of(after, ends.next.at.g[i]);
  const double g = ends.now.at.g[i];
  if (constraint::is_closed(before, g) && constraint::side_of(before, g) == side) return law::kInf;
  const double gap = way_left(before, side, ends.now.at.g[i]), rate = side * ends.now.rate[i],
               end = way_left(after, side, ends.next.at.g[i]);
  if (!(end < -model::kPenetrated / 2 * after.size)) return law::kInf;
  const double bend = (end - gap - rate * s.h) / (s.h * s.h), t = first_root(gap, rate, bend),
               speed = -rate - 2 * bend * t;
  const bool strikes =
      speed > constraint::kImpactSpeed * after.pace && speed > 4 * std::abs(bend) * s.h;
  return strikes ? t + kBeyond * after.size / speed : law::kInf;
}
}  // namespace

bool finds_stops_of(const model::Kinematics& kin, const model::ConstraintSpecs& specs) {
  std::vector<int> rows, groups;
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].unilateral()) rows.push_back(static_cast<int>(i));
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

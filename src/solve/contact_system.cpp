#include "solve/contact_system.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "math/parallel.h"
#include "solve/contact_lanes.h"

namespace trammel::solve {

using contact::Group;

struct ContactSystem::Parts {
  std::vector<ContactBody> bodies;
  std::vector<ContactPoint> points;
  std::vector<unsigned char> moves;
  contact::Order order;
  contact::Lanes<contact::Widest> lanes;
  std::vector<double> merit_of_pair;
  std::vector<int> sweeps_of_group;

  void run(const Group& group, const ContactOptions& options, int& sweeps);
  double merit_of(const Group& group) const;
};

ContactSystem::ContactSystem() : parts_(std::make_unique<Parts>()) {}
ContactSystem::ContactSystem(ContactSystem&&) noexcept = default;
ContactSystem& ContactSystem::operator=(ContactSystem&&) noexcept = default;
ContactSystem::~ContactSystem() = default;

void ContactSystem::build(std::span<const ContactBody> bodies,
                          std::span<const ContactPoint> points) {
  Parts& parts = *parts_;
  parts.bodies.assign(bodies.begin(), bodies.end());
  parts.points.assign(points.begin(), points.end());
  parts.moves.resize(bodies.size());
  std::transform(bodies.begin(), bodies.end(), parts.moves.begin(),
                 [](const ContactBody& body) { return contact::moves(body); });
  parts.order.build(parts.moves, parts.points);
  parts.lanes.build(parts.bodies, parts.moves, parts.points, parts.order);
  parts.merit_of_pair.resize(parts.order.pairs.size());
  parts.sweeps_of_group.resize(parts.order.groups.size());
}

double ContactSystem::Parts::merit_of(const Group& group) const {
  double merit = 0;
  for (int i = order.island_first[static_cast<std::size_t>(group.first_island)];
       i < order.island_first[static_cast<std::size_t>(group.first_island + group.n_islands)]; ++i)
    merit = std::max(merit, merit_of_pair[static_cast<std::size_t>(
                                order.pairs_of_islands[static_cast<std::size_t>(i)])]);
  return merit;
}

/// Sweeps until a sweep changed little and the errors, looked at for themselves, are small.
void ContactSystem::Parts::run(const Group& group, const ContactOptions& options, int& sweeps) {
  for (sweeps = 0; sweeps < options.sweeps;) {
    const double off = lanes.sweep(group);
    if (++sweeps == options.sweeps || off > options.tolerance) continue;
    lanes.check(group, merit_of_pair);
    if (merit_of(group) <= options.tolerance) return;
  }
  lanes.check(group, merit_of_pair);
}

ContactEffort ContactSystem::solve(std::span<const ContactTargets> targets, std::span<double> v,
                                   std::span<double> p, const ContactOptions& options) {
  Parts& parts = *parts_;
  const std::vector<Group>& groups = parts.order.groups;
  parts.lanes.load(targets, v, p, options.frictionless);
  const auto run = [&](int i, bool large) {
    const std::size_t k = static_cast<std::size_t>(i);
    if (groups[k].large == large) parts.run(groups[k], options, parts.sweeps_of_group[k]);
  };
  const int n = static_cast<int>(groups.size());
  parallel::for_each(n, [&](int i) { run(i, false); });
  for (int i = 0; i < n; ++i) run(i, true);
  parts.lanes.store(targets, v, p);
  ContactEffort effort;
  for (double merit : parts.merit_of_pair) effort.merit = std::max(effort.merit, merit);
  for (int sweeps : parts.sweeps_of_group) effort.sweeps = std::max(effort.sweeps, sweeps);
  if (!std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); }))
    effort.merit = std::numeric_limits<double>::quiet_NaN();
  effort.converged = effort.merit <= options.tolerance;
  return effort;
}

}  // namespace trammel::solve

#include "constraint/jump.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "constraint/account.h"
#include "model/ledger.h"

namespace trammel::constraint {

namespace {
Vec3 angular_momentum(const Standing& at) {
  Vec3 linear = Vec3::Zero(), angular = linear;
  at.kin.momentum(at.state.q.data(), at.state.P.data(), linear, angular);
  return angular;
}

/// Returns the greatest displacement of a row from the position that it holds [m, rad]; unilateral
/// rows are left out.
double greatest_gap(const Standing& at, double& share) {
  double gap = 0;
  for (std::size_t i = 0; i < at.specs.size(); ++i)
    if (holds(at.kin.model(), at.state, at.specs, i) && !at.specs[i].unilateral()) {
      const double off = std::abs(at.now.g[i] - at.specs[i].target.x);
      const joint::Unit unit = at.kin.model().rows[i].row.unit();
      gap = std::max(gap, off);
      share = std::max(share, off / at.kin.model().scales.value(unit));
    }
  return gap;
}
}  // namespace

void correct_positions(const Standing& at, double tolerance, double gap, const std::string& subject,
                       Jump& jump) {
  const double energy = at.load();
  const Vec3 before = angular_momentum(at);
  at.projector.position(at.specs, tolerance, at.state, at.now);
  const double change = at.load() - energy;
  const Vec3 moved = angular_momentum(at) - before;
  jump.corrected += moved;
  at.state.ledger[model::kCorrections] += change;
  jump.events.push_back({at.state.t, EventKind::correction, subject,
                         fmt::format("positions moved onto the rows by {:.3g}; angular momentum "
                                     "moved by {:.3g} N m s",
                                     gap, moved.norm()),
                         change, "J"});
}

void correct_velocities(const Standing& at, Jump& jump) {
  const double energy = at.load();
  jump.impulses = at.projector.velocity(at.specs, at.state, at.now).impulses;
  at.state.ledger[model::kCorrections] += at.load() - energy;
}

Jump jump(const Standing& at, double tolerance, const std::string& why,
          const std::string& subject) {
  Jump out;
  at.load();
  double share = 0;
  if (const double gap = greatest_gap(at, share); share > tolerance * 10)
    correct_positions(at, tolerance, gap, subject, out);
  const double level = at.load();
  out.impulses = at.projector.velocity(at.specs, at.state, at.now).impulses;
  const double reached = at.load();
  // the part that drives and prescribed bodies have not done is the loss 1/2 |du|_M^2
  const double work = add_impact_work(at.kin, at.specs, at.now, out.impulses, at.state.ledger);
  const double loss = level + work - reached;
  at.state.ledger[model::kImpacts] -= loss;
  out.events.push_back({at.state.t, EventKind::impact, subject, why, loss, "J"});
  return out;
}

}  // namespace trammel::constraint

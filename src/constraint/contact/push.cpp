// Free bodies that overlap are pushed apart, in the drift alone.
#include <algorithm>

#include "constraint/contact/bonds.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"

namespace trammel::constraint {

namespace {
constexpr double kPushAccuracy = 0.01;  // of the speed of pushing
constexpr int kPushSweeps = 10;

/// Targets of the free points; returns the fastest of those that are to part [m/s].
double aim_push(const ContactSettings& set, const ContactStart& start,
                std::vector<piles::ContactTargets>& targets) {
  double fastest = 0;
  targets.clear();
  for (const int i : start.points.free) {
    const double gap = start.points.points[at(i)].gap;
    const double wanted = gap < -set.slop
                              ? std::min(kPushed * -gap / start.h, set.push_speed)
                              : -std::max(gap, 0.) / start.h - start.stage.after[at(i)][0];
    targets.push_back({Vec3(std::min(wanted, set.push_speed), 0, 0), 0});
    if (gap < -set.slop) fastest = std::max(fastest, wanted);
  }
  return fastest;
}
}  // namespace

void make_push(const ContactTools& tools, ContactStart& start, ContactPush& push) {
  PointSet& set = start.points;
  const double slop = tools.settings.slop;
  if (std::none_of(set.free.begin(), set.free.end(),
                   [&](int i) { return set.points[at(i)].gap < -slop; }))
    return;
  ContactScratch& scratch = tools.scratch;
  piles::ContactOptions options = tools.settings.options;
  options.frictionless = true;
  options.tolerance = kPushAccuracy * aim_push(tools.settings, start, scratch.targets);
  options.sweeps = std::min(kPushSweeps, options.sweeps);
  std::fill(scratch.v.begin(), scratch.v.end(), 0.);
  scratch.p.assign(6 * set.free.size(), 0.);
  set.system.solve(scratch.targets, scratch.v, scratch.p, options);
  push.momenta.assign(start.kick.size(), 0.);
  if (set.coupled.empty())
    return add_all_impulses(set, scratch.p.data(), scratch.pairs, push.momenta);
  for (std::size_t k = 0; k < set.free.size(); ++k)
    add_impulses(set, at(set.free[k]), Eigen::Map<const Six>(scratch.p.data() + 6 * k),
                 push.momenta);
}

/// What pushing changes beside places, the momenta of the drift being P: gravity and loads do work,
/// turned bodies have another kinetic energy at the same angular momentum, and moved ones another
/// moment of momentum.
void account_push(Contacts& c, const model::KinematicsCache& at_, const std::vector<double>& P) {
  c.push.work = 0;
  c.push.corrected.setZero();
  if (c.push.momenta.empty()) return;
  const ContactTools tools(c);
  const std::vector<double>& u = velocities(tools, at_, P);
  std::vector<double>& moved = tools.scratch.moved;
  moved.resize(c.push.momenta.size());
  tools.kin().velocities(at_, c.push.momenta.data(), moved.data());
  for (const int first : c.surfaces.free_u) {
    const std::size_t b = at(first);
    for (std::size_t k = 0; k < 6; ++k) c.push.work -= c.start.kick[b + k] * moved[b + k];
    const Vec3 w = vec3(u.data() + b + 3), l = vec3(P.data() + b + 3);
    c.push.work += c.start.h * vec3(moved.data() + b + 3).dot(w.cross(l));
    c.push.corrected += c.start.h * vec3(moved.data() + b).cross(vec3(P.data() + b));
  }
}

}  // namespace trammel::constraint

// Points between free bodies: solved for upon these, all at once.
#include <algorithm>
#include <cmath>

#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"
#include "math/brief.h"

namespace trammel::constraint {

namespace {
/// Of the free bodies, from those of the mechanism; what does not move comes last.
void take_velocities_of_free(const ContactSurfaces& s, ContactScratch& scratch) {
  std::fill(scratch.v.end() - 6, scratch.v.end(), 0.);
  for (int b = 0; b < s.n_free(); ++b)
    std::copy_n(scratch.u.data() + s.free_u[at(b)], 6, scratch.v.data() + 6 * b);
}

/// Targets and impulses of free points among others, one after the other.
void gather(const PointSet& set, const ContactStage& stage, ContactScratch& scratch) {
  scratch.targets.resize(set.free.size());
  scratch.p.resize(6 * set.free.size());
  for (std::size_t k = 0; k < set.free.size(); ++k) {
    scratch.targets[k] = stage.targets[at(set.free[k])];
    Eigen::Map<Six>(scratch.p.data() + 6 * k) = stage.p[at(set.free[k])];
  }
}

/// Takes the impulses of free points from between those with restitution and those without.
void calm_down(const ContactTools& tools, const model::KinematicsCache& at_,
               const ContactStart& start, std::span<const double> before, ContactEnd& end,
               std::vector<double>& P) {
  P.assign(before.begin(), before.end());
  ContactStage calm = without_restitution(end);
  solve_free(tools, end.points, at_, RatesAfter::taken, calm, P);
  ease(tools.surfaces, start, end.points.free, calm, end);
  P.assign(before.begin(), before.end());
  for (const int i : end.points.free) add_impulses(end.points, at(i), end.stage.p[at(i)], P);
}
}  // namespace

void begin_stage(const ContactSurfaces& s, const PointSet& set, double h, ContactStage& stage) {
  const std::size_t n = set.size();
  stage.targets.resize(n);
  stage.p.assign(n, Six::Zero());
  stage.before.resize(n);
  stage.after.resize(n);
  for (const int i : set.coupled) stage.before[at(i)] = stage.after[at(i)] = Six::Zero();
  stage.coupled = {};
  for (std::size_t i = 0; i < n; ++i)
    stage.targets[i] = {-set.own[i].head<3>(), law_of(s, set.points[i]).cohesion * h / 2, 0,
                        -set.own[i].tail<3>()};
}

const std::vector<double>& velocities(const ContactTools& tools, const model::KinematicsCache& at_,
                                      const std::vector<double>& P) {
  tools.kin().velocities(at_, P.data(), tools.scratch.u.data());
  return tools.scratch.u;
}

void take(ContactReport& report, const piles::ContactEffort& effort) {
  report.sweeps += effort.sweeps;
  report.newton += effort.newton;
  report.merit = std::max(report.merit, effort.merit);
  report.converged = report.converged && effort.converged;
}

void solve_free(const ContactTools& tools, PointSet& set, const model::KinematicsCache& at_,
                RatesAfter rates_after, ContactStage& stage, std::vector<double>& P) {
  if (set.free.empty()) return;
  ContactScratch& scratch = tools.scratch;
  const piles::ContactOptions& options = tools.settings.options;
  slips_of(set, set.free, velocities(tools, at_, P), stage.before);
  take_velocities_of_free(tools.surfaces, scratch);
  if (set.coupled.empty()) {  // all points, in their order
    take(tools.report,
         set.system.solve(stage.targets, scratch.v, {stage.p[0].data(), 6 * set.size()}, options));
    add_all_impulses(set, stage.p[0].data(), scratch.pairs, P);
  } else {
    gather(set, stage, scratch);
    take(tools.report, set.system.solve(scratch.targets, scratch.v, scratch.p, options));
    for (std::size_t k = 0; k < set.free.size(); ++k)
      stage.p[at(set.free[k])] = Eigen::Map<const Six>(scratch.p.data() + 6 * k);
    for (const int i : set.free) add_impulses(set, at(i), stage.p[at(i)], P);
  }
  for (int b = 0; b < tools.surfaces.n_free(); ++b)
    std::copy_n(scratch.v.data() + 6 * b, 6, scratch.u.data() + tools.surfaces.free_u[at(b)]);
  if (rates_after == RatesAfter::taken) slips_of(set, set.free, scratch.u, stage.after);
}

void solve_beside(const ContactTools& tools, std::span<const unsigned char> heaps,
                  const model::KinematicsCache& at_, ContactStart& start, std::vector<double>& P) {
  const PointSet& set = start.points;
  ContactStage& stage = start.stage;
  brief::vector<int> chosen;
  brief::vector<piles::ContactPoint> points;
  brief::vector<piles::ContactTargets> targets;
  brief::vector<double> p;
  for (std::size_t k = 0; k < set.free.size(); ++k) {
    const int i = set.free[k];
    if (heaps[at(i)]) continue;
    chosen.push_back(i);
    points.push_back(set.system.points()[k]);
    targets.push_back(stage.targets[at(i)]);
    p.insert(p.end(), stage.p[at(i)].data(), stage.p[at(i)].data() + 6);
    add_impulses(set, at(i), -stage.p[at(i)], P);
  }
  if (chosen.empty()) return;
  velocities(tools, at_, P);
  take_velocities_of_free(tools.surfaces, tools.scratch);
  piles::ContactSystem beside;
  beside.build(set.system.bodies(), points);
  take(tools.report, beside.solve(targets, tools.scratch.v, p, tools.settings.options));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::size_t i = at(chosen[k]);
    stage.p[i] = Eigen::Map<const Six>(p.data() + 6 * k);
    stage.before[i] = slip_at(set, i, tools.scratch.u);
    add_impulses(set, i, stage.p[i], P);
  }
  slips_of(set, chosen, velocities(tools, at_, P), stage.after);
}

void push_end(Contacts& c, const model::KinematicsCache& at_, std::vector<double>& P) {
  const ContactTools tools(c);
  PointSet& set = c.end.points;
  const brief::vector<double> before(P.begin(), P.end());
  // rates after all impulses are taken when all is done
  solve_free(tools, set, at_, bounces(c.end, set.free) ? RatesAfter::taken : RatesAfter::left,
             c.end.stage, P);
  if (gains(c.surfaces, c.start, c.end, set.free)) calm_down(tools, at_, c.start, before, c.end, P);
  for (const int i : set.coupled) add_impulses(set, at(i), c.end.stage.p[at(i)], P);
}

}  // namespace trammel::constraint

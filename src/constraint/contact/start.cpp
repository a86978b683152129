// How a step begins: points, targets of stage P, impulses to begin with.
#include <algorithm>
#include <cmath>

#include "constraint/contact/bonds.h"
#include "constraint/contact/match.h"
#include "constraint/contact/motion.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/phases.h"
#include "constraint/rows.h"
#include "math/brief.h"

namespace trammel::constraint {

namespace {
constexpr double kSlop = 1e-8;          // of the mechanism's length
constexpr double kNoGap = 1e-9;         // likewise
constexpr double kPushSpeed = 1;        // of the mechanism's speed
constexpr double kRowPushSpeed = 0.01;  // likewise

bool any_poisson(const model::Model& model) {
  const std::vector<model::ContactLaw>& all = model.contacts.laws;
  return std::any_of(all.begin(), all.end(),
                     [](const auto& l) { return l.poisson && l.restitution > 0; });
}

/// Finds the points of the start, and their rates: mostly those with which the last step has ended.
/// What becomes of them is for this step alone.
void find_start(const ContactTools& tools, const model::KinematicsCache& at_,
                const std::vector<double>& u, const std::vector<double>& P, LastEnd& last,
                ContactStart& start) {
  const ContactSurfaces& s = tools.surfaces;
  brief::vector<double> margin(s.reach.size());
  margins(start.h, s, at_, u, margin);
  bool known = std::equal(margin.begin(), margin.end(), last.margin.begin(), last.margin.end());
  if (!known) find(s, at_, margin, tools.finder, start.points);
  last.margin.clear();
  known = !look_ahead(start.h, s, at_, velocities(tools, at_, P), tools.finder, start.points) &&
          known && u == last.u;
  sides_of(s, at_, start.points, start.sides);
  if (known)
    start.rates.swap(last.rates);
  else
    slips(start.points, u, start.rates);
  take_mean_motion(start.h, s, at_, u, start.points, start.shift);
}

/// What closes in this step arrives. Coupled points are not pushed apart in the drift alone.
void aim_start(const ContactSettings& set, ContactStart& start) {
  std::vector<piles::ContactTargets>& targets = start.stage.targets;
  for (std::size_t i = 0; i < targets.size(); ++i)
    targets[i].u[0] -= std::max(start_gap(set, start, i), 0.) / start.h;
  for (const int i : start.points.coupled)
    targets[at(i)].u[0] +=
        std::min(kPushed * std::max(-start.points.points[at(i)].gap - set.slop, 0.) / start.h,
                 set.row_push_speed);
}

/// Cohesion holds what is in touch and does not come apart already. What was held has been brought
/// up to rounding and to the accuracy of the solver.
void bond_start(const ContactSettings& set, ContactStart& start) {
  for (std::size_t i = 0; i < start.points.size(); ++i)
    if (start_gap(set, start, i) > 0 || !is_slow(set, start.rates[i]))
      start.stage.targets[i].cohesion = 0;
}

/// Begins with the impulses of the last step, as far as this one is as long: beyond, they are an
/// impact's.
void take_up(const ContactTools& tools, const model::ContactMemory& kept, double kept_h,
             ContactStart& start) {
  const double again = kept_h != 0 ? std::min(start.h / kept_h, 1.) : 0;
  const auto key_at = [&](std::size_t k) {
    return Key{kept.key[3 * k], kept.key[3 * k + 1], kept.key[3 * k + 2]};
  };
  match(start.points.points, kept.key.size() / 3, key_at, [&](std::size_t i, std::size_t k) {
    start.stage.p[i] = again * Eigen::Map<const Six>(kept.impulse.data() + 6 * k);
    const double pull = law_of(tools.surfaces, start.points.points[i]).cohesion * start.h / 2;
    if (is_slow(tools.settings, start.rates[i]) && is_held(start.stage.p[i], pull))
      start.stage.targets[i].cohesion = pull;
  });
}
}  // namespace

ContactSettings::ContactSettings(const model::Model& model, const piles::ContactOptions& with,
                                 Impacts how)
    : options(with),
      impacts(how),
      aims(how == Impacts::sequential || any_poisson(model)),
      slop(kSlop * model.scales.length),
      no_gap(kNoGap * model.scales.length),
      impact_speed(kImpactSpeed * model.scales.speed),
      push_speed(kPushSpeed * model.scales.speed),
      row_push_speed(kRowPushSpeed * model.scales.speed) {}

Contacts::Contacts(const model::Kinematics& kin, const piles::ContactOptions& options, Impacts how)
    : surfaces(kin), settings(kin.model(), options, how), finder(surfaces) {
  scratch.v.assign(6 * at(surfaces.n_free() + 1), 0);
  scratch.u.resize(at(kin.model().n_u));
}

void load(Contacts& c, const model::State& state) {
  c.last.margin.clear();
  c.last.h = state.rows.h;
}

void begin_step(Contacts& c, const StepLength& length, const model::State& state,
                const model::KinematicsCache& at_, const std::vector<double>& u,
                std::vector<double>& P) {
  c.told = {};
  c.push.momenta.clear();
  c.push.work = 0;
  ContactStart& start = c.start;
  const ContactTools tools(c);
  start.h = length.h;
  start.instant = length.instant;
  find_start(tools, at_, u, P, c.last, start);
  begin_stage(c.surfaces, start.points, start.h, start.stage);
  start.kick.resize(P.size());
  for (std::size_t i = 0; i < P.size(); ++i) start.kick[i] = 2 * (P[i] - state.P[i]);
  start.kick_u.resize(u.size());
  tools.kin().velocities(at_, start.kick.data(), start.kick_u.data());
  aim_start(c.settings, start);
  bond_start(c.settings, start);
  take_up(tools, state.contacts, c.last.h, start);
  const std::vector<double> before = c.settings.aims ? P : std::vector<double>{};
  solve_free(tools, start.points, at_, RatesAfter::taken, start.stage, P);
  if (c.settings.aims && aim_free_start(tools, start)) {
    P = before;
    solve_free(tools, start.points, at_, RatesAfter::taken, start.stage, P);
  }
  for (const int k : start.points.coupled) {
    const std::size_t i = at(k);
    if (start.rates[i][0] > c.settings.impact_speed) start.stage.p[i].setZero();  // it leaves
    add_impulses(start.points, i, start.stage.p[i], P);
  }
  make_push(tools, start, c.push);
  start.followed = 0;
  start.far.clear();
}

}  // namespace trammel::constraint

// The end of a step, and jumps of what rows hold.
#include <algorithm>

#include "constraint/contact/phases.h"
#include "form/solving.h"
#include "form/velocity_account.h"
#include "form/velocity_attempt.h"
#include "form/velocity_results.h"
#include "form/velocity_roles.h"

namespace trammel::form::velocity {

namespace {
constraint::Standing standing(Stepping& v, model::State& state) {
  return {*v.mechanism.kin, projector_of(v), v.ends.now.specs, state, v.ends.now.at, [&v, &state] {
            load(v, state);
            return total_energy(v, state);
          }};
}

void take_jump(Stepping& v, const constraint::Jump& jump, StepReport& report) {
  v.ends.now.outside_known = false;
  report.momentum.corrected += jump.corrected;
  report.events.insert(report.events.end(), jump.events.begin(), jump.events.end());
  if (!jump.impulses.empty()) add_outside(v.mechanism, v.ends.now, jump.impulses, {}, 0, report);
}

/// Corrects the position of unilateral rows that rest beyond their stop.
void lift_out(Stepping& v, model::State& state, StepReport& report) {
  const Sunk sunk = find_sunk(v.mechanism, v.roles, v.ends.now);
  if (sunk.depth == 0) return;
  constraint::Jump jump;
  constraint::correct_positions(standing(v, state),
                                v.mechanism.settings.tolerance.share(v.mechanism.model->scales),
                                sunk.depth, v.mechanism.joint_of(sunk.row).name, jump);
  constraint::correct_velocities(standing(v, state), jump);  // the rows have turned a little
  take_jump(v, jump, report);
}
}  // namespace

void commit(Stepping& v, model::State& state, double h, bool fell_back, StepReport& report) {
  const Mechanism& m = v.mechanism;
  const Made made{m, v.roles, v.ends, v.rows, v.position, v.velocity, h, fell_back};
  const Gaps gaps = find_gaps(made);
  report.gap = std::max(report.gap, gaps.length);
  report.angle = std::max(report.angle, gaps.angle);
  LastStep::Part& part = v.last.add(v.force.size(), state.t, h);
  if (v.contacts) constraint::add_impulses_of_points(*v.contacts, part.points);
  if (v.contacts) add_contacts(*v.contacts, v.ends, state, report);
  const bool met = v.contacts && !v.contacts->told.impulses.empty();
  add_works(made, met, v.work.x, state.ledger);
  part.struck = report.struck;
  keep_multipliers(made, met, state, v.force, part);
  report_row_impulses(made, report);
  if (report.way.fallback) drop_multipliers(state);
  update_yielded(made, v.force, state.rows.yielded, report);
  state.q.swap(v.position.q);
  state.P.swap(v.velocity.P);
  state.rows.bound = v.rows.bound;
  if (!state.acceleration.recovery.empty()) state.acceleration = {};
  if (state.energy.h != 0 || !state.energy.q.empty() || !state.energy.impulses.empty())
    state.energy = {};
  state.rows.h = h;
  state.rows.redundant = v.solver->redundant();
  v.factor_kept =
      keep_factor(m.table, is_baumgarte(m.settings) ? solve::Rows{} : v.solver->prepared(),
                  v.factor_kept, state.velocity);
  keep_places(m, v.ends.next.at, state);
  state.t += h;
  ++state.step;
  swap(v.ends.now, v.ends.next);
  v.ends.now.at.span = {};
  take_pose(v.ends.next.at, part);
  v.ends.next.at.arc = v.ends.now.at.arc;
  if (m.kin->light()) state.u = v.ends.now.u;
  if (v.roles.unilateral) lift_out(v, state, report);
}

void project(Stepping& v, model::State& state, const std::string& why, const std::string& subject,
             StepReport& report) {
  load(v, state);
  const double tolerance = v.mechanism.settings.tolerance.share(v.mechanism.model->scales);
  const constraint::Jump jump = constraint::jump(standing(v, state), tolerance, why, subject);
  take_jump(v, jump, report);
  report.add_row_impulses(jump.impulses.size(), [&](std::size_t i) { return jump.impulses[i]; });
  drop_multipliers(state);
}

}  // namespace trammel::form::velocity

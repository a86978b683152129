// One step, or part of one: its stages, and what is tried where they find no solution.
#include "form/velocity_attempt.h"

#include <algorithm>

#include "constraint/cone.h"
#include "constraint/contact/phases.h"
#include "form/baumgarte.h"
#include "form/fallback.h"
#include "form/rattle_exact.h"
#include "form/rattle_position.h"
#include "form/rattle_springs.h"
#include "form/rattle_stops.h"
#include "form/rattle_velocity.h"
#include "form/solving.h"
#include "form/velocity_account.h"
#include "form/velocity_results.h"
#include "form/velocity_roles.h"

namespace trammel::form::velocity {

namespace {
constexpr double kPastMeeting = 1e-7;  // how far a part goes beyond the meeting, of the way there

/// How a step was made.
enum class Way : unsigned char { failed, single, fallback, parts };
/// What has become of an attempt at a step. It is made, or left unmade, or it has failed.
struct Attempt {
  Way way = Way::failed;
  Left left = {};
};

/// True where rows alone hold the mechanism, so that a step may be repeated or made otherwise.
bool has_rows_alone(const Stepping& v) { return !v.contacts; }

/// Takes up what constraints owe to places and rates at the start, at the end as if they stayed.
void follow_start(Stepping& v, double t_end) {
  End& now = v.ends.now;
  if (now.specs.following().empty()) return;
  now.specs.follow(now.at.g, now.rate, now.at.moving());
  v.ends.next.specs.follow(now.at.g, now.rate,
                           {t_end, now.at.y.data(), now.at.y_rate.data(), v.ends.next.at.span});
  constraint::take_coefficients(now.specs, v.mechanism.cones);
}

/// Takes what the time alone makes of forces and constraints in a step of h.
void begin(Stepping& v, double t, double h) {
  v.ends.next.specs.at(t + h);
  spread_forces(v.mechanism, t, h, is_baumgarte(v.mechanism.settings) ? Kicks::one : Kicks::two,
                v.ends);
  follow_start(v, t + h);
}

/// Does the same at the end, where stage P has led: its mean rates are those half way.
void follow_end(Stepping& v, const Step& step) {
  const End& now = v.ends.now;
  End& next = v.ends.next;
  if (now.specs.following().empty()) return;
  for (const std::size_t i : now.specs.following())
    next.rate[i] = v.mechanism.row(i).row.holonomic()
                       ? 2 * (next.at.g[i] - now.at.g[i]) / step.h - now.rate[i]
                       : now.rate[i];
  for (std::size_t i = 0; i < next.at.y.size(); ++i)
    next.at.y_rate[i] = 2 * (next.at.y[i] - now.at.y[i]) / step.h - now.at.y_rate[i];
  next.specs.follow(next.at.g, next.rate, next.at.moving());
  constraint::take_coefficients(next.specs, v.mechanism.cones);
}

/// How long a part of the step is to be in which bodies first meet, or a row its stop, or something
/// comes to rest, at its end.
Left first_meeting(Stepping& v, const Step& step, const Leave& leave) {
  const auto in_time = [&](double t) {
    return t < (1 - constraint::kAtEnd) * step.h ? t * (1 + kPastMeeting) : law::kInf;
  };
  const double stop = first_stop(step, v.ends);
  const constraint::Next next =
      v.contacts ? constraint::next_in_step(*v.contacts) : constraint::Next{};
  const double meets = in_time(next.meets), rests = in_time(next.rests);
  const double first = std::min({stop, meets, rests});
  if (leave.at_end && first == law::kInf && next.loaded &&
      next.meets < (1 + constraint::kAtEnd) * step.h)
    return {.meets = (1 - constraint::kAtEnd) * step.h, .strikes = true};
  // what rubs in joints knows its impulse bounds: no stop needs a part there
  const bool stops = !has_rows_alone(v) && stop == first, strikes = next.loaded && meets == first;
  return {.meets = first, .strikes = (stops || strikes) && first < rests};
}

/// Why a step is to be left unmade that the drift of stage P has shown.
Left seen_on_the_way(Stepping& v, const Step& step, const Leave& leave) {
  if (leave.meets)
    if (const Left first = first_meeting(v, step, leave); first.meets < step.h) return first;
  return {.sweeps = leave.sweeps && v.contacts && constraint::sweeps(*v.contacts)};
}

/// Why a step is to be left unmade that its end has shown: it is late for what meets there, or
/// slides past an edge.
Left seen_at_end(const Stepping& v, const Step& step, const Leave& leave) {
  if (!leave.meets || !v.contacts) return {};
  const double met = constraint::end_at_meeting(*v.contacts);
  const constraint::Parting parts = constraint::first_parting(*v.contacts, v.ends.next.u);
  if (parts.t < std::min(step.h, met) && parts.t + parts.past > 0)
    return {.meets = std::max(parts.t, 0.), .past = parts.past};
  if (met > 0 && met < step.h) return {.meets = std::min(met * (1 + kPastMeeting), step.h)};
  return {};
}

/// Runs stage P, and repeats it while forces taken as explicit turn out stiff on the way.
Placed place(Stepping& v, const Step& step, const Tools& tools) {
  for (;;) {
    // as many iterations as in the last two steps are likely to do again. Not along tracks, where
    // J(q+) would begin its projections from another place than after the values
    const bool foreseen = v.iterations.last == v.iterations.before && !v.mechanism.rolls &&
                          v.mechanism.model->n_arcs == 0 && has_rows_alone(v);
    const Placed placed = tools.newton ? exact_position(step, v.ends, v.rows, v.position, tools)
                                       : stage_position(step, foreseen ? v.iterations.last : -1,
                                                        v.ends, v.rows, v.position, tools);
    if (placed.ok && follows_stiffly(step, v.position)) {
      if (placed.J_at_end) take_back_J(step, v.ends);
      return {};
    }
    if (placed.ok && !tools.newton) v.iterations = {placed.iterations, v.iterations.last};
    if (!placed.ok || !stiffen(step, v.ends, v.roles.spring)) return placed;
    if (placed.J_at_end) take_back_J(step, v.ends);
  }
}

/// Runs both stages, exact ones with `newton`, and reports on them.
Attempt run_stages(Stepping& v, const Step& step, const Leave& leave, Newton* newton,
                   StepReport& report) {
  const Tools tools{*v.solver, newton, v.work, report, v.contacts.get()};
  constraint::take_coefficients(v.ends.now.specs, v.mechanism.cones);
  const Placed placed = place(v, step, tools);
  if (!placed.ok) return {};
  if (const Left left = seen_on_the_way(v, step, leave); left.unmade()) return {Way::failed, left};
  follow_end(v, step);
  if (!stage_velocity(step, v.position, placed.J_at_end, v.ends, v.rows, v.velocity, tools))
    return {};
  if (const Left left = seen_at_end(v, step, leave); left.unmade()) return {Way::failed, left};
  const Impulses &first = v.position.impulses, &second = v.velocity.impulses;
  add_outside(v.mechanism, v.ends.now, first.rows, first.applied, step.h / 2, report);
  v.ends.next.outside_known = false;
  add_outside(v.mechanism, v.ends.next, second.rows, second.applied, step.h / 2, report);
  report.row_speed = worst_speed(step, v.ends.next, v.rows);
  return {Way::single};
}

/// Makes a RATTLE step with the kept factor, or, where that fails, by Newton iteration on momenta
/// and rows together. Returns false where neither converges.
Attempt attempt(Stepping& v, const model::State& state, double h, const Leave& leave,
                StepReport& report) {
  const std::size_t events = report.events.size();
  const Step step{v.mechanism, v.roles, state, h, leave.instant};
  if (!v.mechanism.light) {
    const Attempt it = run_stages(v, step, leave, nullptr, report);
    if (it.way == Way::single) return it;
    report.events.resize(events);
    v.velocity.P = state.P;
    if (!has_rows_alone(v) || !tries_exact(step, v.ends.now, v.solver->redundant(), v.work.base))
      return it;
    make_exact(v.mechanism, v.newton, v.ends);
    again_at_start(step, v.ends.now);
  }
  const Attempt it = run_stages(v, step, leave, &v.newton, report);
  report.way.newton = it.way == Way::single;
  if (report.way.newton) return it;
  report.events.resize(events);
  v.velocity.P = state.P;
  return it;
}

/// Makes two, four or eight shorter steps where one has found no solution. Returns false where
/// these fail too: the state is as before.
bool step_in_parts(Stepping& v, model::State& state, double h, double instant, StepReport& report) {
  const model::State start = state;
  const StepReport before = report;
  const std::size_t parts_before = v.last.parts();
  begin_again(v, state, h);
  for (const int parts : {2, 4, 8}) {
    bool ok = true;
    for (int k = 0; ok && k < parts; ++k) {
      const double to = k + 1 == parts ? start.t + h : start.t + h * (k + 1) / parts;
      step_once(v, state, to - state.t, {.divides = false, .instant = instant}, report);
      ok = report.status == Status::ok;
    }
    if (ok) {
      state.step = start.step + 1;
      report.way.parts = parts;
      return true;
    }
    state = start;
    report = before;
    v.last.back_to(parts_before);
    load(v, state);
  }
  begin(v, state.t, h);
  assign_roles(v.mechanism, state, v.ends.now, h, newton_if_light(v), v.roles);
  return false;
}

/// Makes the step of singular configurations. The state itself is moved there and back.
/// Impacts of attempts that have failed are none of its.
bool fall_back(Stepping& v, model::State& state, double h, StepReport& report) {
  const std::vector<double> u = state.u, s = state.s;
  v.position.q = state.q;
  v.velocity.P = state.P;
  forget_impacts(v.roles, v.velocity);
  spread_forces(v.mechanism, state.t, h, Kicks::one, v.ends);
  const bool ok = fallback(v.mechanism, v.roles, h, projector_of(v), state, v.ends, v.rows,
                           v.position, v.velocity, {*v.solver, newton_if_light(v), v.work, report});
  state.q.swap(v.position.q);
  state.P.swap(v.velocity.P);
  if (!ok) {
    state.u = u;
    state.s = s;
  }
  return ok;
}

/// Finds where the step leads: coordinates in v.position.q, momenta in v.velocity.P, the instant
/// there in v.ends.next. On failure v.velocity.P are the momenta that were reached. Shorter steps
/// alone change the state.
Attempt make_step(Stepping& v, model::State& state, double h, const Leave& leave,
                  StepReport& report) {
  if (is_baumgarte(v.mechanism.settings)) {
    assign_explicit_roles(v.mechanism, state, v.ends.now, v.roles);
    const bool ok = baumgarte({v.mechanism, v.roles, state, h}, v.ends, v.rows, v.position,
                              v.velocity, {*v.solver, nullptr, v.work, report});
    return {ok ? Way::single : Way::failed};
  }
  assign_roles(v.mechanism, state, v.ends.now, h, newton_if_light(v), v.roles);
  const Attempt it = attempt(v, state, h, leave, report);
  if (it.way == Way::single || it.left.unmade() || !leave.divides) return it;
  // beside redundant rows shorter steps may meet the same singular configuration: the step made for
  // these comes first there, where it may be made
  const bool falls_back = !v.mechanism.own_motion && has_rows_alone(v);
  const bool first = falls_back && v.solver->redundant();
  if (!first && step_in_parts(v, state, h, leave.instant, report)) return {Way::parts};
  const StepReport before = report;
  if (falls_back && fall_back(v, state, h, report)) return {Way::fallback};
  report = before;
  return {first && step_in_parts(v, state, h, leave.instant, report) ? Way::parts : Way::failed};
}
}  // namespace

void begin_again(Stepping& v, const model::State& state, double h) {
  if (!v.ends.now.at.inv_mass.empty()) return;  // else J, which stage V had taken to its end
  hand_over(v.ends.next.at, v.ends.now.at);
  again_at_start({v.mechanism, v.roles, state, h}, v.ends.now);
}

Left step_once(Stepping& v, model::State& state, double h, const Leave& leave, StepReport& report) {
  state.velocity.extrapolation.resize(v.roles.hold.size());
  v.ends.next.outside_known = false;
  begin(v, state.t, h);
  forget_impacts(v.roles, v.velocity);
  const auto [way, left] = make_step(v, state, h, leave, report);
  if (way == Way::parts || left.unmade()) return left;
  if (way != Way::failed && v.ends.next.at.lost_joint < 0 &&
      is_finite(v.mechanism, v.ends.next, v.position.q, v.velocity.P)) {
    commit(v, state, h, way == Way::fallback, report);
    return {};
  }
  if (v.contacts && !v.contacts->told.failure.empty())
    report.fail({v.contacts->told.failure, "contacts"});
  else
    report.fail(describe_failure(v.mechanism, v.ends, v.velocity.P, v.solver->failed_row()));
  load(v, state);
  return {};
}

}  // namespace trammel::form::velocity

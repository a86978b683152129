#include "form/velocity.h"

#include <algorithm>
#include <cmath>

#include "constraint/cone.h"
#include "constraint/contact/phases.h"
#include "form/baumgarte.h"
#include "form/fallback.h"
#include "form/rattle_exact.h"
#include "form/rattle_meetings.h"
#include "form/rattle_position.h"
#include "form/rattle_springs.h"
#include "form/rattle_velocity.h"
#include "form/solving.h"
#include "form/velocity_account.h"
#include "form/velocity_results.h"
#include "form/velocity_roles.h"

namespace trammel::form {

namespace {
constexpr int kMostMeetings = 8;     // moments at which bodies meet that may divide a step
constexpr int kMostCorrections = 4;  // of how long a part is
constexpr double kBeyond = 1e-7;     // how far a part goes beyond the meeting, of the way there
// What meets nearer to the start of a step does so there, of the step. Rows cannot be met in steps
// so short that rounding of places is a speed.
constexpr double kAtStart = 1e-9, kAtStartOfRows = 1e-3;

bool is_baumgarte(const Settings& settings) {
  return settings.scheme == Settings::Scheme::baumgarte;
}

/// Sizes both ends. Those arrays that few mechanisms need stay empty in the others.
void make_room(const velocity::Mechanism& m, velocity::Ends& ends) {
  const std::size_t n = m.model->rows.size();
  ends.now.at = ends.next.at = m.kin->make_cache();
  for (velocity::End* end : {&ends.now, &ends.next}) {
    end->u.assign(static_cast<std::size_t>(m.model->n_u), 0);
    end->rate.assign(n, 0);
    if (!m.forces.rows.empty())
      for (auto* v : {&end->rest, &end->stiffness, &end->damper}) v->assign(n, 0);
  }
  if (!m.rolls)
    for (auto* v : {&ends.next.at.J, &ends.next.at.inv_mass}) std::vector<double>().swap(*v);
}

/// Evaluates rows and inverse masses of a state at its coordinates.
void evaluate(const velocity::Mechanism& m, const model::State& state, velocity::End& now) {
  for (std::size_t i = 0; i < now.at.arc.size(); ++i) now.at.arc[i] = {state.s[i], state.piece[i]};
  m.kin->transforms(state.q.data(), state.t, now.at);
  m.kin->inverse_mass(state.q.data(), now.at);
  m.kin->jacobians(state, now.at);
  now.specs.at(state.t);
  velocity::take_springs(m, now);
}

void forget_impacts(const velocity::Roles& roles, velocity::VelocityStage& of) {
  if (roles.unilateral) std::fill(of.impact_rate.begin(), of.impact_rate.end(), law::kInf);
  of.calm.clear();
}
}  // namespace

Velocity::Velocity(const model::Model& model, const model::Params& params, Settings settings)
    : ends_(model, params),
      mechanism_(model, params, settings, ends_.now.specs),
      solver_(make_solver(mechanism_.settings, mechanism_.kin->graph())),
      roles_(velocity::make_roles(mechanism_)),
      rows_(velocity::make_rows(mechanism_)),
      position_(velocity::make_position_stage(mechanism_)),
      velocity_(velocity::make_velocity_stage(mechanism_)),
      work_(velocity::make_work(mechanism_)),
      force_(model.rows.size(), 0.0) {
  make_room(mechanism_, ends_);
  if (mechanism_.light) velocity::make_exact(mechanism_, newton_, ends_);
  if (model.contacts.any())
    contacts_ = std::make_unique<constraint::Contacts>(
        *mechanism_.kin, contact_options(settings, model.scales), settings.impacts);
}

bool Velocity::load(const model::State& state) {
  const velocity::Mechanism& m = mechanism_;
  velocity::End& now = ends_.now;
  now.at.span = {};
  velocity::hand_over(ends_.next.at, now.at);
  velocity::sort_rows(*m.kin, now.specs, state, mechanism_.table);
  velocity::reset(m.table, roles_, rows_, position_, velocity_);
  solver_->invalidate();
  solver_->set_redundant(state.rows.redundant != 0);
  if (contacts_) constraint::load(*contacts_, state);
  evaluate(m, state, now);
  if (!m.light) {
    velocity::row_rates(m, now.at, state.P, now.u, now.rate);
  } else {  // from State::u where the state has it, else from the momenta and the rows that hold
    if (state.u.size() == now.u.size())
      now.u = state.u;
    else if (!projector().velocities(now.specs, state, now.at, now.u))
      return false;
    velocity::rates_of(m, now.at, now.u, now.rate);
  }
  m.kin->follow(now.u.data(), now.at);
  if (!m.model->loads.empty()) m.kin->rates_at_loads(state.q.data(), now.u.data(), now.at);
  now.outside_known = ends_.next.outside_known = factor_kept_ = false;
  if (m.constant_forces) {
    mechanism_.gravity.resize(now.u.size());
    velocity::evaluate_forces(m, now.at, mechanism_.gravity);
  }
  if (!state.velocity.factored.empty() && !m.light)
    solver_->prepare(matrices(now.at),
                     {state.velocity.factored, state.velocity.compliance, {}, {}, m.table.others},
                     nullptr);
  return now.at.lost_joint < 0;
}

model::Projector& Velocity::projector() {
  if (!projector_) projector_ = std::make_unique<model::Projector>(*mechanism_.kin);
  return *projector_;
}

void Velocity::step(model::State& state, double h, double since, StepReport& report) {
  report.clear();
  report.bounds = !composable();
  last_.begin(state.t, since);
  if (mechanism_.settings.order != 4 || !composable() || is_baumgarte(mechanism_.settings))
    step_between_meetings(state, h, report);
  else
    step_composed(state, h, report);
  if (report.status == Status::failed) return;
  report.struck = last_.struck();
  if (last_.divided()) last_.mean_forces(force_);
}

void Velocity::step_composed(model::State& state, double h, StepReport& report) {
  // Suzuki's composition of five steps makes order 4 of a symmetric scheme of order 2
  const model::State start = state;
  const double a = 1 / (4 - std::cbrt(4.0));
  for (const double part : {a, a, 1 - 4 * a, a, 0.}) {
    // the last one ends at the very time that the step does
    step_once(state, part != 0 ? part * h : start.t + h - state.t, {}, report);
    if (report.status == Status::failed) {
      state = start;
      load(state);
      return;
    }
  }
  state.step = start.step + 1;
}

/// Makes a step in parts that end where bodies meet, or rows their stops, so that each impact is
/// found with the rates and gaps of its moment. On failure the step is made as if they did not.
void Velocity::step_between_meetings(model::State& state, double h, StepReport& report) {
  const double end = state.t + h;
  const double shortest = (mechanism_.model->rows.empty() ? kAtStart : kAtStartOfRows) * h;
  Part start, before;  // the whole step, and the part before
  double length = 0;   // of that
  int left = kMostMeetings, again = 0;
  for (;;) {
    const double rest = end - state.t;
    const double meets = step_once(state, rest, {true, left > 0}, report);
    if (!(meets < law::kInf)) break;
    if (meets < shortest && again > 0) {  // the part before was too short
      --again;
      go_back(before, state, report);
      length += meets;
    } else if (rest < 2 * shortest) {
      left = 0;
      begin_again(state, h);
      continue;
    } else {
      before = {state, report, last_.parts()};
      if (length == 0) start = before;
      length = std::max(meets, shortest);
      again = kMostCorrections;
      --left;
    }
    begin_again(state, h);
    length = land(state, length, shortest, report);
    if (report.status != Status::ok) break;
  }
  if (length == 0) return;
  if (report.status == Status::ok) return void(state.step = start.state.step + 1);
  go_back(start, state, report);
  step_once(state, h, {}, report);
}

/// Makes a step of about h in which bodies meet at its very end, or in one of the shortest; returns
/// how long it has become.
double Velocity::land(model::State& state, double h, double shortest, StepReport& report) {
  for (int left = kMostCorrections;; --left) {
    const double meets = step_once(state, h, {true, left > 0 && h > shortest}, report);
    if (!(meets < law::kInf)) return h;
    h = std::max(meets, shortest);
    begin_again(state, h);
  }
}

void Velocity::go_back(const Part& to, model::State& state, StepReport& report) {
  state = to.state;
  report = to.report;
  last_.back_to(to.parts);
  load(state);
}

/// Returns when bodies meet in the step, which is not made then, where it may; infinite: it was
/// made or has failed.
double Velocity::step_once(model::State& state, double h, const Leave& leave, StepReport& report) {
  state.velocity.extrapolation.resize(roles_.hold.size());
  ends_.next.outside_known = false;
  begin(state.t, h);
  forget_impacts(roles_, velocity_);
  const auto [way, meets] = make_step(state, h, leave, report);
  if (way == Way::parts || meets < law::kInf) return meets;
  if (way != Way::failed && ends_.next.at.lost_joint < 0 &&
      velocity::is_finite(mechanism_, ends_.next, position_.q, velocity_.P)) {
    commit(state, h, way == Way::fallback, report);
    return law::kInf;
  }
  if (contacts_ && !contacts_->told.failure.empty())
    report.fail({contacts_->told.failure, "contacts"});
  else
    report.fail(velocity::describe_failure(mechanism_, ends_, velocity_.P, solver_->failed_row()));
  load(state);
  return law::kInf;
}

/// Takes what the time alone makes of forces and constraints in a step of h.
void Velocity::begin(double t, double h) {
  ends_.next.specs.at(t + h);
  velocity::spread_forces(
      mechanism_, t, h,
      is_baumgarte(mechanism_.settings) ? velocity::Kicks::one : velocity::Kicks::two, ends_);
  follow_start(t + h);
}

/// Takes up what constraints owe to places and rates at the start, at the end as if they stayed.
void Velocity::follow_start(double t_end) {
  velocity::End& now = ends_.now;
  if (now.specs.following().empty()) return;
  now.specs.follow(now.at.g, now.rate, now.at.moving());
  ends_.next.specs.follow(now.at.g, now.rate,
                          {t_end, now.at.y.data(), now.at.y_rate.data(), ends_.next.at.span});
  constraint::take_coefficients(now.specs, mechanism_.cones);
}

/// Does the same at the end, where stage P has led: its mean rates are those half way.
void Velocity::follow_end(const velocity::Step& step) {
  const velocity::End& now = ends_.now;
  velocity::End& next = ends_.next;
  if (now.specs.following().empty()) return;
  for (const std::size_t i : now.specs.following())
    next.rate[i] = mechanism_.row(i).row.holonomic()
                       ? 2 * (next.at.g[i] - now.at.g[i]) / step.h - now.rate[i]
                       : now.rate[i];
  for (std::size_t i = 0; i < next.at.y.size(); ++i)
    next.at.y_rate[i] = 2 * (next.at.y[i] - now.at.y[i]) / step.h - now.at.y_rate[i];
  next.specs.follow(next.at.g, next.rate, next.at.moving());
  constraint::take_coefficients(next.specs, mechanism_.cones);
}

/// Finds where the step leads: coordinates in position_.q, momenta in velocity_.P, the instant
/// there in ends_.next. On failure velocity_.P are the momenta that were reached. Shorter steps
/// alone change the state.
Velocity::Attempt Velocity::make_step(model::State& state, double h, const Leave& leave,
                                      StepReport& report) {
  if (is_baumgarte(mechanism_.settings)) {
    velocity::assign_holds(mechanism_, state, ends_.now, roles_.hold);
    std::fill(roles_.spring.begin(), roles_.spring.end(), velocity::Spring::explicit_);
    const bool ok = velocity::baumgarte({mechanism_, roles_, state, h}, ends_, rows_, position_,
                                        velocity_, {*solver_, nullptr, work_, report});
    return {ok ? Way::single : Way::failed};
  }
  velocity::assign_roles(mechanism_, state, ends_.now, h, newton_if_light(), roles_);
  const Attempt it = attempt(state, h, leave.meets, report);
  if (it.way == Way::single || it.meets < law::kInf || !leave.divides) return it;
  // beside redundant rows shorter steps meet the same singular configuration
  if (!solver_->redundant() && step_in_parts(state, h, report)) return {Way::parts};
  return {!mechanism_.own_motion && !contacts_ && fall_back(state, h, report) ? Way::fallback
                                                                              : Way::failed};
}

/// Returns the matrix of exact steps where all steps are exact, else null.
velocity::Newton* Velocity::newton_if_light() { return mechanism_.light ? &newton_ : nullptr; }

/// Makes a RATTLE step with the kept factor, or, where that fails, by Newton iteration on momenta
/// and rows together. Returns false where neither converges.
Velocity::Attempt Velocity::attempt(const model::State& state, double h, bool meets,
                                    StepReport& report) {
  const std::size_t events = report.events.size();
  const velocity::Step step{mechanism_, roles_, state, h};
  if (!mechanism_.light) {
    const Attempt it = run_stages(step, meets, nullptr, report);
    if (it.way == Way::single) return it;
    report.events.resize(events);
    velocity_.P = state.P;
    if (contacts_ || !velocity::tries_exact(step, ends_.now, solver_->redundant(), work_.base))
      return it;
    velocity::make_exact(mechanism_, newton_, ends_);
    velocity::again_at_start(step, ends_.now);
  }
  const Attempt it = run_stages(step, meets, &newton_, report);
  report.newton = it.way == Way::single;
  if (report.newton) return it;
  report.events.resize(events);
  velocity_.P = state.P;
  return it;
}

/// Runs both stages, exact ones with `newton`, and reports on them; `meets`: not beyond a moment
/// within the step at which bodies meet.
Velocity::Attempt Velocity::run_stages(const velocity::Step& step, bool meets,
                                       velocity::Newton* newton, StepReport& report) {
  const velocity::Tools tools{*solver_, newton, work_, report, contacts_.get()};
  constraint::take_coefficients(ends_.now.specs, mechanism_.cones);
  const velocity::Placed placed = place(step, tools);
  if (!placed.ok) return {};
  if (meets)
    if (const double t = first_meeting(step); t < step.h) return {Way::failed, t};
  follow_end(step);
  if (!velocity::stage_velocity(step, position_, placed.J_at_end, ends_, rows_, velocity_, tools))
    return {};
  const velocity::Impulses &first = position_.impulses, &second = velocity_.impulses;
  velocity::add_outside(mechanism_, ends_.now, first.rows, first.applied, step.h / 2, report);
  ends_.next.outside_known = false;
  velocity::add_outside(mechanism_, ends_.next, second.rows, second.applied, step.h / 2, report);
  report.row_speed = velocity::worst_speed(step, ends_.next, rows_);
  return {Way::single};
}

/// How long a part of the step is to be in which bodies first meet, or a row its stop, at its end
/// [s]; infinite: none do.
double Velocity::first_meeting(const velocity::Step& step) {
  const double stop = velocity::first_stop(step, ends_);
  const double meets = contacts_ ? constraint::next_meeting(*contacts_, ends_.now.at) : law::kInf;
  const bool in_time = meets < (1 - constraint::kAtEnd) * step.h;
  return std::min(stop, in_time ? meets * (1 + kBeyond) : law::kInf);
}

/// Runs stage P, and repeats it while forces taken as explicit turn out stiff on the way.
velocity::Placed Velocity::place(const velocity::Step& step, const velocity::Tools& tools) {
  for (;;) {
    // as many iterations as in the last two steps are likely to do again. Not along tracks, where
    // J(q+) would begin its projections from another place than after the values
    const bool foreseen = iterations_.last == iterations_.before && !mechanism_.rolls &&
                          mechanism_.model->n_arcs == 0 && !contacts_;
    const velocity::Placed placed =
        tools.newton ? velocity::exact_position(step, ends_, rows_, position_, tools)
                     : velocity::stage_position(step, foreseen ? iterations_.last : -1, ends_,
                                                rows_, position_, tools);
    if (placed.ok && velocity::follows_stiffly(step, position_)) {
      if (placed.J_at_end) velocity::take_back_J(step, ends_);
      return {};
    }
    if (placed.ok && !tools.newton) iterations_ = {placed.iterations, iterations_.last};
    if (!placed.ok || !velocity::stiffen(step, ends_, roles_.spring)) return placed;
    if (placed.J_at_end) velocity::take_back_J(step, ends_);
  }
}

/// Makes ready for another attempt at a step after one that was not made.
void Velocity::begin_again(const model::State& state, double h) {
  if (!ends_.now.at.inv_mass.empty()) return;  // else J, which stage V had taken to its end
  velocity::hand_over(ends_.next.at, ends_.now.at);
  velocity::again_at_start({mechanism_, roles_, state, h}, ends_.now);
}

/// Makes two, four or eight shorter steps where one has found no solution. Returns false where
/// these fail too: the state is as before.
bool Velocity::step_in_parts(model::State& state, double h, StepReport& report) {
  const model::State start = state;
  const StepReport before = report;
  const std::size_t parts_before = last_.parts();
  begin_again(state, h);
  for (const int parts : {2, 4, 8}) {
    bool ok = true;
    for (int k = 0; ok && k < parts; ++k) {
      const double to = k + 1 == parts ? start.t + h : start.t + h * (k + 1) / parts;
      step_once(state, to - state.t, {false}, report);
      ok = report.status == Status::ok;
    }
    if (ok) {
      state.step = start.step + 1;
      report.parts = parts;
      return true;
    }
    state = start;
    report = before;
    last_.back_to(parts_before);
    load(state);
  }
  begin(state.t, h);
  velocity::assign_roles(mechanism_, state, ends_.now, h, newton_if_light(), roles_);
  return false;
}

/// Makes the step of singular configurations. The state itself is moved there and back.
/// Impacts of attempts that have failed are none of its.
bool Velocity::fall_back(model::State& state, double h, StepReport& report) {
  const std::vector<double> u = state.u, s = state.s;
  position_.q = state.q;
  velocity_.P = state.P;
  forget_impacts(roles_, velocity_);
  velocity::spread_forces(mechanism_, state.t, h, velocity::Kicks::one, ends_);
  const bool ok =
      velocity::fallback(mechanism_, roles_, h, projector(), state, ends_, rows_, position_,
                         velocity_, {*solver_, newton_if_light(), work_, report});
  state.q.swap(position_.q);
  state.P.swap(velocity_.P);
  if (!ok) {
    state.u = u;
    state.s = s;
  }
  return ok;
}

/// Takes the end of the step into the state, the report and the beginning of the next step.
void Velocity::commit(model::State& state, double h, bool fell_back, StepReport& report) {
  const velocity::Mechanism& m = mechanism_;
  const velocity::Made made{m, roles_, ends_, rows_, position_, velocity_, h, fell_back};
  const velocity::Gaps gaps = velocity::find_gaps(made);
  report.gap = std::max(report.gap, gaps.length);
  report.angle = std::max(report.angle, gaps.angle);
  velocity::add_works(made, work_.x, state.ledger);
  velocity::LastStep::Part& part = last_.add(force_.size(), state.t, h);
  if (contacts_) constraint::add_impulses_of_points(*contacts_, part.points);
  if (contacts_) velocity::add_contacts(*contacts_, ends_, state, report);
  part.struck = report.struck;
  velocity::keep_multipliers(made, state, force_, part);
  velocity::report_row_impulses(made, report);
  if (report.fallback) velocity::drop_multipliers(state);
  velocity::update_yielded(made, force_, state.rows.yielded, report);
  state.q.swap(position_.q);
  state.P.swap(velocity_.P);
  state.rows.bound = rows_.bound;
  if (!state.acceleration.recovery.empty()) state.acceleration = {};
  if (state.energy.h != 0 || !state.energy.q.empty() || !state.energy.impulses.empty())
    state.energy = {};
  state.rows.h = h;
  state.rows.redundant = solver_->redundant();
  factor_kept_ =
      velocity::keep_factor(m.table, is_baumgarte(m.settings) ? solve::Rows{} : solver_->prepared(),
                            factor_kept_, state.velocity);
  velocity::keep_places(m, ends_.next.at, state);
  state.t += h;
  ++state.step;
  swap(ends_.now, ends_.next);
  ends_.now.at.span = {};
  velocity::take_pose(ends_.next.at, part);
  ends_.next.at.arc = ends_.now.at.arc;
  if (m.kin->light()) state.u = ends_.now.u;
  if (roles_.unilateral) lift_out(state, report);
}

double Velocity::total_energy(const model::State& state) const {
  return constraint::total_energy(*mechanism_.kin, state, ends_.now.u.data(), ends_.now.at);
}

constraint::Standing Velocity::standing(model::State& state) {
  return {*mechanism_.kin, projector(), ends_.now.specs, state, ends_.now.at, [this, &state] {
            load(state);
            return total_energy(state);
          }};
}

void Velocity::take_jump(const constraint::Jump& jump, StepReport& report) {
  ends_.now.outside_known = false;
  report.corrected += jump.corrected;
  report.events.insert(report.events.end(), jump.events.begin(), jump.events.end());
  if (!jump.impulses.empty())
    velocity::add_outside(mechanism_, ends_.now, jump.impulses, {}, 0, report);
}

/// Corrects the position of unilateral rows that rest beyond their stop.
void Velocity::lift_out(model::State& state, StepReport& report) {
  const velocity::Sunk sunk = velocity::find_sunk(mechanism_, roles_, ends_.now);
  if (sunk.depth == 0) return;
  constraint::Jump jump;
  constraint::correct_positions(standing(state),
                                mechanism_.settings.tolerance.share(mechanism_.model->scales),
                                sunk.depth, mechanism_.joint_of(sunk.row).name, jump);
  constraint::correct_velocities(standing(state), jump);  // the rows have turned a little
  take_jump(jump, report);
}

void Velocity::project(model::State& state, const std::string& why, const std::string& subject,
                       StepReport& report) {
  load(state);
  const double tolerance = mechanism_.settings.tolerance.share(mechanism_.model->scales);
  const constraint::Jump jump = constraint::jump(standing(state), tolerance, why, subject);
  take_jump(jump, report);
  report.add_row_impulses(jump.impulses.size(), [&](std::size_t i) { return jump.impulses[i]; });
  velocity::drop_multipliers(state);
}

}  // namespace trammel::form

#include "sim/simulation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "constraint/contact/wrenches.h"
#include "constraint/derail.h"
#include "constraint/guards.h"
#include "constraint/rows.h"
#include "constraint/strength.h"
#include "form/meter.h"
#include "math/index.h"
#include "math/root.h"
#include "model/inputs.h"
#include "model/ledger.h"
#include "model/project.h"
#include "sim/bad_forces.h"
#include "sim/chart_end.h"
#include "sim/instruments.h"
#include "sim/peaks.h"
#include "sim/recorder.h"
#include "sim/size.h"
#include "solve/product.h"

namespace trammel::sim {

namespace {

constexpr double kPassed = -1e-9;         // of the mechanism's length: a guard has been crossed
constexpr double kTimeTolerance = 1e-10;  // tolerance of an event's time, in steps
constexpr long kMostStops = 10'000;       // most switches of signals in a step of the grid

/// True for a scheme of two steps, which loses more by two cut steps than by a kink of a signal.
bool keeps_history(const form::Settings& f) {
  return f.formulation == form::Settings::Formulation::energy &&
         f.difference == form::Settings::Difference::bdf2;
}

/// True for methods that find the length of their steps by their accuracy.
bool finds_steps(const form::Settings& f) {
  return f.formulation == form::Settings::Formulation::acceleration &&
         f.method != RungeKuttaMethod::rk4;
}

/// The mechanism with a model whose signals read these values.
model::Built reading(model::Built built, const std::shared_ptr<LiveValues>& values) {
  if (!built.model || !model::reads_inputs(*built.model)) return built;
  auto own = std::make_shared<model::Model>(*built.model);
  model::bind_inputs(*own, values);
  built.model = std::move(own);
  return built;
}

/// Returns the settings, or throws std::invalid_argument with all that is wrong with them.
Settings checked(const model::Built& built, Settings s) {
  if (!built.model) throw std::invalid_argument("there is no model: build one first");
  std::vector<Problem> problems = wrong(s);
  for (const ProbeSpec& p : s.probes)
    for (const std::string& body : {p.body, p.axes, p.relative_to})
      if (body != "world" && !body.empty() && built.model->find_object(body) < 0)
        problems.push_back({p.path.empty() ? "probe." + p.name : p.path,
                            fmt::format("there is no body '{}'", body)});
  if (problems.empty()) problems = refused(built, s);
  std::string all;
  for (const Problem& p : problems) all += (all.empty() ? "" : "\n") + p.path + ": " + p.text;
  if (!problems.empty()) throw std::invalid_argument(all);
  return s;
}

}  // namespace

Simulation::Simulation(const model::Built& built, Settings settings)
    : Simulation(Bare{}, built, std::move(settings)) {
  add_instruments();
}

Simulation::~Simulation() = default;

Simulation::Simulation(Bare, const model::Built& built, Settings settings)
    : live_(std::make_shared<LiveValues>(model::inputs_of(built.state))),
      built_(reading(built, live_)),
      settings_(checked(built_, std::move(settings))),
      form_(*built_.model, built_.params, settings_.form),
      state_(built.state),
      watch_(built_, settings_),
      timetable_(*built_.model, keeps_history(settings_.form)),
      conflicts_(built_, settings_.form, form_),
      angles_(*built_.model) {
  const model::Model& m = *built_.model;
  t0_ = state_.t;
  total_ = std::max(1L, std::lround(std::ceil(settings_.duration / settings_.step - 1e-7)));
  const double output =
      settings_.output_step > 0 ? settings_.output_step : settings_.duration / 500;
  output_every_ = std::max(1L, std::lround(output / settings_.step));
  joint_of_arc_.assign(at(m.n_arcs), -1);
  for (std::size_t j = 0; j < m.joints.size(); ++j)
    if (m.joints[j].arc >= 0) joint_of_arc_[at(m.joints[j].arc)] = static_cast<int>(j);
  for (const ProbeSpec& p : settings_.probes) probe_object_.push_back(m.find_object(p.body));
  probe_.assign(settings_.probes.size(), Vec3::Zero());
  if (settings_.form.impulses) wrench_impulses_.assign(constraint::wrench_impulses_size(m), 0);
  watch_.peaks = std::make_unique<Peaks>(*this, watch_.seen.peaks);
  form_.load(state_);
  energy_ = form_.total_energy(state_);
  if (state_.ledger[model::kInitial] == 0) state_.ledger[model::kInitial] = energy_;
  form_.kinematics().momentum(state_.q.data(), state_.P.data(), linear_, angular_);
  impact_at_start();
  arm_ = model::greatest_arm(mechanism(), built_.params);
  scale_momentum(settings_.step);
  centre_at_start_ = find_centre();
  watch_.begin(form_, state_);
  for (std::size_t i = 0; i < settings_.probes.size(); ++i)
    probe_velocity_.push_back(probe_velocity(i, state_));
  find_probe_bodies();
  find_first_forces();
  track_guards_ = at(m.n_arcs) * constraint::kGuards;
}

std::vector<form::Event> Simulation::take_events() { return std::exchange(events_, {}); }

bool Simulation::advance() {
  if (!failure_.empty() || finished()) return failure_.empty();
  const double begin = state_.t;
  if (k_ == 0 && begin == t0_ && !timetable_.empty() && !pass_start()) return false;
  if (settings_.transients) renew_transients();
  if (!failure_.empty()) return false;
  long k = k_;
  const double t = std::min(next_on_grid(k), end());
  const std::size_t told = events_.size();
  smooth_ = changed_ == 0;
  take_inputs();
  if (!advance_to(t)) return false;
  break_overloaded();
  smooth_ &= events_.size() == told;
  const double h = (ended_.empty() ? t : state_.t) - begin;
  if (!ended_.empty() && !(h > 0)) return true;
  k_ = k;
  ++summary_.steps;
  summary_.simulated = begin + h - t0_;
  audit(h);
  if (!failure_.empty()) return false;
  see_probes(h);
  see_strains();
  watch_.peaks->see(k_ % output_every_ == 0);
  watch_.peaks->end_step();
  if (k_ % output_every_ == 0) {
    see_missing_numbers();
    if (const std::string why = conflicts_.hidden(state_); !why.empty())
      failure_ = fmt::format("t = {:.6g} s: {}", state_.t, why);
  }
  return failure_.empty();
}

/// Returns the next time of the grid, and in k how many steps lead there. A run that goes on from
/// an end between two times of the grid has that step counted already.
double Simulation::next_on_grid(long& k) const {
  const auto time = [&](long i) { return t0_ + static_cast<double>(i) * settings_.step; };
  if (k == 0 || state_.t >= time(k) - kTooShort * settings_.step) ++k;
  return time(k);
}

/// Returns the last time of the grid that has been reached.
double Simulation::last_on_grid() const {
  const double steps = std::floor((state_.t - t0_) / settings_.step + kTooShort);
  return std::min(t0_ + steps * settings_.step, state_.t);
}

bool Simulation::advance_to(double t) {
  const double near = kTooShort * settings_.step;
  for (long stops = 0; t - state_.t > near && ended_.empty();) {
    const double next = until(t, near);
    double h = next - state_.t;
    Timetable::Stop stop;
    if (!timetable_.empty()) stop = timetable_.next(state_.t + near, next + near, near);
    if (!stop.fault.empty()) {
      failure_ = fmt::format("t = {:.6g} s: {}", state_.t, stop.fault);
      return false;
    }
    const bool stops_here = stop.t < law::kInf;
    if (stops_here) h = stop.before - state_.t;
    double taken = 0;
    if (built_.model->n_arcs > 0 || watches()) {
      if (!locate(h, taken)) return false;
    } else {
      if (!substep(h)) return false;
      taken = h;
    }
    if (stops_here && taken == h) {
      pass_switch(stop);
      smooth_ = false;
      ++stops;
    }
    if (!control()) return false;
    if (stops < kMostStops) continue;
    failure_ = fmt::format("t = {:.6g} s: signals switch more than {} times in one step", state_.t,
                           kMostStops);
    return false;
  }
  return true;
}

/// Takes the state past a jump of signals at the start. Returns false where the signals cannot be
/// followed.
bool Simulation::pass_start() {
  const Timetable::Stop stop = timetable_.start(state_.t, settings_.step);
  if (!stop.fault.empty())
    failure_ = fmt::format("t = {:.6g} s: {}", state_.t, stop.fault);
  else if (stop.jumps)
    pass_switch(stop);
  return stop.fault.empty();
}

/// Takes the state past a jump or kink of signals, and projects it where rows jump.
void Simulation::pass_switch(const Timetable::Stop& stop) {
  state_.t = stop.t;
  if (stop.jumps) forget_last_step();  // the last step says nothing of what follows
  if (!stop.projects) {
    form_.load(state_);
    return;
  }
  form::StepReport report;
  form_.project(state_, fmt::format("a signal jumps at t = {:.6g} s", state_.t), "signal", report);
  absorb(report);
}

void Simulation::absorb(const form::StepReport& r) {
  summary_.max_gap = std::max(summary_.max_gap, r.gap);
  summary_.max_angle = std::max(summary_.max_angle, r.angle);
  summary_.max_row_speed = std::max(summary_.max_row_speed, r.row_speed);
  summary_.merit = std::max(summary_.merit, r.merit);
  summary_.iterations += r.iterations;
  summary_.factorisations += r.factorisations;
  summary_.newton_steps += r.way.newton;
  summary_.parted_steps += r.way.parts > 0;
  summary_.fallbacks += r.way.fallback;
  summary_.order2_steps += r.bounds;
  watch_.see_contacts(r.contacts, state_.t);
  impulse_ += r.momentum.impulse;
  moment_ += r.momentum.moment + r.momentum.corrected;
  watch_.peaks->see_impacts(r);
  for (std::size_t i = 0; i < r.wrench_impulses.size(); ++i)
    wrench_impulses_[i] += r.wrench_impulses[i];
  // a jump of rows that the velocities meet already is no impact
  const double rounding = 1e-13 * (std::abs(energy_) + summary_.energy_scale);
  for (const form::Event& e : r.events) {
    if (e.kind == form::EventKind::impact && e.unit == "J" && std::abs(e.value) <= rounding)
      continue;
    events_.push_back(e);
    ++summary_.events;
  }
}

void Simulation::step(double h) {
  angles_.remember(form_.now());
  form_.step(state_, h, last_on_grid(), report_);
  form::Meter* meter = settings_.form.meter;
  if (!meter) return;
  const form::Meter::Costs& c = meter->costs;
  meter->add(c.step + report_.iterations * c.iteration + report_.factorisations * c.factorisation);
}

bool Simulation::substep(double h) {
  double before = 0;
  if (conflicts_.possible()) {
    before = kinetic();
    u_before_ = form_.velocities();
  }
  step(h);
  if (report_.status != form::Status::ok) {
    fail(h);
    return false;
  }
  if (!keep()) return false;
  if (!jams(before)) return true;
  const std::string joints = conflicts_.jammed(state_);
  if (joints.empty()) return true;
  failure_ = fmt::format("t = {:.6g} s: the motion ends in a jam: {}", state_.t, joints);
  return false;
}

/// Takes over the results of a good step. Returns false where an angle that a law acts on has lost
/// its meaning in it.
bool Simulation::keep() {
  absorb(report_);
  watch_.end_kink(state_);
  if (finds_steps(settings_.form)) return true;
  const std::string lost = angles_.lost(form_, state_);
  if (!lost.empty()) failure_ = fmt::format("t = {:.6g} s: {}", state_.t, lost);
  return lost.empty();
}

/// Describes in failure_ why a step of h was refused: where the formulation names nobody, with a
/// body that turns too far or joints that contradict each other.
void Simulation::fail(double h) {
  constexpr double kFarTurn = 2;  // [rad] within a step, beyond which a free turn is not found
  if (settings_.form.meter && settings_.form.meter->cut()) return;  // told to stop: no failure
  if (ends_of_chart(h)) return;
  const std::string bad = describe_bad_force(form_, state_, h);
  failure_ = fmt::format("t = {:.6g} s: {}", state_.t, bad.empty() ? report_.reason : bad);
  if (bad.empty() && !report_.about.empty()) return;
  failure_ += track_place(built_, state_);
  if (!bad.empty()) return;
  double fastest = 0;
  for (const model::Object& o : built_.model->objects) {
    if (o.block < 0 || o.jacobian >= 0) continue;  // the u of other bodies is not velocity and spin
    const double* u = form_.velocities().data() + built_.model->blocks[at(o.block)].v;
    fastest = std::max(fastest, vec3(u).norm());
    const double turn = h * body::turn(o.motion_kind, u).norm();
    if (turn > kFarTurn) {
      failure_ += fmt::format(
          ": body '{}' turns by {:.3g} rad in this step of {:.3g} s: take a shorter one", o.name,
          turn, h);
      return;
    }
  }
  const double near = 2 * h * fastest + 1e-3 * mechanism().scales.length;
  const std::string why = conflicts_.at_failure(state_, state_.t + h, near);
  if (!why.empty())
    failure_ += ": " + why;
  else if (can_touch(*built_.model) &&
           settings_.form.formulation == form::Settings::Formulation::velocity)
    failure_ += fmt::format(
        "; what is struck hard may turn too far for a step of {:.3g} s: take a shorter one", h);
}

double Simulation::kinetic() const {
  return form_.kinematics().kinetic_energy(state_.P.data(), form_.velocities().data());
}

/// True for a fallback step by which redundant rows, and no impact, take most of the motion or turn
/// it back. The motion left is measured by the momenta along the velocities before.
bool Simulation::jams(double before) const {
  // as shares of the kinetic energy before, and of the energies moved
  constexpr double kShare = 0.5, kCounts = 1e-6;
  if (!report_.way.fallback || !(before > kCounts * summary_.energy_scale)) return false;
  for (const form::Event& e : report_.events)
    if (e.kind == form::EventKind::impact) return false;
  double along = 0;
  for (std::size_t i = 0; i < u_before_.size(); ++i) along += 0.5 * u_before_[i] * state_.P[i];
  return along < kShare * before;
}

/// Makes a step of h, or up to the first time in it at which a guard is crossed; `taken` says how
/// far.
bool Simulation::locate(double h, double& taken) {
  saved_ = state_;
  evaluate_guards(guard_start_);
  step(h);
  const auto worst = [&] {
    evaluate_guards(guard_);
    double least = law::kInf;
    for (std::size_t i = 0; i < guard_.size(); ++i)
      if (crossed(i)) least = std::min(least, guard_[i]);
    return least;
  };
  const bool good = report_.status == form::Status::ok;
  const double end = good ? worst() : law::kInf;
  if (good && end == law::kInf) {
    taken = h;
    if (!keep()) return false;
    see_sides();
    return failure_.empty();
  }
  if (!good) {
    fail(h);
    return false;
  }
  std::vector<std::size_t> crossed;
  for (std::size_t i = 0; i < guard_.size(); ++i)
    if (this->crossed(i)) crossed.push_back(i);
  std::vector<double> change = guard_;  // of all guards over the whole step
  for (std::size_t i = 0; i < change.size(); ++i) change[i] -= guard_start_[i];
  const auto value = [&](double part) {  // least of the crossed guards after a step of `part`
    state_ = saved_;
    form_.load(state_);
    step(part);
    evaluate_guards(guard_);
    double least = law::kInf;
    for (const std::size_t i : crossed) least = std::min(least, guard_[i]);
    return least;
  };
  double start = law::kInf;
  for (const std::size_t i : crossed) start = std::min(start, guard_start_[i]);
  taken = start <= 0 ? 0 : find_root(value, 0.0, h, start, end, kTimeTolerance * settings_.step);
  state_ = saved_;
  form_.load(state_);
  if (taken > kTooShort * settings_.step) {
    if (!substep(taken)) return false;
  } else {
    taken = 0;
  }
  see_sides(crossed);
  evaluate_guards(guard_);
  handle_events(crossed, change);
  return failure_.empty();
}

void Simulation::evaluate_guards(std::vector<double>& guards) const {
  guards.clear();
  if (built_.model->n_arcs > 0) constraint::guards(form_.kinematics(), form_.now(), state_, guards);
  if (watches()) evaluate_sensors(guards);
}

/// True where a guard has been crossed in the step that was made.
bool Simulation::crossed(std::size_t i) const {
  return i < track_guards_
             ? guard_[i] < kPassed * mechanism().scales.length && guard_[i] < guard_start_[i]
             : guard_[i] < 0;
}

void Simulation::handle_event(std::size_t guard) {
  if (guard >= track_guards_) return pass_value(guard - track_guards_);
  const std::size_t arc = guard / constraint::kGuards;
  const auto kind = static_cast<constraint::Guard>(guard % constraint::kGuards);
  const int joint = joint_of_arc_[arc];
  if (!state_.on[at(joint)]) return;
  if (kind == constraint::Guard::derail)
    leave_track(joint, form::EventKind::derail,
                constraint::derail_cause(form_.kinematics(), form_.now(), at(joint)));
  else
    pass_joint(arc, joint, kind == constraint::Guard::ahead);
}

void Simulation::release(int joint, form::EventKind kind, const std::string& why, double value,
                         const std::string& unit) {
  const double energy = form_.total_energy(state_);
  constraint::release(*built_.model, joint, state_.on);
  state_.velocity.factored.clear();
  forget_last_step();
  form_.load(state_);
  // energy that its springs stored
  state_.ledger[model::kImpacts] += form_.total_energy(state_) - energy;
  events_.push_back({state_.t, kind, built_.model->joints[at(joint)].name, why, value, unit});
  ++summary_.events;
}

/// Forgets the state one step back, which two-step schemes would carry across a jump of forces.
void Simulation::forget_last_step() { state_.energy.forget(); }

void Simulation::leave_track(int joint, form::EventKind kind, const std::string& why) {
  release(joint, kind, why, state_.s[at(built_.model->joints[at(joint)].arc)], "m");
}

/// Takes a joint from one analytic piece of its track to the next, where rows may jump.
void Simulation::pass_joint(std::size_t arc, int joint, bool ahead) {
  const model::Joint& j = mechanism().joints[at(joint)];
  const track::Track& track = *built_.model->tracks[at(j.track)].track;
  const int last = static_cast<int>(track.pieces()) - 1;
  int& piece = state_.piece[arc];
  const bool over = ahead ? piece == last : piece == 0;
  if (over && !track.closed())
    return leave_track(
        joint, form::EventKind::open_end,
        fmt::format("has run off the {} of track '{}'", ahead ? "end" : "start", track.name()));
  const std::size_t border = at(ahead ? (over ? 0 : piece + 1) : piece);
  if (over) state_.s[arc] += ahead ? -track.length() : track.length();
  piece = over ? (ahead ? 0 : last) : piece + (ahead ? 1 : -1);
  if (const std::string why = conflicts_.behind(state_, joint, ahead); !why.empty()) {
    failure_ = fmt::format("t = {:.6g} s: {}", state_.t, why);
    return;
  }
  const geom::Jump jump = track.jump(border);
  if (jump == geom::Jump::none) {
    form_.load(state_);
    return;
  }
  if (jump == geom::Jump::kink) watch_.begin_kink(static_cast<int>(arc), j.track, state_);
  form::StepReport report;
  form_.project(state_,
                fmt::format("the {} of track '{}' jumps at s = {:.3f} m",
                            jump == geom::Jump::kink ? "direction" : "curvature or twist",
                            track.name(), track.piece_start(border)),
                j.name, report);
  absorb(report);
  watch_.end_kink(state_);
}

/// Returns the velocity of a point of a body whose u is not its own motion [m/s].
Vec3 Simulation::moving_point(int object, const Vec3& point, const model::State& state) const {
  model::KinematicsCache cache = form_.now();
  form_.kinematics().rates(state.q.data(), form_.velocities().data(), cache);
  const body::Rate& rate = cache.rate[at(object)];
  return rate.v + rate.A * (point - built_.model->objects[at(object)].com);
}

Vec3 Simulation::probe_velocity(std::size_t i, const model::State& state) const {
  const int object = probe_object_[i];
  const model::Object& o = built_.model->objects[at(object)];
  if (o.block < 0) return Vec3::Zero();
  if (o.jacobian >= 0) return moving_point(object, settings_.probes[i].point, state);
  const double* u = form_.velocities().data() + built_.model->blocks[at(o.block)].v;
  const Vec3 x = settings_.probes[i].point - o.com;
  return body::point_velocity(o.motion_kind, form_.now().T_WO[at(object)], u, x);
}

PeakList Simulation::peaks() const { return watch_.peaks->list(); }

/// What an accelerometer at the probe shows after a step of h.
Vec3 Simulation::felt(std::size_t probe, double h, const Vec3& gravity,
                      const model::State& state) const {
  const Mat3& R = form_.now().T_WO[at(probe_object_[probe])].A;
  return R.transpose() * ((probe_velocity(probe, state) - probe_velocity_[probe]) / h - gravity);
}

/// Updates the probes after a step of h.
void Simulation::see_probes(double h) {
  const Vec3 g = vec3(built_.params.values.data() + model::kGravityParam);
  for (std::size_t i = 0; i < probe_.size(); ++i) {
    probe_[i] = felt(i, h, g, state_);
    probe_velocity_[i] = probe_velocity(i, state_);
  }
  if (h > 0) see_probe_motions(h);
}

/// Reports bodies whose strain passes its limit in this step for the first time.
void Simulation::see_strains() {
  std::size_t item = 0;
  for (const model::Joint& joint : built_.model->joints) {
    if (!joint.strain()) continue;
    const model::Object& body = built_.model->objects[at(joint.object_A)];
    const double now = greatest_strain(joint, form_.now().g),
                 before = std::abs(watch_.peaks->so_far("/bodies/strain", item++));
    if (!(std::abs(now) > body.strain_limit) || before > body.strain_limit) continue;
    events_.push_back({state_.t, form::EventKind::strain, body.name,
                       fmt::format("a strain of {:.3g} exceeds the limit of {:.3g}: the body is "
                                   "softer than one that is meant to keep its shape",
                                   now, body.strain_limit),
                       now, "1"});
    ++summary_.events;
  }
}

const model::KinematicsCache& Simulation::running_cache(const model::State& state) {
  rates_cache_ = form_.now();
  form_.kinematics().rates(state.q.data(), form_.velocities().data(), rates_cache_);
  return rates_cache_;
}

}  // namespace trammel::sim

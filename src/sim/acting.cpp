// Sensors and controllers while a run goes on: when controllers act, events of sensors.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/index.h"
#include "sim/instruments.h"
#include "sim/simulation.h"

namespace trammel::sim {

/// What the sensors and controllers remember is that of the state, if it comes from such a run.
void Simulation::add_instruments() {
  const std::vector<model::Input>& inputs = model().inputs;
  const bool controlled =
      std::any_of(inputs.begin(), inputs.end(), [](const auto& i) { return i.controlled; });
  if (settings_.sensors.empty() && settings_.controllers.empty() && !controlled) return;
  std::vector<Problem> problems;
  auto made = std::make_unique<Instruments>(*this, settings_, problems);
  const std::vector<double> fresh = made->memory_at_start(state_.t);
  if (state_.memory.empty()) state_.memory = fresh;
  if (state_.sides.empty()) state_.sides.assign(made->events(), 0);
  if (state_.memory.size() != fresh.size() || state_.sides.size() != made->events())
    problems.push_back({"state", "it is of a run with other controllers or events"});
  std::string all;
  for (const Problem& p : problems) all += (all.empty() ? "" : "\n") + p.path + ": " + p.text;
  if (!problems.empty()) throw std::invalid_argument(all);
  instruments_ = std::move(made);
  see_sides();
  const LiveValues before = *live_;
  control();
  see_missing_numbers();
  for (std::size_t i = 0; i < before.size(); ++i)
    if (before[i].x != (*live_)[i].x) return find_first_forces();
}

/// The time of the grid, or the sample of a controller before it.
double Simulation::until(double t, double near) const {
  if (!instruments_) return t;
  for (std::size_t i = 0; i < instruments_->controllers(); ++i)
    if (const double next = instruments_->next_sample(state_, i); next < t - near) t = next;
  return t;
}

/// Lets the controllers act whose time has come, one after the other. Returns false, with a
/// failure, where one gives what is no number.
bool Simulation::control() {
  if (!instruments_) return true;
  const double near = kTooShort * settings_.step;
  bool looked = false;
  for (std::size_t i = 0; i < instruments_->controllers(); ++i) {
    if (!(instruments_->next_sample(state_, i) <= state_.t + near)) continue;
    if (looked)
      instruments_->look_at_inputs();
    else
      instruments_->look();
    looked = true;
    const std::vector<double> given = instruments_->act(i, state_);
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (!std::isfinite(given[k])) {
        failure_ = fmt::format("t = {:.6g} s: controller '{}' gives {}", state_.t,
                               settings_.controllers[i].name, given[k]);
        return false;
      }
      put_input(instruments_->outputs(i)[k], given[k]);
    }
  }
  if (changed_ != 0) smooth_ = false;
  if (looked) take_inputs();
  return failure_.empty();
}

bool Simulation::watches() const { return instruments_ && instruments_->events() > 0; }

namespace {
/// Whether a crossing from a side is what the event is about.
bool asked(const SensorEvent& e, int side) {
  return e.direction == SensorEvent::Direction::both ||
         (e.direction == SensorEvent::Direction::rising) == (side < 0);
}
}  // namespace

/// A guard of each event: how far its sensor is on the side where it was.
void Simulation::evaluate_sensors(std::vector<double>& guards) const {
  instruments_->look();
  for (std::size_t i = 0; i < instruments_->events(); ++i) {
    const Instruments::Passing p = instruments_->passing(i);
    const int side = state_.sides[i];
    const bool watched = side != 0 && asked(instruments_->event(i), side);
    const double left = p.near() ? std::abs(p.above) : side * p.above;
    guards.push_back(watched ? left : law::kInf);
  }
}

/// Notes on which side of their values the sensors are, but for those whose guards are being
/// crossed.
void Simulation::see_sides(std::span<const std::size_t> crossed) {
  if (!watches()) return;
  instruments_->look();
  for (std::size_t i = 0; i < instruments_->events(); ++i) {
    const Instruments::Passing p = instruments_->passing(i);
    if (std::isnan(p.above))
      failure_ =
          fmt::format("t = {:.6g} s: sensor '{}' is no number: whether it passes {} cannot be seen",
                      state_.t, settings_.sensors[p.sensor].name, p.at);
    const bool crossing =
        std::find(crossed.begin(), crossed.end(), track_guards_ + i) != crossed.end();
    if (!p.near() && !crossing) state_.sides[i] = p.above > 0 ? 1 : -1;
  }
}

/// Counts the sensors that have no finite value in a frame of the results.
void Simulation::see_missing_numbers() {
  if (!instruments_) return;
  watch_.seen.no_numbers.resize(instruments_->count());
  instruments_->look();
  for (std::size_t i = 0; i < instruments_->count(); ++i) {
    if (std::isfinite(instruments_->sensor(i))) continue;
    Missing& m = watch_.seen.no_numbers[i];
    ++m.frames;
    m.t_first = std::min(m.t_first, state_.t);
  }
}

/// Handles those guards that are crossed by now: at least the one that comes first. `change`: of
/// each over the whole step, as guards have units of their own.
void Simulation::handle_events(const std::vector<std::size_t>& crossed,
                               const std::vector<double>& change) {
  constexpr double kAtOnce = 1e-9;  // of the change
  const std::vector<double> values = guard_;
  const auto left = [&](std::size_t i) {
    return change[i] != 0 ? values[i] / std::abs(change[i]) : 0;
  };
  double least = law::kInf;
  for (const std::size_t i : crossed) least = std::min(least, left(i));
  for (const std::size_t i : crossed)
    if (left(i) <= least + kAtOnce) handle_event(i);
}

/// A sensor has passed the value of an event.
void Simulation::pass_value(std::size_t i) {
  const Instruments::Passing p = instruments_->passing(i);
  const SensorEvent& e = instruments_->event(i);
  const SensorSpec& sensor = settings_.sensors[p.sensor];
  const bool rising = state_.sides[i] < 0;
  state_.sides[i] = rising ? 1 : -1;
  const std::string& unit = instruments_->unit(p.sensor);
  std::string text = fmt::format("{} through {:.6g}{}", rising ? "rises" : "falls", p.at,
                                 unit == "1" ? "" : " " + unit);
  if (!e.text.empty()) text = e.text + ": it " + text;
  if (e.stop) ended_ = fmt::format("'{}': {} at t = {:.6g} s", sensor.name, text, state_.t);
  events_.push_back(
      {state_.t, form::EventKind::crossing, sensor.name, std::move(text), p.at, unit});
  ++summary_.events;
}

void Simulation::find_probe_bodies() {
  const auto object = [&](const std::string& name) {
    return name.empty() || name == "world" ? 0 : model().find_object(name);
  };
  for (const ProbeSpec& p : settings_.probes)
    probe_bodies_.push_back({object(p.body), object(p.axes), object(p.relative_to)});
  probe_acceleration_.assign(probe_bodies_.size(), Vec3::Zero());
  probe_seen_.assign(probe_bodies_.size(), Vec3::Zero());
  see_probe_motions(0);
}

ProbeMotion Simulation::probe_motion(std::size_t probe, const model::KinematicsCache& now) const {
  const ProbeBodies& b = probe_bodies_[probe];
  const auto place = [&](int object, const Vec3& point) {
    const body::Transform& T = now.T_WO[at(object)];
    return Vec3(T.p + T.A * (point - model().objects[at(object)].com));
  };
  const auto velocity = [&](int object, const Vec3& point) {
    const body::Rate& rate = now.rate[at(object)];
    return Vec3(rate.v + rate.A * (point - model().objects[at(object)].com));
  };
  const auto spin = [&](int object) {
    return body::angular_velocity(model().objects[at(object)].motion_kind, now.T_WO[at(object)],
                                  now.rate[at(object)]);
  };
  const Vec3& point = settings_.probes[probe].point;
  ProbeMotion out{place(b.body, point) - place(b.from, Vec3::Zero()), velocity(b.body, point),
                  spin(b.body)};
  if (b.from == 0) return out;
  const Vec3 w = spin(b.from);
  out.v -= velocity(b.from, Vec3::Zero()) + w.cross(out.p);
  out.w -= w;
  return out;
}

/// The probe's velocity in the axes of the body that it is seen from.
Vec3 Simulation::velocity_seen(std::size_t probe, const model::KinematicsCache& now) const {
  const int from = probe_bodies_[probe].from;
  const Mat3 R = body::rotation(model().objects[at(from)].motion_kind, now.T_WO[at(from)].A);
  return R.transpose() * probe_motion(probe, now).v;
}

/// Mean accelerations of the probes over a step of h; h = 0: it begins.
void Simulation::see_probe_motions(double h) {
  if (probe_bodies_.empty()) return;
  const model::KinematicsCache& now = running_cache(state_);
  for (std::size_t i = 0; i < probe_bodies_.size(); ++i) {
    const Vec3 v = velocity_seen(i, now);
    if (h > 0) probe_acceleration_[i] = (v - probe_seen_[i]) / h;
    probe_seen_[i] = v;
  }
}

}  // namespace trammel::sim

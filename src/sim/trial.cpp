#include "sim/trial.h"

#include <algorithm>
#include <utility>

#include "math/index.h"
#include "sim/checkpoint.h"

namespace trammel::sim {

namespace {
/// The velocities u of the start.
std::vector<double> velocities_of(const model::Built& built) {
  if (!built.state.u.empty()) return built.state.u;
  const model::Kinematics kin(*built.model, built.params);
  model::KinematicsCache at = kin.make_cache();
  kin.transforms(built.state.q.data(), built.state.t, at);
  kin.inverse_mass(built.state.q.data(), at);
  std::vector<double> u(built.state.P.size());
  kin.velocities(at, built.state.P.data(), u.data());
  return u;
}
}  // namespace

Trial::Trial(model::Built built, Settings settings)
    : built_(std::move(built)), settings_(std::move(settings)) {
  simulation_ = std::make_unique<Simulation>(built_, settings_);
  present_ = std::make_unique<Present>(*simulation_);
  u_at_start_ = velocities_of(built_);
}

bool Trial::advance() { return !simulation_->finished() && simulation_->advance(); }

bool Trial::advance(long steps) {
  for (long k = 0; k < steps; ++k)
    if (!advance()) return false;
  return true;
}

std::vector<form::Event> Trial::take_events() {
  std::vector<form::Event> out = std::exchange(events_, {});
  const std::vector<form::Event> more = simulation_->take_events();
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

/// Puts a new simulation in the place of the old one, or throws and leaves that.
void Trial::restart(model::Built built, double duration) {
  Settings settings = settings_;
  settings.duration = duration;
  std::fill(built.state.ledger.begin(), built.state.ledger.end(), 0.);
  auto next = std::make_unique<Simulation>(built, settings);
  auto present = std::make_unique<Present>(*next);
  events_ = take_events();
  present_ = std::move(present);
  simulation_ = std::move(next);
}

/// Time that the run still has; that of a whole one where it is over.
double Trial::left() const {
  const double left = simulation_->end() - state().t;
  return left > settings_.step / 2 ? left : settings_.duration;
}

void Trial::set_state(const model::State& state) {
  model::Built at = built_;
  at.state = state;
  restart(std::move(at), settings_.duration);
}

void Trial::reset() { restart(built_, settings_.duration); }

Trial Trial::copy() const {
  Trial out(built_, settings_);
  auto next = std::make_unique<Simulation>(simulation_->built(), simulation_->settings());
  from_bytes(to_bytes(*simulation_), *next);
  out.present_ = std::make_unique<Present>(*next);
  out.simulation_ = std::move(next);
  return out;
}

double Trial::get(model::ParamHandle param) const {
  return built_.params.values.at(at(checked(model(), param)));
}

void Trial::set(std::span<const model::Change> changes) {
  model::Built now = built_, start = built_;
  now.state = state();
  model::vary(now, changes, simulation_->formulation().velocities());
  model::vary(start, changes, u_at_start_);
  restart(now, left());
  built_ = std::move(start);
}

void Trial::set(model::ParamHandle param, double value) {
  const model::Change change{param, value};
  set(std::span(&change, 1));
}

}  // namespace trammel::sim

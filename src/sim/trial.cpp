#include "sim/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "math/fnv.h"
#include "math/index.h"

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

Trial::Trial(model::Built built, Settings settings, std::vector<model::BodyHandle> pushed)
    : plain_(built.model),
      pushed_(std::move(pushed)),
      pushes_(std::make_shared<std::vector<double>>()),
      built_(with_pushes(built, pushed_, pushes_)),
      settings_(std::move(settings)) {
  simulation_ = std::make_unique<Simulation>(built_, settings_);
  present_ = std::make_unique<Present>(*simulation_);
  u_at_start_ = velocities_of(built_);
}

bool Trial::advance() { return !simulation_->finished() && simulation_->advance(); }

bool Trial::advance(long steps) {
  if (steps < 0) throw std::invalid_argument(fmt::format("{} steps are none", steps));
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
  events_ = take_events();
  put(std::move(next));
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

void Trial::reset() {
  std::fill(pushes_->begin(), pushes_->end(), 0.);
  restart(built_, settings_.duration);
}

void Trial::apply(model::BodyHandle body, const Vec3& force, const Vec3& p_B, const Vec3& torque) {
  const int object = model::checked(*plain_, body);
  const auto it = std::find(pushed_.begin(), pushed_.end(), body);
  const model::Object& o = plain_->objects[at(object)];
  if (it == pushed_.end())
    throw std::invalid_argument(fmt::format(
        "body '{}' is not among those that the trial was made to push: name it there", o.name));
  if (!force.allFinite() || !p_B.allFinite() || !torque.allFinite())
    throw std::invalid_argument(
        fmt::format("what body '{}' is to be pushed with is not finite", o.name));
  const Vec3 arm = simulation_->formulation().now().T_WO[at(object)].A * (p_B - o.com);
  double* numbers = pushes_->data() + 6 * (it - pushed_.begin());
  vec3(numbers) = force;
  vec3(numbers + 3) = torque + arm.cross(force);
  simulation_->forces_changed();
}

Trial Trial::copy() const {
  model::Built start = built_;
  start.model = plain_;
  start.state.ledger.resize(at(plain_->n_ledger));
  Trial out(std::move(start), settings_, pushed_);
  *out.pushes_ = *pushes_;
  out.restart(out.built_, simulation_->settings().duration);
  out.take(*out.simulation_, to_bytes(*simulation_));
  return out;
}

/// A hash of the parameters goes first: momenta mean other velocities with others.
std::string Trial::bytes() const { return params_hash() + to_bytes(*simulation_); }

void Trial::take(std::string_view bytes) {
  const std::string own = params_hash();
  if (!bytes.starts_with(own))
    throw std::invalid_argument(
        "the state is of other parameters than the run has now, or no state at all");
  take(*simulation_, bytes.substr(own.size()));
}

std::string Trial::params_hash() const {
  Fnv hash;
  hash.add(built_.params.values.data(), built_.params.values.size() * sizeof(double));
  return fmt::format("{:016x}", hash.h);
}

/// Puts a new simulation, of what `like` is of, in the place of the old one, where bytes say.
void Trial::take(const Simulation& like, std::string_view bytes) {
  auto next = std::make_unique<Simulation>(like.built(), like.settings());
  from_bytes(bytes, *next);
  put(std::move(next));
}

void Trial::put(std::unique_ptr<Simulation> next) {
  auto present = std::make_unique<Present>(*next);
  present_ = std::move(present);
  simulation_ = std::move(next);
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

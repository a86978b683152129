#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/vary.h"
#include "sim/checkpoint.h"
#include "sim/present.h"
#include "sim/pushes.h"
#include "sim/simulation.h"

namespace trammel::sim {

/// A simulation in the hands of a program: it steps, is read by handles, set back, copied, and goes
/// on with other parameters, without building its mechanism anew.
///
/// What sets a state or a parameter makes a simulation anew around the same model: `simulation()`
/// and `now()` are others from then on, what counts over a whole run (summary, warnings, accounts
/// of energy and momentum) begins again, and the run lasts as long as it did. Wrong use throws
/// std::invalid_argument with a sentence and leaves the run as it was.
class Trial {
 public:
  /// `pushed` are the bodies that apply() may push.
  Trial(model::Built built, Settings settings, std::vector<model::BodyHandle> pushed = {});

  /// Makes one step of the grid, or several. Returns false on failure (see simulation().failure())
  /// or at the end. Throws std::invalid_argument: a negative number of steps.
  bool advance();
  bool advance(long steps);
  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }
  /// What is to be seen at the end of the last step.
  Present& now() { return *present_; }
  const model::Model& model() const { return *built_.model; }
  double t() const { return simulation_->state().t; }
  /// Events since the last call, also of simulations that this trial has left behind.
  std::vector<form::Event> take_events();

  /// Pushes a body from now on, until it is pushed otherwise or the trial is reset: with a force at
  /// the point p_B of it (body frame [m]) and a torque, both in world axes. The force acts at the
  /// centre of mass and with the moment that it has about there now, which does not follow the body
  /// as it turns: give it anew each step. A load of its own, `push.BODY.force`, `push.BODY.torque`
  /// in accounts and results. Throws std::invalid_argument: a body that was not named when the
  /// trial was made, numbers that are not finite.
  void apply(model::BodyHandle body, const Vec3& force, const Vec3& p_B,
             const Vec3& torque = Vec3::Zero());

  const model::State& state() const { return simulation_->state(); }
  /// Goes on from a state of this mechanism, its time included.
  void set_state(const model::State& state);
  /// Goes on from the start, with the parameters as they are now.
  void reset();
  /// The same trial as it is now, accounts included: it goes on bit for bit as this one.
  Trial copy() const;

  /// All that the trial goes on from, as bytes, and back: it goes on bit for bit. They are of the
  /// same mechanism, settings and program. Throws CheckpointError where they are not, and
  /// std::invalid_argument where the parameters are others.
  std::string bytes() const;
  void take(std::string_view bytes);

  double get(model::ParamHandle param) const;
  double get(std::string_view param) const { return get(param_named(model(), param)); }
  /// Changes parameters, see model::vary: velocities stay, momenta follow.
  void set(std::span<const model::Change> changes);
  void set(model::ParamHandle param, double value);
  void set(std::string_view param, double value) { set(param_named(model(), param), value); }

 private:
  void restart(model::Built built, double duration);
  double left() const;
  std::string params_hash() const;
  void take(const Simulation& like, std::string_view bytes);
  void put(std::unique_ptr<Simulation> next);

  std::shared_ptr<const model::Model> plain_;  // without the loads of pushes
  std::vector<model::BodyHandle> pushed_;
  Pushes pushes_;
  model::Built built_;  // as it was built, with the parameters of now
  Settings settings_;
  std::vector<double> u_at_start_;
  std::vector<form::Event> events_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Present> present_;
};

}  // namespace trammel::sim

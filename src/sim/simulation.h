#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "form/formulation.h"
#include "model/builder.h"
#include "sim/angles.h"
#include "sim/conflicts.h"
#include "sim/judgement.h"
#include "sim/peak_list.h"
#include "sim/settings.h"
#include "sim/timetable.h"

namespace trammel::sim {

class Instruments;

/// Objects of a probe: its body, whose axes its numbers are along, from where it is seen.
struct ProbeBodies {
  int body = 0, axes = 0, from = 0;
};

/// The motion of a probe as it is seen from its body `from`, in world axes: place from that one's
/// origin, velocity, and angular velocity of the body.
struct ProbeMotion {
  Vec3 p = Vec3::Zero(), v = Vec3::Zero(), w = Vec3::Zero();
};

/// The summary of a run.
struct Summary {
  long steps = 0;
  double simulated = 0;               // [s]
  double max_gap = 0, max_angle = 0;  // greatest error of a position row after any step [m], [rad]
  double max_row_speed = 0;           // greatest |J u - target| [m/s, rad/s]
  double energy_residual = 0,
         energy_scale = 0;  // greatest imbalance of the ledger, energies moved [J]
  /// Greatest energy that the difference formula of the energy formulation has taken so far
  /// (negative: given) [J]. It has its slot in the ledger, so that it is no part of the residual.
  double numerical_damping = 0;
  // greatest residual of a step, relative to the greatest momenta of the run
  double momentum_residual_rel = 0;
  long iterations = 0, factorisations = 0, newton_steps = 0, parted_steps = 0, fallbacks = 0,
       order2_steps = 0;
  double merit = 0;
  long events = 0;
  double energy_residual_rel() const {
    return energy_scale > 0 ? energy_residual / energy_scale : 0;
  }
  double numerical_damping_rel() const {
    return energy_scale > 0 ? numerical_damping / energy_scale : 0;
  }
};

/// Runs the loop over time: steps on the grid of the settings, finds the times at which a track
/// joint comes to the end of a piece, derails or a signal jumps, steps exactly there, and goes on.
/// Owns the state; everything that happens is in the events.
class Simulation {
 public:
  /// Throws std::invalid_argument with all that is wrong with the settings: no such numbers or
  /// bodies, or the formulation refuses the model.
  Simulation(const model::Built& built, Settings settings);
  ~Simulation();
  Simulation(const Simulation&) = delete;  // the formulation points into it
  Simulation& operator=(const Simulation&) = delete;

  /// Makes one step of the grid. Returns false on failure, see failure(): the state is then the
  /// last good one.
  bool advance();
  bool finished() const {
    return !ended_.empty() || state_.t >= end() - kTooShort * settings_.step;
  }
  /// Returns what ended the run before its time, an event of a sensor; empty: nothing has.
  const std::string& ended_by() const { return ended_; }
  /// Ends it where it is, with success; who or what does.
  void stop(std::string why) { ended_ = std::move(why); }
  bool at_end() const { return std::abs(state_.t - end()) <= kTooShort * settings_.step; }
  /// Returns the time at which the run ends [s]. The last step is as long as is left.
  double end() const { return t0_ + settings_.duration; }
  long steps_made() const { return k_; }
  long steps_total() const { return total_; }
  const std::string& failure() const { return failure_; }
  /// Returns the coordinate that the failure is of; empty: it is of the mechanism.
  const std::string& failed() const { return failed_; }

  const model::Model& model() const { return *built_.model; }
  /// Returns the model as it is now: with its transient joints, which come last, and each joint
  /// along a track on the one that it runs along.
  const model::Model& mechanism() const { return form_.kinematics().model(); }
  const model::State& state() const { return state_; }
  const model::Built& built() const { return built_; }
  const form::Formulation& formulation() const { return form_; }
  const Settings& settings() const { return settings_; }
  const Summary& summary() const { return summary_; }
  const form::StepReport& last() const { return report_; }
  /// Returns reasons not to trust what was simulated so far.
  /// What contacts did in all steps so far.
  const Touches& touches() const { return watch_.seen.touches; }
  std::vector<Warning> warnings() const { return judge(watch_, model(), settings_); }
  /// Returns the greatest values of channels, and the greatest impulses, so far.
  PeakList peaks() const;
  /// Takes end A of a joint along a track to another laid track (index into Model::laid), on which
  /// its end B is at arc length s [m]: a vehicle that has rolled onto a turntable. Positions and
  /// velocities are made to meet the rows there. Throws std::invalid_argument where there is no
  /// such track or place.
  void relocate(int joint, int laid, double s);
  /// Takes up forces that functions of a program give otherwise from now on. Steps by forces (the
  /// acceleration formulation) need to be told, others do not.
  void forces_changed();
  /// Gives an input (model/inputs.h) another value from now on; velocities of rows that follow it
  /// are made to meet it in the next step. Throws std::invalid_argument: no such input, a value
  /// that is not finite or outside its range, an input that a controller gives.
  void set_input(std::string_view name, double value);
  void set_input(model::InputHandle input, double value);
  /// Returns the value of an input now. Throws std::invalid_argument: no such input.
  double input(std::string_view name) const;
  double input(model::InputHandle input) const;
  /// Returns the inputs of the model in their order.
  const LiveValues& inputs() const { return *live_; }
  /// Returns the events since the last call.
  std::vector<form::Event> take_events();
  /// Returns what an accelerometer at each probe showed over the last step of the grid:
  /// acceleration less gravity, in body axes [m/s^2].
  const std::vector<Vec3>& probes() const { return probe_; }
  const std::vector<ProbeBodies>& probe_bodies() const { return probe_bodies_; }
  /// Returns the motion of a probe; `now` are the kinematics with rates.
  ProbeMotion probe_motion(std::size_t probe, const model::KinematicsCache& now) const;
  /// Returns the mean accelerations of the probes over the last step of the grid, each as seen from
  /// its body `from`, in that one's axes [m/s^2].
  const std::vector<Vec3>& probe_accelerations() const { return probe_acceleration_; }
  /// The sensors and controllers at work; null: there are none. For results and programs that look.
  Instruments* instruments() const { return instruments_.get(); }
  /// Returns the impulses of joints and loads since the start, as form::Settings::impulses asks for
  /// them (see model/reactions.h); else empty.
  const std::vector<double>& wrench_impulses() const { return wrench_impulses_; }
  /// Returns the number of steps between outputs.
  long output_every() const { return output_every_; }
  /// Returns the energy now [J]; imbalance() is the part of it that the ledger does not explain
  /// [J].
  double energy() const { return energy_; }
  double imbalance() const { return imbalance_; }
  /// Returns how far the mechanism has reached from its own centre at the most [m]: its size,
  /// wherever it is.
  double reach() const { return reach_; }

 private:
  friend std::vector<Problem> wrong_instruments(const model::Built&, const Settings&);
  struct Bare {};
  Simulation(Bare, const model::Built& built, Settings settings);
  /// For a look at its channels.
  static std::unique_ptr<const Simulation> without_instruments(const model::Built& built,
                                                               const Settings& settings) {
    return std::unique_ptr<const Simulation>(new Simulation(Bare{}, built, settings));
  }
  friend std::string to_bytes(const Simulation&);  // sim/checkpoint.h
  friend void from_bytes(std::string_view, Simulation&);
  /// Calls f on all that outlasts a step of the grid and does not follow from the scene.
  static void each(auto&& sim, auto&& f) {
    f(sim.state_, sim.report_, sim.summary_, sim.events_, sim.probe_, sim.probe_velocity_,
      sim.failure_, sim.failed_, sim.k_, sim.t0_, sim.energy_, sim.imbalance_, sim.momentum_off_,
      sim.angular_off_, sim.momentum_scale_, sim.angular_scale_, sim.reach_, sim.linear_,
      sim.angular_, sim.impulse_, sim.moment_, sim.lost_, sim.lost_moment_, sim.centre_at_start_,
      sim.way_, sim.wrench_impulses_, sim.watch_.seen, sim.changed_, sim.ended_,
      sim.probe_acceleration_, sim.probe_seen_);
  }

  static constexpr double kTooShort =
      1e-7;  // a step shorter than this part of the grid's is not made

  double next_on_grid(long& k) const;
  double last_on_grid() const;
  bool advance_to(double t);
  bool substep(double h);
  bool locate(double h, double& taken);
  void evaluate_guards(std::vector<double>& guards) const;
  bool keep();
  void fail(double h);
  bool ends_of_chart(double h);
  bool jams(double kinetic) const;
  double kinetic() const;
  void handle_event(std::size_t guard);
  void handle_events(const std::vector<std::size_t>& crossed, const std::vector<double>& change);
  void pass_joint(std::size_t arc, int joint, bool ahead);
  void release(int joint, form::EventKind kind, const std::string& why, double value,
               const std::string& unit);
  void forget_last_step();
  void leave_track(int joint, form::EventKind kind, const std::string& why);
  void break_overloaded();
  void impact_at_start();
  void find_first_forces();
  void see_first_accelerations(const model::State& trial);
  bool pass_start();
  void renew_transients();
  bool take_up();
  bool comes_to_hold(const model::Transients& before) const;
  void pass_switch(const Timetable::Stop& stop);
  void step(double h);
  void scale_momentum(double h);
  Vec3 find_centre();
  void audit(double h);
  void balance(double h, double kinetic);
  void see_probes(double h);
  void see_strains();
  const model::KinematicsCache& running_cache(const model::State& state);
  Vec3 probe_velocity(std::size_t probe, const model::State& state) const;
  Vec3 moving_point(int object, const Vec3& point, const model::State& state) const;
  void absorb(const form::StepReport& report);
  std::size_t find_input(std::string_view name) const;
  std::size_t index_of(model::InputHandle input) const;
  void give(std::size_t input, double value);
  void put_input(std::size_t input, double value);
  void take_inputs();
  void add_instruments();
  double until(double t, double near) const;
  bool control();
  bool watches() const;
  void evaluate_sensors(std::vector<double>& guards) const;
  void see_sides(std::span<const std::size_t> crossed = {});
  void see_missing_numbers();
  bool crossed(std::size_t guard) const;
  void pass_value(std::size_t event);
  void find_probe_bodies();
  void see_probe_motions(double h);
  Vec3 velocity_seen(std::size_t probe, const model::KinematicsCache& now) const;
  Vec3 felt(std::size_t probe, double h, const Vec3& gravity, const model::State& state) const;

  std::shared_ptr<LiveValues> live_;  // what the signals of the model read
  model::Built built_;
  Settings settings_;
  form::Formulation form_;
  model::State state_, saved_;
  form::StepReport report_;
  Summary summary_;
  Watch watch_;
  std::vector<form::Event> events_;
  std::vector<double> guard_, guard_start_;
  std::vector<int> probe_object_, joint_of_arc_;
  std::vector<Vec3> probe_, probe_velocity_;
  std::vector<double> wrench_impulses_;
  std::string failure_, failed_, ended_;
  std::unique_ptr<Instruments> instruments_;
  std::vector<ProbeBodies> probe_bodies_;
  std::vector<Vec3> probe_acceleration_, probe_seen_;  // velocities before, in axes of `from`
  std::size_t track_guards_ = 0;
  long k_ = 0, total_ = 0, output_every_ = 1;
  int changed_ = 0;  // of inputs that were given values since the last step: 1: any, 2: a rate
  double t0_ = 0, energy_ = 0, imbalance_ = 0, momentum_scale_ = 0, angular_scale_ = 0, arm_ = 0,
         reach_ = 0;  // arm_ of one body, reach_ of all from their centre [m]
  Timetable timetable_;
  Conflicts conflicts_;
  AngleWatch angles_;
  std::vector<double> u_before_;  // velocities before a step that redundant rows may jam
  Vec3 linear_ = Vec3::Zero(), angular_ = Vec3::Zero(), impulse_ = Vec3::Zero(),
       moment_ = Vec3::Zero();
  // momentum lost since the start, and its moment about the origin
  Vec3 lost_ = Vec3::Zero(), lost_moment_ = Vec3::Zero();
  Vec3 centre_at_start_ = Vec3::Zero();
  bool smooth_ = true;                  // nothing has struck or switched in this step
  double way_ = 0;                      // greatest distance of the centre from there [m]
  model::KinematicsCache rates_cache_;  // the kinematics of the state with the rates of all objects
  // greatest momentum residual of a step [N s], [N m s]
  double momentum_off_ = 0, angular_off_ = 0;
};

}  // namespace trammel::sim

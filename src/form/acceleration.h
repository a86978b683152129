#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "form/acceleration_events.h"
#include "form/acceleration_results.h"
#include "form/acceleration_values.h"
#include "model/project.h"
#include "model/reactions.h"

namespace trammel::form {

/// The acceleration formulation (docs/theory/acceleration.md) finds the forces of the rows from
///
///   [M -J^T; J 0] [u'; lambda] = [f; c'' - bias]
///
/// by the factor of S = J M^-1 J^T, integrated by explicit Runge-Kutta methods of order 4 to 8;
/// after each of their steps positions and velocities are projected onto the rows.
///
/// step() goes over h in as many steps of the method as the accuracy asks for; the last ends there.
/// After anybody else has changed the state, load() it again.
class Acceleration final : private Ode {
 public:
  Acceleration(const model::Model& model, const model::Params& params, Settings settings);

  /// Evaluates rows, masses, forces and slopes of this state anew. Returns false where a joint has
  /// lost its track.
  bool load(const model::State& state);
  /// Makes a step of h > 0 [s]. On failure the state is as before.
  void step(model::State& state, double h, StepReport& report);
  /// Projects the velocities onto the rows after rows or targets have jumped (an impact); the
  /// energy lost goes to the ledger and to `report`. Positions that no longer meet their rows are
  /// projected first. Loads the state itself.
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report);

  const model::Kinematics& kinematics() const { return mechanism_->kin; }
  const model::KinematicsCache& now() const { return now_.at; }
  const std::vector<double>& velocities() const { return u_; }
  /// Returns the accelerations u' at the state.
  std::span<const double> accelerations() const {
    return {mechanism_->velocities(rk_.dy()), u_.size()};
  }
  const model::ConstraintSpecs& specs() const { return mode_.specs; }
  /// Returns the force of each row at the end of the last step [N, N m].
  const std::vector<double>& row_forces() const { return now_.force; }
  /// Restores the row forces that another process has had; no step reads them.
  void set_row_forces(const std::vector<double>& forces) { now_.force = forces; }
  /// Returns the reaction of a joint at the end of the last step.
  model::Reaction reaction(std::size_t joint) const {
    return model::reaction(mechanism_->kin, now_.at, joint, now_.force.data());
  }
  double total_energy(const model::State& state) const;
  bool composable() const { return true; }

  using Counts = acceleration::Counts;
  const Counts& counts() const { return work_.counts; }
  /// Points of contact that push at the end of the last step, with their forces there.
  void contact_forces(std::vector<constraint::ContactForce>& out) const {
    constraint::forces_of(now_.touches, out);
  }

 private:
  bool slope(double t, const double* y, double* dy) override;
  bool settle(double t, double* y, double* dy) override;

  bool pass_knot(StepReport& report);
  bool advance(double t_goal, StepReport& report);
  bool touches_within();
  double part_to_alarm(double h);
  bool go_to_event(double h, int& stuck, StepReport& report);
  bool resolve(StepReport& report);
  void take(StepReport& report);

  std::unique_ptr<const acceleration::Mechanism> mechanism_;
  std::unique_ptr<model::Projector> projector_;  // made at first use
  RungeKutta rk_;
  acceleration::Mode mode_;
  acceleration::Bounds bounds_;
  acceleration::Scales scales_;
  acceleration::Alarms alarms_;
  acceleration::Instant now_, trial_, next_;
  acceleration::Work work_;
  acceleration::Failure failure_ = acceleration::Failure::none;
  std::vector<double> u_;  // velocities at now_
  double h_ = 0;           // step to try next [s]; 0: none known
};

}  // namespace trammel::form

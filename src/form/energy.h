#pragma once

#include <string>
#include <vector>

#include "constraint/contact/step.h"
#include "form/energy_account.h"
#include "form/energy_newton.h"
#include "model/reactions.h"
#include "units/problem.h"

namespace trammel::form {

/// The energy formulation (docs/theory/energy.md): the transforms y = (p, A) of all objects at the
/// end of a step (midpoint: in its middle) minimise
///
///   1/(2 a) |y - y~|_M^2 + V(y),    a = c h^2, c = 1 (bdf1), 4/9 (bdf2), 1/4 (midpoint)
///
/// within the stops of the rows; a row that runs into one is at rest against it after two steps.
/// V are the potentials of joints, laws and loads. Joints are the weighted squares of their
/// closure residuals, or hold by their rows. The minimum is found by Newton iteration with second
/// derivatives made positive; its steps are solved for by the joints with the matrix
/// S = J H^-1 J^T + 1/k, H the second derivative of each block alone, in unknowns z of the blocks
/// in which H = 1 (form/block_cholesky.h).
///
/// A step is made of functions of values in form/energy_*.h; here is what is kept between steps.
/// step() makes one step; after anybody else has changed the state, load() it again.
class Energy {
 public:
  Energy(const model::Model& model, const model::Params& params, Settings settings);

  /// Returns why this formulation cannot take the model; empty: it can.
  static std::vector<Problem> unsupported(const model::Model& model, const model::Params& params,
                                          const Settings& settings);

  bool load(const model::State& state);
  void step(model::State& state, double h, StepReport& report);
  /// Projects nothing: rows that have jumped pull in the next step, which is of first order.
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report);

  const model::Kinematics& kinematics() const { return *mechanism_.kin; }
  const model::KinematicsCache& now() const { return now_.at; }
  const std::vector<double>& velocities() const { return now_.u; }
  const model::ConstraintSpecs& specs() const { return problem_.specs; }
  /// Returns the force of each row at the end of the last step (midpoint: in its middle) [N, N m];
  /// for soft joints, what their rows would have to carry for the same wrench.
  const std::vector<double>& row_forces() const { return reactions_.force; }
  void set_row_forces(const std::vector<double>& forces) { reactions_.force = forces; }
  /// Returns the reaction of a joint at the end of the last step (midpoint: in its middle).
  model::Reaction reaction(std::size_t joint) const;
  /// Points where surfaces push each other, with the forces at the end of the last step. Of contact
  /// shapes; surfaces that a program gives are nobody's shapes.
  void contact_forces(std::vector<constraint::ContactForce>& out) const {
    out.clear();
    if (!mechanism_.settings.surfaces) out = points_;
  }
  /// Returns the total energy, that of soft joints included [J].
  double total_energy(const model::State& state) const;
  bool composable() const { return false; }

 private:
  Energy(const model::Model& model, const model::Params& params, const Settings& settings,
         model::ConstraintSpecs specs);
  energy::Past past() const { return {now_, before_}; }
  bool by_midpoint() const {
    return mechanism_.settings.difference == Settings::Difference::midpoint;
  }
  energy::Minimum solve(const model::State& state, double h, bool two);
  void finish(const model::State& state, double h);
  void account_contact(const energy::Impact& impact, model::State& state);
  void account(const energy::Impact& impact, double own, double h, model::State& state,
               StepReport& report);

  energy::Mechanism mechanism_;
  energy::Problem problem_;       // of the last step; specs: of now_ between steps
  energy::Instant now_, before_;  // between steps before_ is the start of the last one
  energy::Trial trial_;           // the minimum of the last step
  energy::Multipliers forces_;
  energy::Reactions reactions_;
  model::KinematicsCache middle_;  // midpoint: poses (T_WO, arc) in the middle of the last step
  energy::Workspace work_;
  energy::Acts acts_;
  std::vector<double> rows_;  // scratch, one number per row of the model
  energy::ContactForces contact_forces_;
  std::vector<constraint::ContactForce> points_;
  double stored_ = 0;  // in the barriers between surfaces [J]
};

}  // namespace trammel::form

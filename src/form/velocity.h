#pragma once

#include <string>
#include <vector>

#include "form/report.h"
#include "form/settings.h"
#include "form/velocity_stepping.h"
#include "model/kinematics.h"
#include "model/state.h"

namespace trammel::form {

/// Makes steps by RATTLE (docs/theory/velocity.md), or by Baumgarte's classical form.
///
///   (P)  P_v = P + h/2 f(q, u, t) + J(q)^T L,  q+ = flow(h; P_v) q,  L makes g(q+, t + h) = c
///   (V)  P+ = P_v + h/2 f(q+, u+, t + h) + J(q+)^T m,  m makes J(q+) u+ = c'(t + h)
///
/// step() makes one step and never loops over time. Between steps the object keeps factor and rows
/// of the state that it left behind: after anybody else has changed the state, load() it again.
/// Steps are made by functions over one record: form/velocity_stepping.h.
class Velocity {
 public:
  Velocity(const model::Model& model, const model::Params& params, const Settings& settings);

  /// Evaluates rows, inverse masses and the factor of the state anew. Returns false where a track
  /// joint's projection fails, or the velocities of light bodies cannot be found.
  bool load(const model::State& state);
  /// Makes one step of h [s], composed to order 4 where Settings::order asks for it and
  /// composable() holds. On failure the state is as before. Forces and reactions are means over it
  /// and over those steps before it that began at `since` [s] or later.
  void step(model::State& state, double h, double since, StepReport& report);
  void step(model::State& state, double h, StepReport& report) { step(state, h, state.t, report); }
  /// Projects the velocities onto the rows after rows or targets have jumped (an impact); the
  /// energy lost goes to the ledger and to `report`. Positions that no longer meet their rows are
  /// projected first. Loads the state itself.
  void project(model::State& state, const std::string& why, const std::string& subject,
               StepReport& report);

  const model::Kinematics& kinematics() const { return *steps_.mechanism.kin; }
  const model::KinematicsCache& now() const { return steps_.ends.now.at; }
  const std::vector<double>& velocities() const { return steps_.ends.now.u; }
  const model::ConstraintSpecs& specs() const { return steps_.ends.now.specs; }
  /// Returns the mean force of each row over the last step [N, N m], (L + m)/h, see step().
  /// Impulses of impacts are left out: their mean force would grow as h gets shorter.
  const std::vector<double>& row_forces() const { return steps_.force; }
  /// Restores the row forces that another process has had; no step reads them.
  void set_row_forces(const std::vector<double>& forces) { steps_.force = forces; }
  /// Returns the mean of the reaction of a joint over the last step, impacts left out.
  model::Reaction reaction(std::size_t joint) const {
    return steps_.last.reaction(*steps_.mechanism.kin, steps_.ends.now.at, joint);
  }
  /// Points of contact that pushed in the last step, with their mean forces over it.
  void contact_forces(std::vector<constraint::ContactForce>& out) const {
    steps_.last.mean_point_forces(out);
  }
  double total_energy(const model::State& state) const;
  bool composable() const { return steps_.mechanism.composable; }

 private:
  velocity::Stepping steps_;
};

}  // namespace trammel::form

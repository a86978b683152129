#pragma once

#include <memory>
#include <string>
#include <vector>

#include "constraint/jump.h"
#include "form/report.h"
#include "form/settings.h"
#include "form/velocity_last_step.h"
#include "form/velocity_mechanism.h"
#include "form/velocity_values.h"
#include "model/kinematics.h"
#include "model/project.h"
#include "model/state.h"
#include "solve/solver.h"

namespace trammel::form {

/// Makes steps by RATTLE (docs/theory/velocity.md), or by Baumgarte's classical form.
///
///   (P)  P_v = P + h/2 f(q, u, t) + J(q)^T L,  q+ = flow(h; P_v) q,  L makes g(q+, t + h) = c
///   (V)  P+ = P_v + h/2 f(q+, u+, t + h) + J(q+)^T m,  m makes J(q+) u+ = c'(t + h)
///
/// step() makes one step and never loops over time. Between steps the object keeps factor and rows
/// of the state that it left behind: after anybody else has changed the state, load() it again.
/// The stages themselves are functions of values: form/rattle_position.h, form/rattle_velocity.h,
/// form/rattle_exact.h, form/fallback.h and form/baumgarte.h.
class Velocity {
 public:
  Velocity(const model::Model& model, const model::Params& params, Settings settings);

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

  const model::Kinematics& kinematics() const { return *mechanism_.kin; }
  const model::KinematicsCache& now() const { return ends_.now.at; }
  const std::vector<double>& velocities() const { return ends_.now.u; }
  const model::ConstraintSpecs& specs() const { return ends_.now.specs; }
  /// Returns the mean force of each row over the last step [N, N m], (L + m)/h, see step().
  /// Impulses of impacts are left out: their mean force would grow as h gets shorter.
  const std::vector<double>& row_forces() const { return force_; }
  /// Restores the row forces that another process has had; no step reads them.
  void set_row_forces(const std::vector<double>& forces) { force_ = forces; }
  /// Returns the mean of the reaction of a joint over the last step, impacts left out.
  model::Reaction reaction(std::size_t joint) const {
    return last_.reaction(*mechanism_.kin, ends_.now.at, joint);
  }
  /// Points of contact that pushed in the last step, with their mean forces over it.
  void contact_forces(std::vector<constraint::ContactForce>& out) const {
    last_.mean_contacts(out);
  }
  double total_energy(const model::State& state) const;
  bool composable() const { return mechanism_.composable; }

 private:
  /// Iterations of stage P in the last two steps.
  struct Iterations {
    int last = 0, before = -1;
  };
  /// How a step was made.
  enum class Way : unsigned char { failed, single, fallback, parts };
  /// What a step may do.
  struct Leave {
    bool divides = true;  // is made in shorter parts where it finds no solution
    bool meets = false;   // ends unmade where bodies meet in it, or rows their stops
  };
  /// Where a part of a step begins.
  struct Part {
    model::State state;
    StepReport report;
    std::size_t parts = 0;  // made before it
  };
  /// What has become of an attempt at a step. It is made, or bodies meet in it [s], or it has
  /// failed.
  struct Attempt {
    Way way = Way::failed;
    double meets = law::kInf;
  };

  model::Projector& projector();
  velocity::Newton* newton_if_light();
  void step_composed(model::State& state, double h, StepReport& report);
  void step_between_meetings(model::State& state, double h, StepReport& report);
  double land(model::State& state, double h, double shortest, StepReport& report);
  double first_meeting(const velocity::Step& step);
  double step_once(model::State& state, double h, const Leave& leave, StepReport& report);
  void go_back(const Part& to, model::State& state, StepReport& report);
  void begin_again(const model::State& state, double h);
  void begin(double t, double h);
  void follow_start(double t_end);
  void follow_end(const velocity::Step& step);
  Attempt make_step(model::State& state, double h, const Leave& leave, StepReport& report);
  Attempt attempt(const model::State& state, double h, bool meets, StepReport& report);
  Attempt run_stages(const velocity::Step& step, bool meets, velocity::Newton* newton,
                     StepReport& report);
  velocity::Placed place(const velocity::Step& step, const velocity::Tools& tools);
  bool step_in_parts(model::State& state, double h, StepReport& report);
  bool fall_back(model::State& state, double h, StepReport& report);
  void commit(model::State& state, double h, bool fell_back, StepReport& report);
  void lift_out(model::State& state, StepReport& report);
  constraint::Standing standing(model::State& state);
  void take_jump(const constraint::Jump& jump, StepReport& report);

  velocity::Ends ends_;
  velocity::Mechanism mechanism_;
  std::unique_ptr<solve::Solver> solver_;
  std::unique_ptr<constraint::Contacts> contacts_;  // null: nothing can touch
  std::unique_ptr<model::Projector> projector_;     // made when first wanted: it is large
  velocity::Newton newton_;                         // the same
  velocity::Roles roles_;
  velocity::StageRows rows_;
  velocity::PositionStage position_;
  velocity::VelocityStage velocity_;
  velocity::Work work_;
  std::vector<double> force_;  // mean force of each row over the last step
  velocity::LastStep last_;
  Iterations iterations_;
  bool factor_kept_ = false;  // State::velocity has all rows of a factor since load()
};

}  // namespace trammel::form

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "constraint/jump.h"
#include "form/report.h"
#include "form/velocity_last_step.h"
#include "form/velocity_values.h"
#include "model/project.h"
#include "model/state.h"

/// Steps of the velocity formulation: what they are made with, and the functions that make them.
/// Those of one step stand in form/velocity_attempt.h, the stages themselves in
/// form/rattle_position.h, form/rattle_velocity.h, form/rattle_exact.h, form/fallback.h and
/// form/baumgarte.h.
namespace trammel::form::velocity {

/// Iterations of stage P in the last two steps.
struct Iterations {
  int last = 0, before = -1;
};

/// The mechanism at the state, room for a step, and what the next one takes from the last.
struct Stepping {
  Stepping(const model::Model& model, const model::Params& params, const Settings& settings);

  Ends ends;
  Mechanism mechanism;
  std::unique_ptr<solve::Solver> solver;
  std::unique_ptr<constraint::Contacts> contacts;  // null: nothing can touch
  std::unique_ptr<model::Projector> projector;     // made when first wanted: it is large
  Newton newton;                                   // the same
  Roles roles;
  StageRows rows;
  PositionStage position;
  VelocityStage velocity;
  Work work;
  std::vector<double> force;  // mean force of each row over the last step [N, N m]
  LastStep last;
  Iterations iterations;
  bool factor_kept = false;  // State::velocity has all rows of a factor since load()
};

/// As the functions of form/velocity.h say. velocity_load.cpp
bool load(Stepping& v, const model::State& state);
double total_energy(const Stepping& v, const model::State& state);
/// velocity_meetings.cpp
void step(Stepping& v, model::State& state, double h, double since, StepReport& report);
/// velocity_commit.cpp
void project(Stepping& v, model::State& state, const std::string& why, const std::string& subject,
             StepReport& report);

}  // namespace trammel::form::velocity

#pragma once

#include "form/velocity_values.h"

/// Force rows in both stages of RATTLE: "compliant and rigid", (9a) and (11) of
/// docs/theory/velocity.md.
namespace trammel::form::velocity {

/// A damper as stage P begins.
struct DamperStart {
  bool implicit = false;  // a row with compliance on the mean rate over the step
  double dashpot = 0;     // its compliance; 0: explicit
  double force = 0;       // at the start [N, N m]
  double target = 0;      // rate at which the linearised damper exerts no force [m/s, rad/s]
};
/// A force row as stage P begins.
struct SpringStart {
  bool active = true;
  double compliance = 0;
  double applied = 0;  // impulse that is not solved for [N s, N m s]
  DamperStart damper;  // of a rigid spring: none, its rate is held
};
SpringStart spring_at_start(const Step& s, const End& now, std::size_t row);

/// Evaluates the mean forces over the step of the functions that are implicit, and the compliances
/// of their rows, at the present end.
void take_mean_forces(const Step& s, const Ends& ends, const std::vector<double>& dashpot,
                      StageRows& rows, std::vector<double>& mean);
/// Returns the residual of an implicit spring with its damper, or of a stiff damper alone [m/s,
/// rad/s]. Needs take_mean_forces().
double spring_residual(const Step& s, const Ends& ends, const StageRows& rows,
                       const PositionStage& position, std::size_t row);

/// A force row as stage V begins.
struct SpringEnd {
  bool active = true;
  double applied = 0;  // impulse that is not solved for [N s, N m s]
};
SpringEnd spring_at_end(const Step& s, const Ends& ends, const PositionStage& position,
                        std::size_t row);

/// Linearises the dampers about the row rates next.rate, (11): m = h/2 (f_d + f_v (v - ju)), v the
/// new rate and ju = next.rate, is a row with compliance and target. Writes the dampers' forces
/// into next.damper. Returns the error of the linearisation before this one, as a row rate [m/s,
/// rad/s].
double linearise_dampers(const Step& s, End& next, StageRows& rows);
/// True where stage V solves for dampers.
bool has_dampers(const Step& s, const StageRows& rows);
/// True where a damper that stage P has to solve for follows the rates of other joints, which are
/// those of the start there: it is too stiff for the step.
bool follows_stiffly(const Step& s, const PositionStage& position);
/// Returns the share S_ii/(S_ii + C) of a change of its target that a row's rate follows.
double row_share(const Roles& roles, const StageRows& rows, std::size_t row);

}  // namespace trammel::form::velocity

#pragma once

#include "form/velocity_values.h"

/// The stages of RATTLE by Newton iteration on momenta and rows together, (7a) and (7b) of
/// docs/theory/velocity.md, with the velocity v of the drift as an unknown beside the multipliers:
/// for light bodies, whose masses must not be divided by, and where J turns too far in a step for a
/// kept factor.
namespace trammel::form::velocity {

/// Allocates what exact steps need, J and inverse masses of both ends included, at the first call.
void make_exact(const Mechanism& m, Newton& newton, Ends& ends);

/// True where Newton iteration may do after the one with the kept factor has failed: bodies supply
/// their drift, and rows are not redundant. Redundant rows make a singular configuration likely,
/// from which Newton may take another branch. Cones of friction are the solver's alone. `scratch`
/// has the length of the momenta.
bool tries_exact(const Step& s, const End& now, bool redundant, std::vector<double>& scratch);

/// Makes J and the inverse masses at the start of the step again, which stage P may have handed
/// over to its end.
void again_at_start(const Step& s, End& now);

/// Runs stage P by Newton iteration on (7a), as stage_position() does by the kept factor: out.v is
/// the velocity of the drift, and out.P_end the momenta (1).
Placed exact_position(const Step& s, Ends& ends, StageRows& rows, PositionStage& out,
                      const Tools& tools);

/// Where an exact step is linearised: coordinates q, and what follows from them, with J.
struct Place {
  const std::vector<double>& q;
  const model::KinematicsCache& at;
};
/// Makes the slope of the momenta at the velocities u, before the first exact_correction().
void take_masses(const Mechanism& m, const Place& place, const std::vector<double>& u,
                 Newton& newton);
/// What became of one Newton step.
struct ExactStep {
  bool ok = false;              // there is one
  double work = 0, energy = 0;  // of the Newton step, and of the motion [J]
};
/// Makes one Newton step in velocities and multipliers together towards the momenta P, with the
/// residuals work.r of the rows: adds it to u, and writes the multipliers' part into work.x.
/// `keep`: on the last factor.
ExactStep exact_correction(const Mechanism& m, const Place& place, const std::vector<double>& P,
                           const std::vector<double>& x, bool keep, std::vector<double>& u,
                           StageRows& rows, const Tools& tools);

/// Solves for m of stage V as solve_rates() does, by Newton steps in velocities and multipliers
/// together.
bool solve_exact_rates(const Step& s, const std::vector<double>& base, const std::vector<double>& q,
                       End& next, StageRows& rows, VelocityStage& out, const Tools& tools);

/// Computes the inverse mass of every row that does not hold a position (forces, stops, velocity
/// constraints), while all rows that do are held.
void find_row_masses_held(const Mechanism& m, const std::vector<double>& q, const End& now,
                          const std::vector<Hold>& hold, Newton& newton,
                          std::vector<double>& inverse_mass);

}  // namespace trammel::form::velocity

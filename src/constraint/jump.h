#pragma once

#include <functional>
#include <string>
#include <vector>

#include "constraint/event.h"
#include "model/project.h"

/// Positions and velocities brought onto rows that have jumped, outside the steps of a formulation.
/// Restitution is not here but in rows.h, `rebound`, and in status.h, `impact_row`.
namespace trammel::constraint {

/// A state that a formulation stands at, for who changes it.
struct Standing {
  const model::Kinematics& kin;
  model::Projector& projector;
  const model::Demands& demands;
  model::State& state;
  model::Instant& now;
  /// Makes everything that follows from the state anew; returns its total energy [J].
  std::function<double()> load;
};

/// What came of it.
struct Jump {
  std::vector<double> impulses;   // of the rows [N s, N m s]
  Vec3 corrected = Vec3::Zero();  // angular momentum that moving the positions moved [N m s]
  std::vector<Event> events;
};

/// Moves the state onto its rows, from which it is off by `gap` [m, rad], least |dq|_M. The change
/// of energy goes to the ledger.
void correct_positions(const Standing& at, double tolerance, double gap, const std::string& subject,
                       Jump& jump);
/// Velocities onto the rows, least |du|_M: what is left of a jump in which no energy is to be lost.
void correct_velocities(const Standing& at, Jump& jump);
/// Positions that do not meet their rows, then velocities: an impact, whose loss goes to the
/// ledger.
Jump jump(const Standing& at, double tolerance, const std::string& why, const std::string& subject);

}  // namespace trammel::constraint

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "constraint/event.h"
#include "model/project.h"

/// Projects positions and velocities onto rows that have jumped, outside the steps of a
/// formulation. Restitution is not here but in rows.h, `rebound`, and in status.h, `impact_row`.
namespace trammel::constraint {

/// The state of a formulation between steps, with what it takes to change it.
struct Standing {
  const model::Kinematics& kin;
  model::Projector& projector;
  const model::ConstraintSpecs& specs;
  model::State& state;
  model::KinematicsCache& now;
  /// Makes everything that follows from the state anew; returns its total energy [J].
  std::function<double()> load;
};

/// The result of a jump.
struct Jump {
  std::vector<double> impulses;   // impulses of the rows [N s, N m s]
  Vec3 corrected = Vec3::Zero();  // change of angular momentum by position corrections [N m s]
  std::vector<Event> events;
};

/// Projects the positions onto their rows, from which they are off by `gap` [m, rad], with the
/// least |dq|_M. The change of energy goes to the ledger.
void correct_positions(const Standing& at, double tolerance, double gap, const std::string& subject,
                       Jump& jump);
/// Projects the velocities onto the rows with the least |du|_M after positions have been corrected.
/// The change of energy goes to the ledger as a correction's, not as an impact's.
void correct_velocities(const Standing& at, Jump& jump);
/// Projects positions that do not meet their rows, then velocities: an impact, whose loss goes to
/// the ledger.
Jump jump(const Standing& at, double tolerance, const std::string& why, const std::string& subject);

}  // namespace trammel::constraint

#pragma once

#include <vector>

#include "model/kinematics.h"

namespace trammel::model {

/// What end A of a joint exerts on end B, through its rows and the laws on them: force and torque
/// at the origin of frame B, in the axes of frame A (of the curve frame for joints along a track).
/// Row forces are means over the last step, and so are these; the pose is the one at its end.
/// docs/notation.md draws the signs.
struct Reaction {
  Vec3 force = Vec3::Zero();   // [N]
  Vec3 torque = Vec3::Zero();  // [N m]
};

/// Of one joint, from the force of each row.
Reaction reaction(const Kinematics& kinematics, const Instant& at, std::size_t joint,
                  const double* row_forces);
/// Of every joint, from the force of each row; `at` is where the rows are.
void reactions(const Kinematics& kinematics, const State& state, const Instant& at,
               const std::vector<double>& row_forces, std::vector<Reaction>& out);

/// Value of a coordinate of a joint (angles in (-pi, pi]).
double coordinate(const Kinematics& kinematics, const Instant& at, int joint,
                  const joint::Row& row);

}  // namespace trammel::model

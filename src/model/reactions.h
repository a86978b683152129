#pragma once

#include <span>
#include <vector>

#include "model/kinematics.h"

namespace trammel::model {

/// The reaction of a joint is what its end A exerts on its end B, through its rows and the laws on
/// them: force and torque at the origin of frame B, in the axes of frame A (of the curve frame for
/// joints along a track). Which instant it belongs to, or which mean it is, each formulation says
/// (form::Formulation::reaction). docs/notation.md draws the signs.
struct Reaction {
  Vec3 force = Vec3::Zero();   // [N]
  Vec3 torque = Vec3::Zero();  // [N m]
};

/// Returns the reaction of one joint, from the force of each row at the pose `at`.
Reaction reaction(const Kinematics& kinematics, const KinematicsCache& at, std::size_t joint,
                  const double* row_forces);
/// Returns what a force along one row of a joint adds to its reaction.
Reaction reaction_along(const Kinematics& kinematics, const KinematicsCache& at, std::size_t joint,
                        const joint::Row& row, double force);
/// Computes the reactions of all joints, from the force of each row; `at` is where the rows are.
void reactions(const Kinematics& kinematics, const State& state, const KinematicsCache& at,
               const std::vector<double>& row_forces, std::vector<Reaction>& out);

/// Impulses, or wrenches, of joints and loads in world axes, apart for each body they act on: of a
/// joint the force on B, its moment on A about A's centre of mass and that on B about B's; what A
/// feels is the opposite of what B feels by the third law, not from the rows' own part of A. Of a
/// load its force, and its moment about the body's centre of mass. Joints first, nine numbers each,
/// then loads, six each; bodies that touch follow (constraint/contact/wrenches.h). Transient joints
/// are not among them. Those of a coupling are in the joints whose coordinates it couples.
constexpr std::size_t kJointImpulse = 9, kLoadImpulse = 6;
/// Adds that of the rows' forces or impulses (`more` too, unless it is empty), with the loads for
/// `duration` (0: none); `at` is where the rows are.
void add_wrench_impulses(const Kinematics& kinematics, const KinematicsCache& at,
                         std::span<const double> rows, std::span<const double> more,
                         double duration, double* out);

/// Value of a coordinate of a joint (angles in (-pi, pi]).
double coordinate(const Kinematics& kinematics, const KinematicsCache& at, int joint,
                  const joint::Row& row);

}  // namespace trammel::model

#pragma once

#include <vector>

#include "model/handles.h"
#include "sim/simulation.h"

namespace trammel::sim {

/// A point at which two bodies pushed each other in the last step of a run.
struct ContactPoint {
  model::BodyHandle a, b;          // null: an obstacle or the ground
  int shape_a = -1, shape_b = -1;  // indices into Model::contacts.shapes
  Vec3 position = Vec3::Zero();    // midway between the two surfaces, world axes [m]
  Vec3 normal = Vec3::UnitZ();     // unit, from a to b, world axes
  Vec3 force = Vec3::Zero();       // on b, mean of the last step, world axes [N]
  double gap = 0;                  // [m]; negative: overlap
};

/// Returns all contact points that pushed in the last step. In the acceleration formulation forces
/// are those at the end of the step.
std::vector<ContactPoint> contact_points(const Simulation& simulation);

/// Returns those of one body, which stands as `b` in each, so that forces are those on it. Throws
/// std::invalid_argument for handles that are null or of another mechanism.
std::vector<ContactPoint> contact_points_of(const Simulation& simulation, model::BodyHandle body);

/// Returns those between two bodies, with forces on `b`. Throws as contact_points_of().
std::vector<ContactPoint> contact_points_between(const Simulation& simulation, model::BodyHandle a,
                                                 model::BodyHandle b);

}  // namespace trammel::sim

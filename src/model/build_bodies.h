#pragma once

#include <array>
#include <vector>

#include "model/draft.h"

/// Functions that the builder's files on bodies share. Internal.
namespace trammel::model {

double volume(const Solid& solid);  // [m^3]
/// What is wrong with an inertia; empty: nothing. Principal moments must not be negative (zero:
/// thin rods, point masses) and fulfil the triangle inequality: no distribution of mass has Ix > Iy
/// + Iz.
std::string wrong_inertia(const std::array<double, 6>& six);
/// The same body by mass, inertia, centre of mass and, an affine one, volume, which follow from its
/// solids; complains of what does not add up.
BodySpec of_solids(Draft& draft, const BodySpec& spec);

struct MassOf {
  double mass = 1;
  std::array<double, 6> inertia{1, 1, 1, 0, 0, 0};  // about the centre of mass, body axes
};
/// From what the spec gives; complains of what no body can have.
MassOf mass_of(Draft& draft, const BodySpec& spec, bool may_be_massless);

struct Start {
  Pose X_WB;
  Vec3 v, w;  // of the centre of mass, world axes
};
Start start_of(Draft& draft, const BodySpec& spec, const std::vector<JointSpec>& joints);

/// A pool of those that are affine, if any.
void add_affine_bodies(Draft& draft, const std::vector<const BodySpec*>& specs,
                       const std::vector<JointSpec>& joints);

}  // namespace trammel::model

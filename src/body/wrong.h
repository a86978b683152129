#pragma once

#include <string>

#include "body/solid.h"
#include "math/types.h"

/// Checks of where something is and of what size: each returns the fault as a sentence about "it";
/// empty: there is none.
namespace trammel::body {

/// An axis may be a little off unit length, axes from each other, by rounding.
constexpr double kUnitRounding = 1e-9;

std::string wrong_position(const Vec3& p);
std::string wrong_axes(const Mat3& R);
std::string wrong_pose(const Pose& X);
/// Of the sizes of a solid.
std::string wrong_solid(const Solid& solid);

}  // namespace trammel::body

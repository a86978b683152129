#pragma once

#include <string>

#include "math/signal.h"
#include "math/types.h"

/// Checks of parts of a spec: each returns its fault as a sentence about "it"; empty: there is
/// none. Internal.
namespace trammel::model {

/// An axis may be a little off unit length, axes from each other, by rounding.
constexpr double kRounding = 1e-9;

std::string wrong_position(const Vec3& p);
std::string wrong_axes(const Mat3& R);
std::string wrong_pose(const Pose& X);
std::string wrong_signal(const Signal& signal);
/// A drive whose displacement is followed.
std::string wrong_drive(const Drive& drive);

}  // namespace trammel::model

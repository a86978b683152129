#pragma once

#include <string>

#include "body/wrong.h"
#include "math/signal.h"

/// Checks of parts of a spec: each returns its fault as a sentence about "it"; empty: there is
/// none. Internal.
namespace trammel::model {

using body::kUnitRounding;
using body::wrong_axes;
using body::wrong_pose;
using body::wrong_position;
using body::wrong_solid;

std::string wrong_signal(const Signal& signal);
/// A drive whose displacement is followed.
std::string wrong_drive(const Drive& drive);

}  // namespace trammel::model

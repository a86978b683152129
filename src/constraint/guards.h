#pragma once

#include <vector>

#include "model/kinematics.h"

namespace trammel::constraint {

/// What is watched of each track joint: nothing happens while all are >= 0.
enum class Guard : unsigned char {
  ahead,   // way left on its piece of the track [m]
  behind,  // way from the start of its piece [m]
  derail,  // 1 where the joint is meant to be, 0 where a displacement is at its limit
};
constexpr int kGuards = 3;  // numbers a track joint, in that order

/// The guards of all track joints, those of arc k at kGuards k; infinite for joints that have let
/// go.
void guards(const model::Kinematics& kin, const model::Instant& now, const model::State& state,
            std::vector<double>& out);

}  // namespace trammel::constraint

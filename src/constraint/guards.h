#pragma once

#include <vector>

#include "model/kinematics.h"

namespace trammel::constraint {

/// Guard functions of each track joint: nothing happens while all are >= 0.
enum class Guard : unsigned char {
  ahead,   // distance to the end of its piece of the track [m]
  behind,  // distance from the start of its piece [m]
  derail,  // 1 where the joint is meant to be, 0 where a displacement is at its limit
};
constexpr int kGuards = 3;  // numbers per track joint, in that order

/// Computes the guards of all track joints into `out`, those of arc k from index kGuards k on; they
/// are infinite for joints that have let go.
void guards(const model::Kinematics& kin, const model::KinematicsCache& now,
            const model::State& state, std::vector<double>& out);

}  // namespace trammel::constraint

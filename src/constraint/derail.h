#pragma once

#include <string>

#include "model/kinematics.h"

namespace trammel::constraint {

/// Returns the margin of track joint k at `arc` to derailing: 1 where the joint is meant to be, 0
/// where a displacement is at its limit, negative beyond; infinite where nothing derails it.
double derail_margin(const model::Kinematics& kin, const model::KinematicsCache& now, std::size_t k,
                     joint::Arc arc);

/// Describes the displacement that is nearest to its limit or furthest beyond it: "its lateral
/// displacement of 20.1 mm has passed the limit of 20 mm".
std::string derail_cause(const model::Kinematics& kin, const model::KinematicsCache& now,
                         std::size_t k);

}  // namespace trammel::constraint

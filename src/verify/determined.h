#pragma once

#include <vector>

#include "model/builder.h"

namespace trammel::verify {

constexpr std::size_t kComponents = 6;  // of a reaction: fx, fy, fz, tx, ty, tz

/// Returns which components of the reactions of joints a mechanism determines, kComponents a joint:
/// those that no set of row forces changes which moves nothing. Redundant rows have such sets; the
/// hinges of a plane four-bar linkage share forces across the plane in them, and none in it. At the
/// pose of `state`, for what was redundant at the start.
std::vector<unsigned char> determined(const model::Built& built, const model::State& state);

}  // namespace trammel::verify

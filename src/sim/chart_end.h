#pragma once

#include <string>
#include <vector>

#include "model/builder.h"

namespace trammel::sim {

/// Says that a step of h [s] that failed at the state `now`, of velocities u, came to where the
/// coordinates of a system are no chart, and names the one that moves least there beside the start;
/// empty: it did not. h = 0: a step that found its own length.
std::string chart_end(const model::Built& built, const model::State& now,
                      const std::vector<double>& u, double h);

/// Says, to be added to a failure, where a system is on its track, of several the one that is
/// nearest to a jump of curvature; empty: none is on a track.
std::string track_place(const model::Built& built, const model::State& now);

}  // namespace trammel::sim

#pragma once

#include <string>
#include <vector>

#include "model/builder.h"

namespace trammel::sim {

/// Where a step failed: coordinates, momenta and velocities there, and its length [s]. h = 0: a
/// step that found its own length, whose momenta are not asked for.
struct Failed {
  const std::vector<double>&q, &P, &u;
  double h = 0;
};

/// What is at an end, and how: a system with the coordinate, and a sentence that names them.
struct ChartEnd {
  std::string subject, text;  // empty: nothing is
};

/// Says that a step that failed came to where the coordinates of a system are no chart, and names
/// the one that moves least there beside the start, or to where an object's track ends.
ChartEnd chart_end(const model::Built& built, const Failed& at);

/// Says, to be added to a failure, where a system is on its track, of several the one that is
/// nearest to a jump of curvature; empty: none is on a track.
std::string track_place(const model::Built& built, const model::State& now);

}  // namespace trammel::sim

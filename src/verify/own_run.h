#pragma once

#include <limits>
#include <string>
#include <vector>

#include "verify/impacts.h"
#include "verify/series.h"

namespace trammel::verify {

/// How far the run that the scene asks for, with its own step and formulation, is from the limit of
/// the series that is known best. A limit says what is right, and not that this run is.
struct OwnRun {
  std::string formulation;
  double step = 0;                      // [s]
  std::size_t reference = 0;            // the series
  double until = 0;                     // compared up to here [s]
  Distance off;                         // greatest, over these times
  double length_t = 0, angle_t = 0;     // when [s]
  std::string length_body, angle_body;  // and which body
  Distance known;                       // to what the limit is known up to there
  /// From when on it is off by more than kLost, of the size or rad [s].
  double lost_from = std::numeric_limits<double>::infinity();
};

/// Compares poses, of all bodies at one time of the grid after the other, with the limit of a
/// series up to `resolved` times of it.
OwnRun judge_own_run(const std::vector<Pose>& own, const Series& series, long resolved, double size,
                     const model::Model& model, const std::vector<int>& object);

}  // namespace trammel::verify

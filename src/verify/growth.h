#pragma once

#include <vector>

#include "verify/series.h"

namespace trammel::verify {

/// How a small difference of the motion grows.
struct Growth {
  long from = -1;  // time of the grid at which the momenta were changed; -1: nothing moves
  std::vector<double> apart;   // each time after it: of size, or rad
  std::vector<double> beyond;  // each time of the grid: places [m] over what a steady drift makes
                               // of those at the first; 0: not known
  double factor = 0;           // greatest growth beyond that of a steady drift apart
  /// Where it grows kChaotic-fold: the time from which on it grew beyond that drift; -1: it does
  /// not.
  long chaotic = -1;
};

constexpr double kDisturbance = 1e-9, kChaotic = 100;

/// The finest run of `method`, `run`, once more, with all momenta changed by kDisturbance of what
/// they are as soon as something moves.
Growth growth(const Method& method, const sim::Settings& own, const Grid& grid, const Samples& run,
              double size, const Cap& cap);

}  // namespace trammel::verify

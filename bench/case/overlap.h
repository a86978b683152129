#pragma once

#include <vector>

#include "judge.h"

/// How bodies that touch are judged, from their states alone: how deep they are in each other and
/// in the ground z <= 0, and how fast they move.
namespace trammel::bench {

constexpr double kTouch = 1e-3;  // [m]

struct Overlap {
  int touching = 0;           // pairs less than kTouch apart; the ground is a body
  double mean = 0, most = 0;  // overlap of these, 0 of those that are apart [m]
  double speed = 0;           // root of the mean square [m/s]
};

Overlap overlap(const Scene& scene, const std::vector<State>& now);

}  // namespace trammel::bench

#pragma once

#include <string>
#include <vector>

#include "verify/series.h"

namespace trammel::verify {

/// When two bodies have met, as the finest run of each series tells it.
struct Meeting {
  std::string pair;  // "ball, ground"
  struct Time {
    double t = 0, off = 0, speed = 0;  // off: by how much the time may be [s], [m/s]
    bool known = false;                // else the series has not come so far, or found none
  };
  std::vector<Time> of;  // each series
  bool agrees = true;    // all that are known
};

constexpr std::size_t kMeetings = 8;  // that are told

struct Meetings {
  std::vector<Meeting> all;  // the first kMeetings, in the order of time
  std::size_t more = 0;      // that are not among them
  std::vector<std::string> findings;
};

/// The first impacts of pairs of bodies, side by side. Impacts of a pair that follow each other
/// within two of the scene's steps are one: the corners of a box, the last bounces of a ball. Weak
/// ones, of less than a twentieth of the greatest speed, are left out: whether a box rocks once
/// more before it rests changes nothing.
Meetings meetings(const std::vector<Series>& series, const std::vector<long>& resolved, double step,
                  const Distance& rounding);

}  // namespace trammel::verify

#pragma once

#include <string>
#include <vector>

#include "plot/axis.h"

namespace trammel::plot {

/// A mark with the place of its text: `lane` rows above the first panel, -1 where there is no room.
struct PlacedMark {
  double x;  // px
  std::string text;
  double left, width;  // of the text [px]
  int lane;
};

/// Places the texts so that none overlaps another or the stem of another mark.
std::vector<PlacedMark> place_marks(const std::vector<Mark>& marks, const Axis& x, double size,
                                    int max_lanes);

}  // namespace trammel::plot

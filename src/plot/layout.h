#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plot/axis.h"
#include "plot/figure.h"
#include "plot/marks.h"

namespace trammel::plot {

// Sizes in px.
constexpr double kText = 12, kTickText = 11, kTitleText = 15;
constexpr double kRow = 18;     // of labels and legends
constexpr double kLane = 15;    // of mark texts
constexpr double kMargin = 16;  // around everything
constexpr double kKey = 24;     // the stroke in the legend

struct LegendEntry {
  std::string name;
  std::size_t line;  // whose stroke stands before it; npos: none
  double left = 0;
  int row = 0;
};

struct PanelLayout {
  Axis y;
  std::vector<LegendEntry> legend;
  double header = 0;  // where its label's row begins
  double top = 0, bottom = 0;
};

/// Where everything of a figure stands.
struct Layout {
  Axis x;
  std::vector<PlacedMark> marks;
  std::vector<PanelLayout> panels;
  double left = 0, right = 0, height = 0;
};

Layout lay_out(const Figure& figure);

}  // namespace trammel::plot

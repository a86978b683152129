#pragma once

#include <string>
#include <vector>

#include "plot/drawing.h"

namespace trammel::plot {

/// y over x; where an axis cannot show it the line has a gap.
struct Line {
  std::string name;  // in the legend; empty: not there
  std::vector<double> x, y;
  int colour = -1, dash = -1;  // by number; -1: as the lines of its panel come
};

/// Holds what an axis shows, "speed" in "m/s".
struct Label {
  std::string text, unit;
};

struct Panel {
  Label y;
  std::vector<Line> lines;
};

/// A moment to point at in all panels.
struct Mark {
  double x = 0;
  std::string text;
};

/// Panels under each other over one x axis.
struct Figure {
  std::string title;
  Label x;
  std::vector<Panel> panels;
  std::vector<Mark> marks = {};
  double width = 860, panel_height = 220;  // px
  double height = 0;                       // of it all [px]; 0: what its panels need
  bool log_y = false;                      // what is not positive is left out
};

/// Lines are told apart by so many colours, then by so many dashes.
inline constexpr int kColourCount = 7, kDashCount = 6;

/// The least height that leaves room for panels [px].
double least_height(const Figure& figure);

/// Lines are thinned to what a pixel column can show, so that a million points make a small picture
/// that looks the same.
Drawing draw(const Figure& figure);

/// The same as a self-contained SVG.
std::string render(const Figure& figure);

}  // namespace trammel::plot

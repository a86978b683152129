#pragma once

#include <string>
#include <vector>

namespace trammel::plot {

/// y over x; where either is not finite the line has a gap.
struct Line {
  std::string name;  // in the legend; empty: not there
  std::vector<double> x, y;
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
};

/// A self-contained SVG. Lines are thinned to what a pixel column can show, so that a million
/// points make a small picture that looks the same.
std::string render(const Figure& figure);

}  // namespace trammel::plot

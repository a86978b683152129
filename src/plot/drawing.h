#pragma once

#include <string>
#include <variant>
#include <vector>

/// What pictures are made of, whatever file they go into.
namespace trammel::plot {

struct Point {
  double x = 0, y = 0;  // px from the upper left corner
};
using Polyline = std::vector<Point>;  // joined by straight lines

struct Pen {
  std::string colour;  // #rrggbb
  double width = 1;    // px
  std::vector<double> dash = {};
};

struct Stroke {
  std::vector<Polyline> runs;
  Pen pen;
};

struct Area {
  Polyline outline;
  std::string colour;
  double opacity = 1;
};

enum class Anchor { start, middle, end };

struct Text {
  Point at;  // on the line that letters stand on
  std::string text;
  double size = 12;  // px
  std::string colour = "#333333";
  Anchor anchor = Anchor::start;
  bool bold = false;
};

struct Drawing {
  double width = 0, height = 0;                              // px
  std::string title;                                         // for those who do not see it
  std::vector<std::variant<Stroke, Area, Text>> items = {};  // the later over the earlier
  std::string background = "#ffffff";
};

/// Self-contained.
std::string to_svg(const Drawing& drawing);

}  // namespace trammel::plot

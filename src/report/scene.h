#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "body/mesh.h"
#include "io/results.h"
#include "model/builder.h"
#include "sim/settings.h"

/// What a scene shows beyond its results: shapes of bodies, lines of tracks, axes of coordinates.
namespace trammel::report {

/// One of the shapes of a body, its middle at X_BS in the body frame, of scenery in the world; a
/// mesh where it has one.
struct Shape {
  model::Solid solid;
  Pose X_BS = {};
  bool hole = false;
  std::shared_ptr<const body::Mesh> mesh = {};
  std::string color = {}, text = {};  // "#rrggbb", or empty: none is given; and what it is
};

/// A track as it lies on its body.
struct Line {
  std::string name, body;
  Pose X_BT = {};  // the track's frame in the body frame
  bool closed = false;
  std::vector<float> points;  // s; p; directions along and to the left: 10 numbers a point
};

/// A free coordinate of a joint, as the text of its row: "Ax.D".
struct Freedom {
  std::string name, row, unit;
};

struct Shown {
  std::map<std::string, std::vector<Shape>> shapes;  // of bodies by name
  std::map<std::string, std::string> colors;         // of bodies that have one, "#rrggbb"
  std::set<std::string> hidden;                      // bodies that only stand for a number
  std::vector<Shape> scenery;
  std::map<std::string, std::vector<Freedom>> freedom;  // of joints by name
  std::vector<Line> tracks;
  std::vector<sim::PlotSpec> plots;             // of the scene's author
  double step = 0, duration = 0;                // of the run [s]
  std::map<std::string, std::string> displays;  // sensors that are shown large, and what they are
  std::string problem;                          // why there is nothing of this
};

/// Reads the scene that results hold.
Shown shown(const io::Header& header);

}  // namespace trammel::report

#pragma once

#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "io/scene.h"

namespace trammel::io {

/// An input as a recording has it.
struct InputColumn {
  std::string name, unit;
  double least = 0, most = 0;
};

/// What inputs were while a run was driven: a table of text,
///   t [s],throttle [1],slew [rad/s]
///   0,0,0
///   1.25,0.5,0
/// in SI. A line holds from the first step on that begins at its time or later. Where the run was
/// ended by hand the last line is "# stopped at T".
struct InputRecording {
  struct Line {
    double t = 0;  // [s]
    std::vector<double> values;
  };
  std::vector<Line> lines;
  double stop = std::numeric_limits<double>::infinity();  // [s]
};

std::string inputs_head(std::span<const InputColumn> columns);
std::string inputs_line(double t, std::span<const double> values);
std::string inputs_stop(double t);

/// The recording, or all that is wrong with it: inputs that are not those of the scene in their
/// order, numbers that are none or outside the range, times that go back.
std::variant<InputRecording, SceneProblems> parse_inputs(const std::string& text,
                                                         const std::string& file,
                                                         std::span<const InputColumn> columns);

}  // namespace trammel::io

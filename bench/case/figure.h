#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "math/types.h"

namespace trammel::bench {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// What is said of one scenario: a line of the table, and of the JSON file.
struct Figure {
  std::string scenario, solver;
  int n = 1;                     // links, windows, pairs, vehicles, rows
  double dt = 0, simulated = 0;  // [s]
  long steps = 0;                // or calls, where nothing moves in time
  double seconds = 0;            // CPU, median of the repetitions
  double spread = 0;             // (slowest - fastest)/median
  int repetitions = 1;
  double drift = 0;               // worst gap of a joint [m]
  double energy = 0;              // worst imbalance, relative
  Vec3 final_pos = Vec3::Zero();  // of the last body [m]
  long peak_rss_kb = 0;           // of the process, building included
  double drift_angle = 0;         // worst angle of a joint [rad]
  double energy_end = 0;          // imbalance at the end, relative
  double error = kNone;           // of final_pos, where it is known [m]
  double bytes = kNone;           // that a body takes while stepping, with its joint
  double iterations = kNone;      // a step, of the equations for the positions
  double beside = kNone;          // time a step, as so many of the fastest peer's in the same run
  // of bodies that touch, in the last third of a run, means over looks
  double late = kNone;        // us a step there
  double contacts = kNone;    // pairs of bodies and ground that overlap or all but touch
  double depth = kNone;       // mean overlap of pairs that overlap [m]
  double depth_most = kNone;  // greatest overlap [m]
  double speed = kNone;       // root of the mean square of bodies' speeds [m/s]
  bool truncated = false;     // cut off; time a step, drift and energy of the part that ran
  bool finite = true;
  std::string engine = "trammel", group = {};
  std::string failed = {};  // why there are no figures

  double us_per_step() const;
};

/// One line of JSON, without its end; and back.
std::string to_json(const Figure& figure);
Figure from_json(std::string_view line);

/// The one of median time, with the spread of all.
Figure median(std::vector<Figure> repeated);
/// Fills seconds, spread and repetitions from one time a repetition.
void take_median(std::vector<double> seconds, Figure& out);

}  // namespace trammel::bench

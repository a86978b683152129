#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "model/builder.h"
#include "sim/simulation.h"

namespace trammel::verify {

/// Common times of all runs: `count` of them, `stride` steps of h apart, from the start on, which
/// is not among them.
struct Grid {
  double h = 1e-3;  // the scene's step [s]
  long stride = 1, count = 1;
  double apart() const { return static_cast<double>(stride) * h; }         // [s]
  double horizon() const { return static_cast<double>(count) * apart(); }  // [s]
  /// Steps of h in a step of a method that chooses its own within it; divides the stride.
  long coarse() const;
};
/// Some forty times up to the horizon [s] or a little before.
Grid make_grid(double h, double horizon);

/// How far apart two things are: greatest distance [m] and angle [rad] of any body.
struct Distance {
  double length = 0, angle = 0;
  int length_body = 0, angle_body = 0;  // which bodies, see Samples::object
  void take(const Distance& other);     // the greater of each
  /// One number: lengths as parts of `size` [m].
  double scaled(double size) const { return std::max(length / size, angle); }
};

/// What a run leaves: poses of all bodies that move freely, at the times of a grid.
struct Samples {
  std::vector<int> object;    // of the model, each body
  std::vector<Pose> X;        // time after time; shorter where the run ended early
  std::vector<double> taken;  // by the scheme of an energy formulation, so far, each time [J]
  sim::Summary summary;
  double cpu = 0;    // [s]
  double reach = 0;  // greatest distance of a body from the origin, at the end [m]
  double energies =
      0;  // that are added up: of weights at the bodies' distances from the origin [J]
  std::string failure;  // why it ended early
  model::State moving;  // at the first of the times at which anything moved
  bool enough = false;  // it ended early for the time it took
  long moving_at = -1;  // which one; -1: none
  long count() const;
  const Pose* at(long k) const { return X.data() + k * static_cast<long>(object.size()); }
};

/// One run with the step of the settings, seen every `every` steps; ends early, with the reason,
/// when numbers go bad or it has taken more CPU time than `most` [s].
Samples sample(const model::Built& built, sim::Settings settings, long every, long count,
               double most = std::numeric_limits<double>::infinity());

/// Greatest distances between two lists of as many poses.
Distance apart(const Pose* a, const Pose* b, std::size_t n);

}  // namespace trammel::verify

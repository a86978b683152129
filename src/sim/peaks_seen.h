#pragma once

#include <array>
#include <cmath>
#include <vector>

/// What is kept of the peaks of a run while it goes on; it is part of checkpoints. sim/peaks.h
/// fills it and knows what it is of.
namespace trammel::sim {

/// The value of greatest magnitude so far, with its sign, and its time.
struct Greatest {
  double value = 0, t = 0;
  void see(double x, double at) {
    if (!(std::abs(x) > std::abs(value))) return;
    value = x;
    t = at;
  }
};

/// The greatest impulse of an element in an impact so far, and how many impacts it had.
struct Blows {
  Greatest greatest;
  long count = 0;
  void see(double impulse, double at) {
    greatest.see(impulse, at);
    ++count;
  }
};

/// Whose impulses are watched.
enum Blown : int { kJointBlows, kCouplingBlows, kLawBlows, kTouchBlows };

struct PeaksSeen {
  std::vector<double> rows;        // greatest magnitude of the force of each row [N, N m]
  std::vector<Greatest> channels;  // in the order of sim::Peaks
  /// By Blown: of the items of their channels.
  std::array<std::vector<Blows>, 4> blows;
};

}  // namespace trammel::sim

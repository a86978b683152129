#pragma once

#include <vector>

#include "joint/function.h"

namespace trammel::model {

struct Model;
struct Params;

/// Size and pace of a mechanism, to which every threshold of the engine is relative. Of mechanisms
/// of ordinary size and pace they are 1 m and 1 m/s, so that nothing hangs on what stands beside
/// them; with lengths, masses and times multiplied by more than that, what is decided stays the
/// same.
struct Scales {
  double length = 1;  // [m]
  double speed = 1;   // [m/s]
  double arm = 1;     // the length, wherever the mechanism is: what turns its rounding into angles

  double time() const { return length / speed; }
  double spin() const { return speed / length; }
  /// Returns what values of a row in that unit are compared with.
  double value(joint::Unit unit) const {
    return unit == joint::Unit::metre          ? length
           : unit == joint::Unit::square_metre ? length * length
                                               : 1;
  }
  double rate(joint::Unit unit) const { return value(unit) * spin(); }
};

/// Returns the size of each object that moves [m]: the greatest arm of a joint on it, or its radius
/// of gyration; 0: it has none, or does not move.
std::vector<double> arms(const Model& model, const Params& params);
/// Returns the greatest of them [m].
double greatest_arm(const Model& model, const Params& params);
/// Returns the greatest distance that the mass centre of an object of a system goes for a radian of
/// a coordinate, at q: the arm of the joint that the coordinate stands for [m].
double greatest_reach(const Model& model, const Params& params, const std::vector<double>& q);
/// Returns the greatest coordinate of all bodies, lengths as shares of the mechanism's.
double greatest_coordinate(const Model& model, const std::vector<double>& q);
/// Mechanisms whose scales are all from the one to the other [m, m/s] have scales of 1.
inline constexpr double kOrdinaryFrom = 1e-3, kOrdinaryTo = 1e3;
/// Returns the scales of a mechanism with the coordinates q and velocities u that it starts with.
/// Beyond the ordinary, the length is its greatest arm or reach, but at least what makes thresholds
/// wider than the rounding of its coordinates. The speed is that of a fall over this length or,
/// without gravity, the greatest at the start, or, where all is at rest, this length in a second.
Scales scales_of(const Model& model, const Params& params, const std::vector<double>& q,
                 const std::vector<double>& u);

}  // namespace trammel::model

#pragma once

namespace trammel::constraint {

/// What contacts did in a step.
struct ContactReport {
  int points = 0;  // that pushed
  int sweeps = 0, newton = 0;
  double merit = 0;       // greatest error of a point [m/s]
  double depth = 0;       // greatest overlap at the end [m]
  double sunk = 0;        // the same over the least extent of the shapes that overlap
  bool converged = true;  // all solves
};

}  // namespace trammel::constraint

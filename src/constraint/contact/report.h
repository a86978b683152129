#pragma once

#include "math/types.h"

namespace trammel::constraint {

/// The impulse by which an object pushed another in an impact of contacts [N s].
struct ContactImpulse {
  int A = 0, B = 0;  // objects
  Vec3 on_B = Vec3::Zero();
};

/// What contacts did in a step.
struct ContactReport {
  int points = 0;  // that pushed
  int sweeps = 0, newton = 0;
  double merit = 0;       // greatest error of a point [m/s]
  double depth = 0;       // greatest overlap at the end [m]
  double sunk = 0;        // the same over the least extent of the shapes that overlap
  double turned = 0;      // greatest sine of what a normal has turned by in the step of an impact
  bool converged = true;  // all solves
  int impacts = 0;        // one after the other
  bool ended = true;      // false: so many that the rest was solved at once
  int met = 0, late = 0;  // pairs that have met, and those that did so earlier than at an end
  double lateness = 0;    // greatest way that these would have gone on, of the extent of a shape
  double far = 0;         // work along normals of what stays in touch and goes far over a shape [J]

  /// Of the parts of a step.
  void add(const ContactReport& part) {
    points = part.points;
    sweeps += part.sweeps;
    newton += part.newton;
    merit = merit > part.merit ? merit : part.merit;
    depth = depth > part.depth ? depth : part.depth;
    sunk = sunk > part.sunk ? sunk : part.sunk;
    turned = turned > part.turned ? turned : part.turned;
    converged = converged && part.converged;
    impacts += part.impacts;
    ended = ended && part.ended;
    met += part.met;
    late += part.late;
    lateness = lateness > part.lateness ? lateness : part.lateness;
    far += part.far;
  }
};

}  // namespace trammel::constraint

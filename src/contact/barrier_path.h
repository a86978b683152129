#pragma once

#include "body/motion_kind.h"
#include "contact/barrier_distance.h"

namespace trammel::contact::barrier {

/// The way of a body over 0 <= s <= 1: x(s) = p + s dp + exp(s w)(A + s dA) x. Straight where
/// w = 0.
struct Path {
  Vec3 p = Vec3::Zero(), dp = Vec3::Zero();  // [m]
  Mat3 A = Mat3::Identity(), dA = Mat3::Zero();
  Vec3 w = Vec3::Zero();  // [rad]

  Vec3 at(double s, const Vec3& x) const;
  body::Transform at(double s) const;
  /// The speed of a point, dx/ds.
  Vec3 speed(double s, const Vec3& x) const;
  /// Bounds how fast the speed of points up to `reach` from the origin changes, |d^2x/ds^2|.
  double bend(double reach) const;
};

/// A pair of a point and a triangle, or of two edges, on its way: the first `split` corners are on
/// the one body.
struct Moving {
  const Path *a, *b;
  std::array<const Vec3*, 4> x;  // in the axes of its body
  int split;                     // 1: point and triangle; 2: two edges
  double bend;                   // of both together
  bool plane = false;            // the triangle is three points of a plane at rest
  double near = 1e300;           // distance from which on what is left need not be more [m]
};

/// Returns how much of the way from s = 0 up to s = 1 the pair may go without touching, such that
/// a tenth of its distance is left, or of `near` where it is farther: additive continuous collision
/// detection, by exact places and a bound of the speed over all of the remaining way. 1: all of it.
double free_way(const Moving& pair);

}  // namespace trammel::contact::barrier

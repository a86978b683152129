#pragma once

#include "io/results.h"
#include "math/types.h"

namespace trammel::verify {

/// A track's line through the points that the results have of it: cubic between them.
class Line {
 public:
  Line() = default;
  explicit Line(const io::Constants& points);
  bool empty() const { return n_ == 0; }

  /// In the frame that carries the track.
  struct Point {
    Vec3 p = Vec3::Zero();      // [m]
    Mat3 C = Mat3::Identity();  // along, to the left, up
    double remainder = 0;       // of a cubic between known points, 384 times over [m]
  };
  Point at(double s) const;

 private:
  std::vector<double> x_;  // 16 numbers a point: s, p, t, n, dt/ds, dn/ds
  std::size_t n_ = 0;
};

}  // namespace trammel::verify

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "contact/pair_rule.h"
#include "contact/point.h"
#include "contact/shape.h"

namespace trammel::contact {

/// A shape on an object; object 0 is the ground.
struct Placed {
  int object = 0;
  Pose X_OS = {};
  Shape shape = {};
};

/// Finds where shapes touch. What it finds follows from the poses alone, whatever it found before.
/// Not to be shared between threads.
class Detector {
 public:
  /// Throws std::invalid_argument where two shapes may meet that cannot (can_meet), or two surfaces
  /// of which none has hulls.
  Detector(std::vector<Placed> shapes, PairRule rule);
  ~Detector();
  Detector(Detector&&) noexcept;
  Detector& operator=(Detector&&) noexcept;

  /// Points of the shapes at these poses of the objects, sorted by (A, B, feature), into `out`. A
  /// point counts up to the sum of both shapes' margins (by shape, >= 0 [m]); margins leave points
  /// out, and change none. Pairs that touch only where other shapes of an object adjoin are left
  /// out (Seams).
  void find(std::span<const Pose> X_WO, std::span<const double> margin, std::vector<Point>& out);

  /// Whether all of these points of one pair are at seams, where the shapes were in the last find.
  bool hides(std::span<const Point> points) const;

  const std::vector<Placed>& shapes() const;
  /// Pairs whose boxes met in the last find.
  int candidates() const;

 private:
  struct Self;
  std::unique_ptr<Self> self_;
};

}  // namespace trammel::contact

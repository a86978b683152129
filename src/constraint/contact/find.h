#pragma once

#include <span>
#include <vector>

#include "constraint/contact/points.h"
#include "constraint/contact/surfaces.h"
#include "contact/detector.h"

/// Finds the points of contact at an instant, and makes all that follows from them.
namespace trammel::constraint {

/// A detector, and scratch.
struct PointFinder {
  explicit PointFinder(const ContactSurfaces& s);

  contact::Detector detector;
  std::vector<Pose> X_WO;
  Forest islands;
  std::vector<piles::ContactBody> bodies;
  std::vector<piles::ContactPoint> points;
};

/// The points alone. Needs transforms.
void find_points(const ContactSurfaces& s, const model::KinematicsCache& at,
                 std::span<const double> margin, PointFinder& finder,
                 std::vector<contact::Point>& out);
/// Needs transforms and inverse masses.
void find(const ContactSurfaces& s, const model::KinematicsCache& at,
          std::span<const double> margin, PointFinder& finder, PointSet& out);
/// Makes all that follows from the points of a set.
void prepare(const ContactSurfaces& s, const model::KinematicsCache& at, PointFinder& finder,
             PointSet& set);
/// Makes the islands of points, where they are not there yet.
void find_islands(const ContactSurfaces& s, PointFinder& finder, PointSet& set);

}  // namespace trammel::constraint

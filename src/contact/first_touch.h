#pragma once

#include <optional>
#include <vector>

#include "contact/point.h"
#include "contact/shape.h"

namespace trammel::contact {

/// A shape that moves from one pose to another: its origin at constant speed on a line, and turning
/// at a constant rate about the axis between the two, by no more than half a turn.
struct Moving {
  const Shape& shape;
  Pose from, to;
};

/// What following a way has cost: searches for where two convex shapes are nearest, and looks along
/// a direction.
struct WayEffort {
  long searches = 0, looks = 0;
};

/// When two shapes first touch on their way, from 0 to 1: they are `accuracy` [m] apart or less
/// then, and never closer before. Nothing: they stay farther apart. Shapes that may not meet
/// (can_meet) never touch. Adds to `effort`.
std::optional<double> first_touch(const Moving& A, const Moving& B, double accuracy,
                                  WayEffort* effort = nullptr);
/// The pose at t, from 0 to 1, of its way.
Pose pose_at(const Moving& m, double t);
/// How far a point of B, which is bounded, goes at most, seen from A [m].
double goes_by(const Moving& A, const Moving& B);
/// Where two shapes, one of them convex and none a plane, first touch on their ways: the points
/// that they have then, sorted by feature, carried back with each shape to where its way begins;
/// the gap is that between them there, along the normal that they meet with. Of a surface also what
/// may be reached on the rest of the way. Empty: they stay apart. A and B are left as 0.
std::vector<Point> touch_on_way(const Moving& A, const Moving& B, double accuracy);

}  // namespace trammel::contact

#pragma once

#include <vector>

#include "contact/convex.h"
#include "contact/point.h"

namespace trammel::contact {

/// The points where two cores touch along n (from A to B): their faces (edges, corners) that look
/// at each other most, seen along n, share a polygon, and its corners are the points. Each is on
/// both surfaces exactly, its gap along n; at least as far apart as the cores are. Gaps are of the
/// shapes, radii taken off. Points beyond `margin` are left out; returns the least gap of all,
/// infinite where they share nothing.
double add_points(const Convex& A, const Convex& B, const Vec3& n, double margin,
                  std::vector<Point>& out);

/// The same on the plane through `origin` across n, without end.
void add_points_on_plane(const Vec3& origin, const Vec3& n, const Convex& B, double margin,
                         std::vector<Point>& out);

}  // namespace trammel::contact

#pragma once

#include <vector>

#include "contact/convex.h"
#include "contact/point.h"
#include "contact/shape.h"
#include "contact/trimesh.h"

namespace trammel::contact {

/// Points between a surface (A: a mesh or a grid) and a convex shape B within `of_B`, placed as
/// X_AB: in the axes of the surface, from B's origin. B's own place does not count. Edges and
/// corners touch only in directions that lie between the normals about them, so nothing catches on
/// an edge within a plane; of what is in the surface and lies there in front of it, at least one
/// point tells. Features are named by patches, edges and corners; several points may have one.
void touch_surface(const Shape& surface, const Pose& X_AB, Convex B, const Bounds& of_B,
                   double margin, std::vector<Point>& out);
/// Whether a point that goes from one place to another, of S, comes through the surface from its
/// front.
bool comes_in(const Shape& surface, const Vec3& from, const Vec3& to);
/// The box about bounds placed as X, wider by the margin.
Aabb box_of(const Bounds& b, const Pose& X, double margin);
/// Sorts the points from `first` on by feature; of those that have the same, the deepest stays.
void sort_by_feature(std::vector<Point>& out, std::size_t first);

}  // namespace trammel::contact

#pragma once

#include <vector>

#include "contact/convex.h"
#include "contact/point.h"
#include "contact/trimesh.h"

namespace trammel::contact {

/// Points between one triangle of a surface (A) and a convex shape in front of it, in the axes of
/// the surface, from B's middle: B.X.p is zero, and `origin` is where it lies in S. Edges and
/// corners touch only in directions that lie between the normals about them, so nothing catches on
/// an edge within a plane; features are named by patches, edges and corners of the surface.
void touch_triangle(const Trimesh& mesh, int triangle, const Vec3& origin, const Convex& B,
                    double margin, std::vector<Point>& out);

}  // namespace trammel::contact

#pragma once

#include <vector>

#include "contact/convex.h"
#include "contact/point.h"

namespace trammel::contact {

/// Points between two convex shapes, up to a gap of `margin`, behind those in `out`. Nothing
/// depends on the margin but which are left out. A and B of the points are left as 0.
void touch(const Convex& A, const Convex& B, double margin, std::vector<Point>& out);

/// The axis between two boxes: the plane that parts them best, among those of faces and pairs of
/// edges (Gottschalk, Lin, Manocha 1996); a face is taken before edges that are no better. False:
/// they are farther apart than the margin.
bool box_axis(const Convex& A, const Convex& B, double margin, Vec3& n, double& gap, bool& edges);

}  // namespace trammel::contact

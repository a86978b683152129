#pragma once

#include <cstdint>
#include <vector>

#include "report/scene.h"

/// Shapes as triangles, for files that other programs open.
namespace trammel::report {

/// Corners, three a triangle, with normals outwards; those of edges are there once for each face.
struct Surface {
  std::vector<Vec3> points, normals;
  std::vector<std::uint32_t> corners;
};

/// In the frame that X_BS is given in. `round` corners make a circle; a thing without a size
/// is a ball of radius `point`.
Surface tessellate(const Shape& shape, double point, int round = 32);

/// A flat bar along a line of points (Line::points), on both sides of the line `left` of it.
Surface ribbon(const Line& line, double left, double width);

}  // namespace trammel::report

#pragma once

#include <array>
#include <vector>

#include "body/mesh.h"
#include "contact/shape.h"

namespace trammel::contact::barrier {

/// The surface of a body for contact by a barrier: triangles with the corners and edges that they
/// have, in the body's own axes from its origin.
struct Surface {
  std::vector<Vec3> corners;              // [m]
  std::vector<std::array<int, 2>> edges;  // each once, lower number first
  std::vector<std::array<int, 3>> triangles;
  double reach = 0;  // farthest corner from the origin [m]
  /// All behind the plane of the only triangle, without end; its body does not move.
  bool half_space = false;
};

/// Parts faces of more than three corners like a fan.
Surface surface_of(const body::Mesh& mesh);
Surface box_surface(const Vec3& sizes);
/// z < 0.
Surface half_space_surface();
/// Of a shape that touches; round ones by so many corners about their axis, on their surface.
/// Empty: planes and grids.
Surface surface_of(const Shape& shape, int around = 24);
/// Moves all corners: x becomes p + R x.
Surface moved(Surface surface, const Pose& by);

}  // namespace trammel::contact::barrier

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "body/mesh.h"

namespace trammel::contact {

/// A convex polyhedron.
struct Hull {
  std::vector<Vec3> vertices;            // [m]
  Vec3 middle = Vec3::Zero();            // of the vertices
  std::vector<std::vector<int>> faces;   // counterclockwise seen from outside; no two in a plane
  std::vector<Vec3> normals;             // of faces, outwards
  std::vector<std::vector<int>> beside;  // vertices along the edges of a vertex
  std::vector<std::vector<int>> around;  // faces about a vertex
};

/// A polyhedron or what is wrong with the mesh for one, a sentence.
struct HullOrFault {
  std::shared_ptr<const Hull> hull;
  std::string fault;
};
/// Of a closed mesh that is convex already.
HullOrFault hull_of(const body::Mesh& mesh);
/// The convex hull of points; what stands out of it by no more than `rounding` is left out [m].
HullOrFault hull_about(const std::vector<Vec3>& points, double rounding = 0);

}  // namespace trammel::contact

#pragma once

#include <map>
#include <string>
#include <vector>

#include "body/moments.h"

namespace trammel::body {

/// A surface of polygons: corners by number from 0, counterclockwise seen from outside.
struct Mesh {
  std::vector<Vec3> vertices;           // [m]
  std::vector<std::vector<int>> faces;  // three corners or more; more are parted like a fan
};

/// A fault of a mesh as the surface of a solid, and its face; -1: the fault is of the whole.
struct MeshFault {
  int face = -1;
  std::string text;
};

/// Faces that are there already, and which they are.
std::map<int, int> repeated(const Mesh& mesh);

/// Everything that keeps the mesh from being a surface, open or closed: faces that are none.
std::vector<MeshFault> surface_faults(const Mesh& mesh);

/// Everything that keeps the mesh from bounding a solid: faces that are none or stand twice, edges
/// along which faces do not run as often one way as the other, nothing or less than nothing within.
/// That faces cut each other is not seen.
std::vector<MeshFault> faults(const Mesh& mesh);

/// Returns the moments of the solid within a mesh without faults, about the origin.
Moments solid(const Mesh& mesh, double density);

}  // namespace trammel::body

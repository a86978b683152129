#pragma once

#include <string>
#include <vector>

#include "contact/convex.h"
#include "contact/decompose.h"
#include "contact/point.h"
#include "contact/shape.h"

namespace trammel::contact {

/// A convex hull that stands for a part of a mesh, in the frame S of the mesh.
struct HullPart {
  Shape shape;
  Convex convex;
  Bounds bounds;
  std::vector<int> corner;  // of its corners: which they are among those of all parts
  std::vector<int> plane;   // of its faces: likewise; those that bound the solid together are one
  std::vector<int> beside;  // parts that adjoin
};

/// A mesh as the hulls of its parts, one solid: what lies between them is not its surface.
struct MeshHulls {
  std::vector<HullPart> parts;
  double error = 0;  // how far a place of them is from the solid at most [m]
  double least = 0;  // least extent of the thickest part [m]
};

struct MeshHullsOrFault {
  std::shared_ptr<const MeshHulls> hulls;
  std::string fault;  // a sentence
};
/// Of a closed mesh, see decompose.
MeshHullsOrFault hulls_of(const Trimesh& mesh, double accuracy);

/// True where a shape meets another as the hulls of its parts: a mesh that has them, on a surface.
bool stands_as_hulls(const Shape& shape, const Shape& other);

/// Points between a surface (A: a mesh or a grid) and a mesh B as its hulls, placed as X_AB: in the
/// axes of the surface, from B's origin. Points along a direction in which B goes on, past where it
/// is parted, are left out. Features: those of the surface, and corners and planes of all parts.
void touch_hulls(const Shape& surface, const Pose& X_AB, const MeshHulls& B, double margin,
                 std::vector<Point>& out);
/// Points between two meshes as their hulls, placed from an origin near them, in any axes.
void touch_hulls(const MeshHulls& A, const Pose& X_A, const MeshHulls& B, const Pose& X_B,
                 double margin, std::vector<Point>& out);

}  // namespace trammel::contact

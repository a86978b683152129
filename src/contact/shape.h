#pragma once

#include <memory>
#include <string_view>

#include "math/types.h"

namespace trammel::contact {

struct Hull;
struct Trimesh;
struct Grid;

/// A shape that touches others, about its own frame S. The axis of round ones is z of S. A new
/// kind: docs/adding-a-contact-shape.md; convex ones stand up to hull, and names go by this order.
struct Shape {
  enum class Kind : unsigned char {
    sphere,      // size: radius [m]
    box,         // its edges
    capsule,     // radius, length between the centres of its round ends
    cylinder,    // radius, length; S in its middle
    cone,        // radius at z = -length/2, length, radius at z = +length/2; one of them may be 0
    ellipsoid,   // its radii along x, y and z of S
    hull,        // convex, with plane faces
    mesh,        // triangles; solid behind them
    plane,       // the surface z = 0; pushes to the side where the middle of the other is
    half_space,  // solid where z < 0
    grid,        // heights over a rectangle; solid below
  } kind = Kind::sphere;
  Vec3 size = Vec3::Zero();
  std::shared_ptr<const Hull> hull = {};
  std::shared_ptr<const Trimesh> mesh = {};
  std::shared_ptr<const Grid> grid = {};
};

/// "half space"
std::string_view name_of(Shape::Kind kind);
/// Whether a pair of shapes can be looked at: convex ones meet all; a mesh meets planes and half
/// spaces with its corners, and meshes and grids as its hulls (mesh_hulls.h).
bool can_meet(Shape::Kind a, Shape::Kind b);
bool is_convex(Shape::Kind kind);
/// Of triangles: a mesh or a grid.
bool is_surface(Shape::Kind kind);

/// How far a shape reaches from the origin of S, and its smallest extent [m]; 0: without bound.
struct Extent {
  double reach = 0, least = 0;
};
Extent extent(const Shape& shape);

/// What encloses a shape in S: the middle and half the edges. Unbounded: infinite.
struct Bounds {
  Vec3 middle = Vec3::Zero(), half = Vec3::Zero();
};
Bounds bounds(const Shape& shape);

}  // namespace trammel::contact

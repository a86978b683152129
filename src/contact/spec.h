#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "body/mesh.h"
#include "body/solid.h"
#include "contact/shape.h"
#include "math/types.h"

/// What a shape that touches others is given as, and what may be wrong with it.
namespace trammel::contact {

/// How far hulls that stand for a mesh may be off it unless the scene says otherwise, as a share of
/// the diagonal of the box about it.
inline constexpr double kHullAccuracy = 0.01;

/// Heights over the points of a rectangle.
struct Heights {
  int nx = 0, ny = 0;     // points along x and y
  double dx = 0, dy = 0;  // [m]
  std::vector<double> z;  // [m]; that at x = i dx, y = j dy is z[i * ny + j]

  body::Mesh surface() const;
};

/// A shape that touches others, at X_BS in the body frame; of an obstacle in the world.
struct Spec {
  enum class Kind : unsigned char {
    solid,       // with a size: box, sphere, cylinder, cone, capsule
    half_space,  // filled below z = 0
    plane,       // z = 0, pushing to the side where a shape's middle is
    hull,        // of `mesh`, which is convex
    mesh,        // all of it
    heights,     // filled below `heights`
  } kind = Kind::solid;
  body::Solid solid = {};
  Pose X_BS = {};
  std::shared_ptr<const body::Mesh> mesh = {};
  /// How far the hulls may be off a `mesh` where it meets meshes and heights, as a share of the
  /// diagonal of the box about it.
  double accuracy = kHullAccuracy;
  std::shared_ptr<const Heights> heights = {};
  std::string material = {};             // empty: that of the body, else "default"
  Vec3 surface_velocity = Vec3::Zero();  // of a belt around it, in the axes of X_BS [m/s]
  std::string name = {}, path = {};
};

/// The shape that a solid is; nothing: none, see no_shape.
std::optional<Shape::Kind> kind_of(const body::Solid& solid);
/// Why a solid is no shape that touches.
std::string no_shape(const body::Solid& solid);
/// What is wrong with the shape itself, as a sentence about it; `stands`: forces do not move it.
std::string wrong(const Spec& spec, bool stands);
/// Of a spec that is not wrong.
Shape shape_of(const Spec& spec);
/// What a shape looks like; one without end as a slab of edges `wide` [m].
body::Look look_of(const Spec& spec, double wide);
/// Turns the axes of X_BS to those of the shape, whose axis is z.
Mat3 to_axis(const Spec& spec);

}  // namespace trammel::contact

#include "contact/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/hull.h"
#include "contact/mesh_hulls.h"
#include "contact/trimesh.h"
#include "math/index.h"

namespace trammel::contact {

namespace {

Bounds bounds_of(const std::vector<Vec3>& points) {
  Vec3 least = points[0], most = points[0];
  for (const Vec3& p : points) {
    least = least.cwiseMin(p);
    most = most.cwiseMax(p);
  }
  return {(least + most) / 2, (most - least) / 2};
}

double reach_of(const std::vector<Vec3>& points) {
  double reach = 0;
  for (const Vec3& p : points) reach = std::max(reach, p.norm());
  return reach;
}

/// The least distance between two parallel planes, one of them on a face, with the hull between.
double thickness(const Hull& hull) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    double depth = 0;
    for (const Vec3& p : hull.vertices)
      depth = std::max(depth, hull.normals[f].dot(hull.vertices[at(hull.faces[f][0])] - p));
    least = std::min(least, depth);
  }
  return least;
}

}  // namespace

std::string_view name_of(Shape::Kind kind) {
  constexpr std::string_view kNames[] = {
      "sphere", "box",   "capsule",    "cylinder",        "cone", "ellipsoid", "hull",
      "mesh",   "plane", "half space", "field of heights"};
  return kNames[static_cast<int>(kind)];
}

bool is_surface(Shape::Kind kind) { return kind == Shape::Kind::mesh || kind == Shape::Kind::grid; }

bool is_convex(Shape::Kind kind) { return kind <= Shape::Kind::hull; }
bool can_meet(Shape::Kind a, Shape::Kind b) {
  const auto is_plane = [](Shape::Kind k) {
    return k == Shape::Kind::plane || k == Shape::Kind::half_space;
  };
  if (is_convex(a) || is_convex(b)) return true;
  if (is_surface(a) && is_surface(b)) return a == Shape::Kind::mesh || b == Shape::Kind::mesh;
  return (a == Shape::Kind::mesh && is_plane(b)) || (b == Shape::Kind::mesh && is_plane(a));
}

Extent extent(const Shape& shape) {
  const Vec3& s = shape.size;
  switch (shape.kind) {
    case Shape::Kind::sphere:
      return {s[0], 2 * s[0]};
    case Shape::Kind::box:
      return {s.norm() / 2, s.minCoeff()};
    case Shape::Kind::capsule:
      return {s[0] + s[1] / 2, 2 * s[0]};
    case Shape::Kind::cylinder:
      return {std::hypot(s[0], s[1] / 2), std::min(2 * s[0], s[1])};
    case Shape::Kind::cone:
      return {std::hypot(std::max(s[0], s[2]), s[1] / 2), std::min(2 * std::max(s[0], s[2]), s[1])};
    case Shape::Kind::ellipsoid:
      return {s.maxCoeff(), 2 * s.minCoeff()};
    case Shape::Kind::hull:
      return {reach_of(shape.hull->vertices), thickness(*shape.hull)};
    case Shape::Kind::mesh:
      return {reach_of(shape.mesh->vertices), shape.mesh->hulls ? shape.mesh->hulls->least : 0};
    case Shape::Kind::grid:
      return {reach_of(shape.grid->surface.vertices), 0};
    default:
      return {};
  }
}

Bounds bounds(const Shape& shape) {
  const Vec3& s = shape.size;
  switch (shape.kind) {
    case Shape::Kind::sphere:
      return {Vec3::Zero(), Vec3::Constant(s[0])};
    case Shape::Kind::box:
      return {Vec3::Zero(), s / 2};
    case Shape::Kind::capsule:
      return {Vec3::Zero(), {s[0], s[0], s[0] + s[1] / 2}};
    case Shape::Kind::cylinder:
      return {Vec3::Zero(), {s[0], s[0], s[1] / 2}};
    case Shape::Kind::cone:
      return {Vec3::Zero(), {std::max(s[0], s[2]), std::max(s[0], s[2]), s[1] / 2}};
    case Shape::Kind::ellipsoid:
      return {Vec3::Zero(), s};
    case Shape::Kind::hull:
      return bounds_of(shape.hull->vertices);
    case Shape::Kind::mesh:
      return bounds_of(shape.mesh->vertices);
    case Shape::Kind::grid:
      return bounds_of(shape.grid->surface.vertices);
    default:
      return {Vec3::Zero(), Vec3::Constant(std::numeric_limits<double>::infinity())};
  }
}

}  // namespace trammel::contact

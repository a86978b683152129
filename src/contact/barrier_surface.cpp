#include "contact/barrier_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "body/mesh_triangles.h"
#include "contact/hull.h"
#include "contact/trimesh.h"
#include "math/index.h"

namespace trammel::contact::barrier {

namespace {

double reach_of(const std::vector<Vec3>& corners) {
  double most = 0;
  for (const Vec3& x : corners) most = std::max(most, x.norm());
  return most;
}

/// Radius and height, from the axis below to the axis above.
using Profile = std::vector<std::array<double, 2>>;

/// Half a circle, or two quarters apart by a length.
Profile ball_profile(double radius, double length, int around) {
  const int half = around / 4;
  Profile out;
  for (const int side : {-1, 1})
    for (int k = 0; k <= half; ++k) {
      if (side > 0 && k == 0 && length == 0) continue;
      const double a = 0.5 * std::numbers::pi * (side < 0 ? k - half : k) / half;
      out.push_back({radius * std::cos(a), radius * std::sin(a) + side * length / 2});
    }
  out.front()[0] = out.back()[0] = 0;
  return out;
}

/// The solid that a profile turns out about z.
Surface turned(const Profile& profile, int around) {
  body::Mesh mesh;
  std::vector<int> first;  // corners of each circle; one corner where its radius is 0
  for (const auto& [r, z] : profile) {
    if (r == 0 && !first.empty() && mesh.vertices.back() == Vec3(0, 0, z)) continue;
    first.push_back(count(mesh.vertices));
    for (int k = 0; k < (r > 0 ? around : 1); ++k) {
      const double a = 2 * std::numbers::pi * k / around;
      mesh.vertices.emplace_back(r * std::cos(a), r * std::sin(a), z);
    }
  }
  first.push_back(count(mesh.vertices));
  for (std::size_t i = 0; i + 2 < first.size(); ++i)
    for (int k = 0; k < around; ++k) {
      const auto corner = [&](std::size_t circle, int n) {
        const int size = first[circle + 1] - first[circle];
        return first[circle] + n % size;
      };
      std::vector<int> face{corner(i, k), corner(i, k + 1), corner(i + 1, k + 1), corner(i + 1, k)};
      face.erase(std::unique(face.begin(), face.end()), face.end());
      if (face.front() == face.back()) face.pop_back();
      if (face.size() > 2) mesh.faces.push_back(face);
    }
  return surface_of(mesh);
}

body::Mesh mesh_of(const Trimesh& mesh) {
  body::Mesh out{mesh.vertices, {}};
  for (const Trimesh::Triangle& t : mesh.triangles)
    out.faces.emplace_back(t.at.begin(), t.at.end());
  return out;
}

}  // namespace

Surface surface_of(const body::Mesh& mesh) {
  Surface out;
  out.corners = mesh.vertices;
  for (const std::vector<int>& face : mesh.faces)
    for (const std::array<int, 3>& t : body::triangles_of(mesh, face)) out.triangles.push_back(t);
  std::set<std::array<int, 2>> edges;
  for (const auto& t : out.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  out.edges.assign(edges.begin(), edges.end());
  out.reach = reach_of(out.corners);
  return out;
}

Surface box_surface(const Vec3& sizes) {
  body::Mesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back(
        0.5 * sizes.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  mesh.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return surface_of(mesh);
}

Surface half_space_surface() {
  Surface out;
  out.corners = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
  out.triangles = {{0, 1, 2}};
  out.half_space = true;
  return out;
}

Surface surface_of(const Shape& shape, int around) {
  using Kind = Shape::Kind;
  const Vec3& size = shape.size;
  switch (shape.kind) {
    case Kind::box:
      return box_surface(size);
    case Kind::half_space:
      return half_space_surface();
    case Kind::hull:
      return surface_of(body::Mesh{shape.hull->vertices, shape.hull->faces});
    case Kind::mesh:
      return surface_of(mesh_of(*shape.mesh));
    case Kind::sphere:
      return turned(ball_profile(size[0], 0, around), around);
    case Kind::ellipsoid: {
      Surface out = turned(ball_profile(1, 0, around), around);
      for (Vec3& x : out.corners) x = x.cwiseProduct(size);
      out.reach = reach_of(out.corners);
      return out;
    }
    case Kind::capsule:
      return turned(ball_profile(size[0], size[1], around), around);
    case Kind::cylinder:
      return turned(
          {{0, -size[1] / 2}, {size[0], -size[1] / 2}, {size[0], size[1] / 2}, {0, size[1] / 2}},
          around);
    case Kind::cone:
      return turned(
          {{0, -size[1] / 2}, {size[0], -size[1] / 2}, {size[2], size[1] / 2}, {0, size[1] / 2}},
          around);
    default:
      return {};
  }
}

Surface moved(Surface surface, const Pose& by) {
  for (Vec3& x : surface.corners) x = by.p + by.R * x;
  surface.reach = reach_of(surface.corners);
  return surface;
}

}  // namespace trammel::contact::barrier

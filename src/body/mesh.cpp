#include "body/mesh.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "math/index.h"

namespace trammel::body {

namespace {

/// Faces on an edge, by the way they run along it.
struct Sides {
  std::vector<int> up, down;  // from the lesser corner to the greater, and back
};

/// Returns the fault of one face; empty: it has none.
std::string wrong_face(const Mesh& mesh, const std::vector<int>& face) {
  if (face.size() < 3) return fmt::format("has {} corners, at least 3 are needed", face.size());
  for (const int i : face)
    if (i < 0 || at(i) >= mesh.vertices.size())
      return fmt::format("has the corner {}: the {} vertices are numbered from 0", i,
                         mesh.vertices.size());
  for (std::size_t i = 0; i < face.size(); ++i)
    if (std::find(face.begin() + static_cast<std::ptrdiff_t>(i) + 1, face.end(), face[i]) !=
        face.end())
      return fmt::format("has the corner {} twice", face[i]);
  return {};
}

std::map<std::pair<int, int>, Sides> edges_of(const Mesh& mesh) {
  std::map<std::pair<int, int>, Sides> out;
  for (int f = 0; f < static_cast<int>(mesh.faces.size()); ++f) {
    const std::vector<int>& face = mesh.faces[at(f)];
    for (std::size_t i = 0; i < face.size(); ++i) {
      const int a = face[i], b = face[(i + 1) % face.size()];
      Sides& sides = out[std::minmax(a, b)];
      (a < b ? sides.up : sides.down).push_back(f);
    }
  }
  return out;
}

std::string place(const Vec3& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x(), p.y(), p.z());
}

/// Whether faces run along an edge as often one way as the other: where solids touch at an edge
/// there may be more than two.
MeshFault wrong_edge(const Vec3& a, const Vec3& b, const Sides& s) {
  if (s.up.size() == s.down.size()) return {};
  std::vector<int> all = s.up;
  all.insert(all.end(), s.down.begin(), s.down.end());
  std::sort(all.begin(), all.end());
  const std::string edge = fmt::format("the edge from {} to {}", place(a), place(b));
  if (all.size() == 1) return {all[0], edge + " has no other face: the surface is open there"};
  if (all.size() > 2)
    return {all[0], fmt::format("{} is run along by {} faces one way and by {} the other", edge,
                                std::max(s.up.size(), s.down.size()),
                                std::min(s.up.size(), s.down.size()))};
  return {all[1], edge + " is run along the same way by two faces: one of them is inside out"};
}

/// Twice the area of the faces.
double area(const Mesh& mesh) {
  double sum = 0;
  for (const std::vector<int>& f : mesh.faces)
    for (std::size_t i = 2; i < f.size(); ++i) {
      const Vec3 &a = mesh.vertices[at(f[0])], &b = mesh.vertices[at(f[i - 1])],
                 &c = mesh.vertices[at(f[i])];
      sum += (b - a).cross(c - a).norm();
    }
  return sum;
}

Vec3 middle(const Mesh& mesh) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : mesh.vertices) sum += v;
  return sum / static_cast<double>(mesh.vertices.size());
}

}  // namespace

Moments solid(const Mesh& mesh, double density) {
  const Vec3 origin = middle(mesh);  // a mesh far away loses no digits
  std::vector<Triangle> triangles;
  for (const std::vector<int>& f : mesh.faces)
    for (std::size_t i = 2; i < f.size(); ++i)
      triangles.push_back({mesh.vertices[at(f[0])] - origin, mesh.vertices[at(f[i - 1])] - origin,
                           mesh.vertices[at(f[i])] - origin});
  return solid(triangles, density).about(-origin);
}

std::map<int, int> repeated(const Mesh& mesh) {
  std::map<std::vector<int>, int> known;  // each with its least corner first
  std::map<int, int> out;
  for (int f = 0; f < static_cast<int>(mesh.faces.size()); ++f) {
    std::vector<int> face = mesh.faces[at(f)];
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    if (const auto [it, fresh] = known.try_emplace(std::move(face), f); !fresh)
      out.emplace(f, it->second);
  }
  return out;
}

std::vector<MeshFault> surface_faults(const Mesh& mesh) {
  if (mesh.faces.empty()) return {{-1, "there are no faces"}};
  std::vector<MeshFault> out;
  for (int f = 0; f < static_cast<int>(mesh.faces.size()); ++f)
    if (std::string text = wrong_face(mesh, mesh.faces[at(f)]); !text.empty())
      out.push_back({f, std::move(text)});
  return out;
}

std::vector<MeshFault> faults(const Mesh& mesh) {
  std::vector<MeshFault> out = surface_faults(mesh);
  for (const auto& [face, first] : repeated(mesh))
    out.push_back({face, fmt::format("stands there twice, it is face {} as well", first)});
  if (!out.empty()) return out;
  for (const auto& [edge, sides] : edges_of(mesh))
    if (MeshFault fault =
            wrong_edge(mesh.vertices[at(edge.first)], mesh.vertices[at(edge.second)], sides);
        !fault.text.empty())
      out.push_back(std::move(fault));
  if (!out.empty()) {
    std::stable_sort(out.begin(), out.end(),
                     [](const MeshFault& a, const MeshFault& b) { return a.face < b.face; });
    return out;
  }
  const double volume = solid(mesh, 1).volume, twice = area(mesh);
  if (!(std::abs(volume) > 1e-9 * twice * std::sqrt(twice)))
    out.push_back({-1, fmt::format("it bounds no solid: the volume within is {:.3g} m^3", volume)});
  else if (volume < 0)
    out.push_back({-1, fmt::format("it is inside out: the volume within is {:.6g} m^3; corners run "
                                   "counterclockwise seen from outside",
                                   volume)});
  return out;
}

}  // namespace trammel::body

#include "contact/barrier_surface.h"

#include <algorithm>
#include <set>

#include "math/index.h"

namespace trammel::contact::barrier {

namespace {

double reach_of(const std::vector<Vec3>& corners) {
  double most = 0;
  for (const Vec3& x : corners) most = std::max(most, x.norm());
  return most;
}

}  // namespace

Surface surface_of(const body::Mesh& mesh) {
  Surface out;
  out.corners = mesh.vertices;
  for (const std::vector<int>& face : mesh.faces)
    for (std::size_t k = 2; k < face.size(); ++k)
      out.triangles.push_back({face[0], face[k - 1], face[k]});
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

Surface moved(Surface surface, const Pose& by) {
  for (Vec3& x : surface.corners) x = by.p + by.R * x;
  surface.reach = reach_of(surface.corners);
  return surface;
}

}  // namespace trammel::contact::barrier

#include "body/mesh_triangles.h"

#include <algorithm>

#include "math/index.h"

namespace trammel::body {

namespace {
using Triangles = std::vector<std::array<int, 3>>;

/// Twice the area of a triangle with its direction.
Vec3 twice_area(const Mesh& mesh, int a, int b, int c) {
  const Vec3& p = mesh.vertices[at(a)];
  return (mesh.vertices[at(b)] - p).cross(mesh.vertices[at(c)] - p);
}

Triangles fan(const std::vector<int>& face) {
  Triangles out;
  for (std::size_t i = 2; i < face.size(); ++i) out.push_back({face[0], face[i - 1], face[i]});
  return out;
}

/// True where corner i of what is left of a face can be cut off: it bends outwards, and no other
/// corner lies within the triangle with its neighbours. n: of the face.
bool is_ear(const Mesh& mesh, const std::vector<int>& left, std::size_t i, const Vec3& n) {
  const int a = left[(i + left.size() - 1) % left.size()], b = left[i],
            c = left[(i + 1) % left.size()];
  if (!(twice_area(mesh, a, b, c).dot(n) > 0)) return false;
  return std::none_of(left.begin(), left.end(), [&](int p) {
    return p != a && p != b && p != c && twice_area(mesh, a, b, p).dot(n) >= 0 &&
           twice_area(mesh, b, c, p).dot(n) >= 0 && twice_area(mesh, c, a, p).dot(n) >= 0;
  });
}
}  // namespace

std::vector<std::array<int, 3>> triangles_of(const Mesh& mesh, const std::vector<int>& face) {
  constexpr double kFolds = -1e-9;  // of the area: less is rounding
  Triangles out = fan(face);
  if (out.size() < 2) return out;
  Vec3 n = Vec3::Zero();
  for (const auto& t : out) n += twice_area(mesh, t[0], t[1], t[2]);
  const double least = kFolds * n.squaredNorm();
  if (std::none_of(out.begin(), out.end(), [&](const std::array<int, 3>& t) {
        return twice_area(mesh, t[0], t[1], t[2]).dot(n) < least;
      }))
    return out;
  out.clear();
  std::vector<int> left = face;
  while (left.size() > 3) {
    std::size_t i = 0;
    while (i < left.size() && !is_ear(mesh, left, i, n)) ++i;
    if (i == left.size()) break;  // corners on a line, or edges that cross: a fan is as good
    out.push_back(
        {left[(i + left.size() - 1) % left.size()], left[i], left[(i + 1) % left.size()]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
  }
  const Triangles rest = fan(left);
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

}  // namespace trammel::body

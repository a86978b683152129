#include "contact/solid_distance.h"

#include <algorithm>
#include <cmath>

#include "math/index.h"

namespace trammel::contact {

namespace {

struct Nearest3 {
  double weight[3];
};

/// Weights of the corners for the point of a triangle nearest to p (Ericson 2005, 5.1.5).
Nearest3 nearest_of(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {{1, 0, 0}};
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {{0, 1, 0}};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {{1 - d1 / (d1 - d3), d1 / (d1 - d3), 0}};
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {{0, 0, 1}};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {{1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)}};
  const double va = d3 * d6 - d5 * d4, up = d4 - d3, down = d5 - d6;
  if (va <= 0 && up >= 0 && down >= 0) return {{0, 1 - up / (up + down), up / (up + down)}};
  const double all = va + vb + vc;
  return {{1 - vb / all - vc / all, vb / all, vc / all}};
}

double squared_distance(const Aabb& box, const Vec3& x) {
  return (x - x.cwiseMax(box.least).cwiseMin(box.most)).squaredNorm();
}

double angle_at(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a, v = c - a;
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

}  // namespace

SolidDistance::SolidDistance(const Trimesh& mesh)
    : mesh_(mesh), at_corners_(mesh.vertices.size(), Vec3::Zero()) {
  for (const Trimesh::Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const auto corner = [&](int i) -> const Vec3& {
        return mesh.vertices[at(t.at[at((k + i) % 3)])];
      };
      at_corners_[at(t.at[at(k)])] += angle_at(corner(0), corner(1), corner(2)) * t.normal;
    }
}

void SolidDistance::look(int triangle, const Vec3& x, Found& found) const {
  const Trimesh::Triangle& t = mesh_.triangles[at(triangle)];
  const Vec3 &a = mesh_.vertices[at(t.at[0])], &b = mesh_.vertices[at(t.at[1])],
             &c = mesh_.vertices[at(t.at[2])];
  const Nearest3 w = nearest_of(x, a, b, c);
  const Vec3 place = w.weight[0] * a + w.weight[1] * b + w.weight[2] * c;
  const double squared = (x - place).squaredNorm();
  if (squared >= found.squared) return;
  found = {squared, triangle, {w.weight[0], w.weight[1], w.weight[2]}, place};
}

Vec3 SolidDistance::normal_of(const Found& found) const {
  const Trimesh::Triangle& t = mesh_.triangles[at(found.triangle)];
  for (int k = 0; k < 3; ++k) {
    if (found.weight[k] == 1) return at_corners_[at(t.at[at(k)])];
    if (found.weight[k] != 0) continue;
    const int beside = t.beside[at((k + 1) % 3)];  // across the edge that corner k is not on
    if (found.weight[(k + 1) % 3] != 1 && found.weight[(k + 2) % 3] != 1)
      return beside < 0 ? t.normal : Vec3(t.normal + mesh_.triangles[at(beside)].normal);
  }
  return t.normal;
}

double SolidDistance::operator()(const Vec3& x) const {
  Found found;
  std::array<int, 128> todo;
  int n = 1;
  todo[0] = 0;
  while (n > 0) {
    const Trimesh::Node& node = mesh_.nodes[at(todo[at(--n)])];
    if (squared_distance(node.box, x) >= found.squared) continue;
    for (int i = 0; i < node.count; ++i) look(mesh_.order[at(node.first + i)], x, found);
    if (node.count > 0) continue;
    const double first = squared_distance(mesh_.nodes[at(node.first)].box, x),
                 second = squared_distance(mesh_.nodes[at(node.first + 1)].box, x);
    todo[at(n++)] = node.first + (first <= second ? 1 : 0);  // the nearer one is looked at next
    todo[at(n++)] = node.first + (first <= second ? 0 : 1);
  }
  const bool within = (x - found.place).dot(normal_of(found)) < 0;
  return (within ? -1 : 1) * std::sqrt(found.squared);
}

}  // namespace trammel::contact

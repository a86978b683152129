#include "contact/solid_cut.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "contact/shape.h"
#include "math/index.h"

namespace trammel::contact {

namespace {

using Polygon = std::vector<Vec3>;

double off(const CutPlane& plane, const Vec3& p, double rounding) {
  const double d = plane.n.dot(p) - plane.d;
  return std::abs(d) <= rounding ? 0 : d;
}

/// The parts of a convex polygon behind a plane and in front of it, corners on the plane in both;
/// those with less than three corners bound nothing.
std::array<Polygon, 2> cut(const Polygon& polygon, const CutPlane& plane, double rounding) {
  std::array<Polygon, 2> out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double d = off(plane, p, rounding), next = off(plane, q, rounding);
    if (d <= 0) out[0].push_back(p);
    if (d >= 0) out[1].push_back(p);
    if (d * next >= 0) continue;
    const Vec3 between = p + d / (d - next) * (q - p);
    out[0].push_back(between);
    out[1].push_back(between);
  }
  for (Polygon& side : out)
    if (side.size() < 3) side.clear();
  return out;
}

bool lies_in(const Polygon& polygon, const CutPlane& plane, double rounding) {
  return std::all_of(polygon.begin(), polygon.end(),
                     [&](const Vec3& p) { return off(plane, p, rounding) == 0; });
}

/// The convex polygon of points in a plane, around their middle.
Polygon polygon_about(Polygon points, const Vec3& n) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
  const Vec3 a = std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 t = n.cross(a).normalized(), s = n.cross(t);
  const auto angle = [&](const Vec3& p) {
    return std::atan2(s.dot(p - middle), t.dot(p - middle));
  };
  std::sort(points.begin(), points.end(),
            [&](const Vec3& p, const Vec3& q) { return angle(p) < angle(q); });
  return points;
}

void cut_cell(const SolidPart& part, const CutPlane& plane, double rounding,
              std::array<SolidPart, 2>& out) {
  Polygon inner;
  for (const Polygon& face : part.cell) {
    const bool flat = lies_in(face, plane, rounding);
    const auto sides = cut(face, plane, rounding);
    for (const int k : {0, 1})
      if (!flat && !sides[at(k)].empty()) out[at(k)].cell.push_back(sides[at(k)]);
    for (const Vec3& p : sides[0])
      if (off(plane, p, rounding) == 0) inner.push_back(p);
  }
  if (inner.size() < 3) return;
  inner = polygon_about(std::move(inner), plane.n);
  const auto same = [&](const Vec3& a, const Vec3& b) { return (a - b).norm() <= rounding; };
  inner.erase(std::unique(inner.begin(), inner.end(), same), inner.end());
  if (inner.size() < 3) return;
  for (SolidPart& side : out) side.cell.push_back(inner);
}

/// A cube, and how far its corners are from its middle.
struct Cube {
  Vec3 middle;
  double half;
  double radius() const { return std::sqrt(3.0) * half; }
};

bool misses(const Hull& hull, const Cube& cube) {
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const double d = hull.normals[f].dot(cube.middle - hull.vertices[at(hull.faces[f][0])]);
    if (d > hull.normals[f].lpNorm<1>() * cube.half) return true;
  }
  return false;
}

bool contains(const Hull& hull, const Vec3& x) {
  for (std::size_t f = 0; f < hull.faces.size(); ++f)
    if (hull.normals[f].dot(x - hull.vertices[at(hull.faces[f][0])]) > 0) return false;
  return true;
}

Cube cube_about(const Hull& hull) {
  Vec3 least = hull.vertices[0], most = hull.vertices[0];
  for (const Vec3& p : hull.vertices) {
    least = least.cwiseMin(p);
    most = most.cwiseMax(p);
  }
  return {(least + most) / 2, (most - least).maxCoeff() / 2};
}

Vec3 mean_of(const std::vector<Vec3>& points) {
  Vec3 out = Vec3::Zero();
  for (const Vec3& p : points) out += p / static_cast<double>(points.size());
  return out;
}

/// The first of those that are nearer to each other than `rounding`.
std::vector<Vec3> distinct(std::vector<Vec3> points, double rounding) {
  std::sort(points.begin(), points.end(),
            [](const Vec3& a, const Vec3& b) { return a.x() < b.x(); });
  std::vector<Vec3> out;
  for (const Vec3& p : points) {
    bool known = false;
    for (std::size_t k = out.size(); k-- > 0 && p.x() - out[k].x() <= rounding && !known;)
      known = (p - out[k]).norm() <= rounding;
    if (!known) out.push_back(p);
  }
  return out;
}

bool holds_all(const Hull& hull, const std::vector<Vec3>& points, double rounding) {
  for (std::size_t f = 0; f < hull.faces.size(); ++f)
    for (const Vec3& p : points)
      if (hull.normals[f].dot(p - hull.vertices[at(hull.faces[f][0])]) > rounding) return false;
  return true;
}

}  // namespace

std::shared_ptr<const Hull> hull_of_part(std::vector<Vec3> points, double rounding) {
  points = distinct(std::move(points), rounding);
  HullOrFault made = hull_about(points, rounding);
  if (made.hull && holds_all(*made.hull, points, 10 * rounding)) return made.hull;
  return {};
}

bool lie_in_a_plane(const std::vector<Vec3>& points, double rounding) {
  if (points.size() < 4) return true;
  const Vec3 middle = mean_of(points);
  Mat3 spread = Mat3::Zero();
  for (const Vec3& p : points) spread += (p - middle) * (p - middle).transpose();
  const Vec3 n = Eigen::SelfAdjointEigenSolver<Mat3>(spread).eigenvectors().col(0);
  return std::all_of(points.begin(), points.end(),
                     [&](const Vec3& p) { return std::abs(n.dot(p - middle)) <= rounding; });
}

SolidPart whole_solid(const Trimesh& mesh) {
  SolidPart out;
  for (const Trimesh::Triangle& t : mesh.triangles) {
    out.surface.push_back(
        {mesh.vertices[at(t.at[0])], mesh.vertices[at(t.at[1])], mesh.vertices[at(t.at[2])]});
    out.normals.push_back(t.normal);
  }
  const Aabb& box = mesh.nodes[0].box;
  const Vec3 middle = (box.least + box.most) / 2,
             half = (box.most - box.least) / 2 + Vec3::Constant((box.most - box.least).norm() / 10);
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1., 1.}) {
      const Vec3 n = sign * Vec3::Unit(axis), t = Vec3::Unit((axis + 1) % 3), s = n.cross(t);
      Polygon& face = out.cell.emplace_back();
      for (const auto& [x, y] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}})
        face.push_back(middle + half.cwiseProduct(n + x * t + y * s));
    }
  return out;
}

std::array<SolidPart, 2> cut(const SolidPart& part, const CutPlane& plane, double rounding) {
  std::array<SolidPart, 2> out;
  for (std::size_t i = 0; i < part.surface.size(); ++i) {
    const bool flat = lies_in(part.surface[i], plane, rounding);
    const int bounded = part.normals[i].dot(plane.n) > 0 ? 0 : 1;
    const auto sides = cut(part.surface[i], plane, rounding);
    for (const int k : {0, 1}) {
      if (sides[at(k)].empty() || (flat && k != bounded)) continue;
      out[at(k)].surface.push_back(sides[at(k)]);
      out[at(k)].normals.push_back(part.normals[i]);
    }
  }
  cut_cell(part, plane, rounding, out);
  return out;
}

std::vector<Vec3> points_of(const SolidPart& part, const SolidDistance& distance, double rounding) {
  std::vector<Vec3> out;
  for (const Polygon& polygon : part.surface) out.insert(out.end(), polygon.begin(), polygon.end());
  std::vector<Vec3> corners;
  for (const Polygon& face : part.cell) corners.insert(corners.end(), face.begin(), face.end());
  const auto before = [](const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  };
  for (std::vector<Vec3>* list : {&out, &corners}) {
    std::sort(list->begin(), list->end(), before);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  for (const Vec3& p : corners)
    if (distance(p) < -rounding) out.push_back(p);
  return out;
}

bool is_convex(const SolidPart& part, const Hull& hull, double rounding) {
  for (std::size_t i = 0; i < part.surface.size(); ++i)
    for (const Vec3& p : hull.vertices)
      if (part.normals[i].dot(p - part.surface[i][0]) > rounding) return false;
  return true;
}

double volume_of(const Hull& hull) {
  double six = 0;
  for (const std::vector<int>& face : hull.faces)
    for (std::size_t k = 2; k < face.size(); ++k) {
      const Vec3 a = hull.vertices[at(face[0])] - hull.middle,
                 b = hull.vertices[at(face[k - 1])] - hull.middle,
                 c = hull.vertices[at(face[k])] - hull.middle;
      six += a.dot(b.cross(c));
    }
  return six / 6;
}

std::optional<Vec3> find_gap(const Hull& hull, const SolidDistance& distance, double error) {
  constexpr double kSmallest = 0.05;  // of the error: cubes smaller than that are not divided
  std::vector<Cube> todo{cube_about(hull)};
  while (!todo.empty()) {
    const Cube cube = todo.back();
    todo.pop_back();
    if (misses(hull, cube)) continue;
    const double d = distance(cube.middle);
    if (d + cube.radius() <= error) continue;
    if ((d > error && contains(hull, cube.middle)) || cube.half < kSmallest * error)
      return cube.middle;
    for (int k = 0; k < 8; ++k) {
      const Vec3 side(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
      todo.push_back({cube.middle + cube.half / 2 * side, cube.half / 2});
    }
  }
  return {};
}

}  // namespace trammel::contact

#include "contact/hull.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "contact/convex.h"
#include "contact/point.h"
#include "math/index.h"

namespace trammel::contact {

namespace {

using Edge = std::pair<int, int>;

struct Facet {
  std::array<int, 3> at;
  Vec3 normal;
  bool gone = false;
};

/// Grows a hull of triangles point by point; what lies in a face's plane to rounding is not
/// outside.
class Growing {
 public:
  explicit Growing(const std::vector<Vec3>& points) : p_(points) {}

  /// False: the points lie in a plane.
  bool run() {
    if (!start()) return false;
    for (int i = 0; i < count(p_); ++i) take(i);
    return true;
  }
  const std::vector<Facet>& facets() const { return facets_; }
  double rounding() const { return rounding_; }

 private:
  void add(int a, int b, int c) {
    const Vec3 n = (p_[at(b)] - p_[at(a)]).cross(p_[at(c)] - p_[at(a)]);
    facets_.push_back({{a, b, c}, n.normalized(), false});
  }
  double above(const Facet& f, int i) const { return f.normal.dot(p_[at(i)] - p_[at(f.at[0])]); }

  template <class Measure>
  int most(const Measure& measure) const {
    int best = 0;
    for (int i = 1; i < count(p_); ++i)
      if (measure(p_[at(i)]) > measure(p_[at(best)])) best = i;
    return best;
  }

  bool start() {
    const Vec3 first = p_[0];
    const int a = most([&](const Vec3& p) { return (p - first).norm(); });
    const Vec3 p_a = p_[at(a)];
    const int b = most([&](const Vec3& p) { return (p - p_a).norm(); });
    const Vec3 along = p_[at(b)] - p_a;
    rounding_ = 1e-11 * along.norm();
    const int c = most([&](const Vec3& p) { return along.cross(p - p_a).norm(); });
    const Vec3 normal = along.cross(p_[at(c)] - p_a);
    if (normal.norm() <= rounding_ * along.norm()) return false;
    const int d = most([&](const Vec3& p) { return std::abs(normal.dot(p - p_a)); });
    const double high = normal.dot(p_[at(d)] - p_a);
    if (std::abs(high) <= rounding_ * normal.norm()) return false;
    const int e = high > 0 ? c : b, f = high > 0 ? b : c;
    add(a, e, f);
    add(a, d, e);
    add(e, d, f);
    add(f, d, a);
    return true;
  }

  void take(int i) {
    std::vector<Edge> border;
    for (Facet& f : facets_) {
      if (above(f, i) <= rounding_) continue;
      f.gone = true;
      for (int k = 0; k < 3; ++k) {
        const Edge edge{f.at[at(k)], f.at[at((k + 1) % 3)]};
        const auto back = std::find(border.begin(), border.end(), Edge{edge.second, edge.first});
        if (back == border.end())
          border.push_back(edge);
        else
          border.erase(back);
      }
    }
    if (border.empty()) return;
    std::erase_if(facets_, [](const Facet& f) { return f.gone; });
    for (const Edge& e : border) add(e.first, e.second, i);
  }

  const std::vector<Vec3>& p_;
  std::vector<Facet> facets_;
  double rounding_ = 0;
};

/// Numbers of planes: triangles that share an edge and a plane have the same.
std::vector<int> planes_of(const std::vector<Facet>& facets) {
  std::map<Edge, int> side;
  for (int f = 0; f < count(facets); ++f)
    for (int k = 0; k < 3; ++k)
      side[{facets[at(f)].at[at(k)], facets[at(f)].at[at((k + 1) % 3)]}] = f;
  std::vector<int> plane(facets.size(), -1);
  for (int f = 0; f < count(facets); ++f) {
    if (plane[at(f)] >= 0) continue;
    std::vector<int> todo{f};
    plane[at(f)] = f;
    while (!todo.empty()) {
      const Facet& here = facets[at(todo.back())];
      todo.pop_back();
      for (int k = 0; k < 3; ++k) {
        const auto other = side.find({here.at[at((k + 1) % 3)], here.at[at(k)]});
        if (other == side.end() || plane[at(other->second)] >= 0) continue;
        if (facets[at(other->second)].normal.cross(facets[at(f)].normal).norm() > 1e-7) continue;
        plane[at(other->second)] = f;
        todo.push_back(other->second);
      }
    }
  }
  return plane;
}

/// The border of the triangles of each plane.
std::vector<std::vector<int>> polygons(const std::vector<Facet>& facets) {
  const std::vector<int> plane = planes_of(facets);
  std::map<int, std::map<int, int>> next;  // of a plane, by corner
  std::map<Edge, int> side;
  for (int f = 0; f < count(facets); ++f)
    for (int k = 0; k < 3; ++k)
      side[{facets[at(f)].at[at(k)], facets[at(f)].at[at((k + 1) % 3)]}] = plane[at(f)];
  for (const auto& [edge, f] : side) {
    const auto back = side.find({edge.second, edge.first});
    if (back == side.end() || back->second != f) next[f][edge.first] = edge.second;
  }
  std::vector<std::vector<int>> out;
  for (const auto& [f, step] : next) {
    std::vector<int>& polygon = out.emplace_back();
    const int first = step.begin()->first;
    for (int i = first; polygon.size() < step.size();) {
      polygon.push_back(i);
      const auto to = step.find(i);
      if (to == step.end() || to->second == first) break;
      i = to->second;
    }
  }
  return out;
}

/// Leaves out the points that are no corners.
void renumber(const std::vector<Vec3>& points, Hull& hull) {
  std::vector<int> number(points.size(), -1);
  for (std::vector<int>& face : hull.faces)
    for (int& i : face) {
      if (number[at(i)] < 0) {
        number[at(i)] = count(hull.vertices);
        hull.vertices.push_back(points[at(i)]);
      }
      i = number[at(i)];
    }
}

void link(Hull& hull) {
  for (const Vec3& p : hull.vertices) hull.middle += p / static_cast<double>(hull.vertices.size());
  hull.beside.resize(hull.vertices.size());
  hull.around.resize(hull.vertices.size());
  for (int f = 0; f < count(hull.faces); ++f) {
    const std::vector<int>& face = hull.faces[at(f)];
    Vec3 n = Vec3::Zero();
    const Vec3& origin = hull.vertices[at(face[0])];
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int a = face[k], b = face[(k + 1) % face.size()];
      n += (hull.vertices[at(a)] - origin).cross(hull.vertices[at(b)] - origin);
      hull.beside[at(a)].push_back(b);
      hull.around[at(a)].push_back(f);
    }
    hull.normals.push_back(n.normalized());
  }
}

std::string spoken(const Vec3& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x(), p.y(), p.z());
}

}  // namespace

HullOrFault hull_about(const std::vector<Vec3>& points) {
  if (points.size() < 4) return {nullptr, "has less than 4 corners: it bounds no solid"};
  Growing growing(points);
  if (!growing.run()) return {nullptr, "lies in a plane: it bounds no solid"};
  auto hull = std::make_shared<Hull>();
  hull->faces = polygons(growing.facets());
  renumber(points, *hull);
  link(*hull);
  if (count(hull->vertices) >= kFace)
    return {nullptr, fmt::format("has {} corners; there may be {}", hull->vertices.size(), kFace)};
  for (const std::vector<int>& face : hull->faces)
    if (count(face) > Feature::kMost - 2)
      return {nullptr, fmt::format("has a face with {} corners; there may be {}", face.size(),
                                   Feature::kMost - 2)};
  return {std::move(hull), {}};
}

HullOrFault hull_of(const body::Mesh& mesh) {
  if (const auto wrong = body::faults(mesh); !wrong.empty()) return {nullptr, wrong[0].text};
  HullOrFault out = hull_about(mesh.vertices);
  if (!out.hull) return out;
  double size = 0;
  for (const Vec3& p : mesh.vertices) size = std::max(size, (p - mesh.vertices[0]).norm());
  for (const std::vector<int>& face : mesh.faces) {
    const Vec3& a = mesh.vertices[at(face[0])];
    const Vec3 n =
        (mesh.vertices[at(face[1])] - a).cross(mesh.vertices[at(face[2])] - a).normalized();
    for (const Vec3& p : mesh.vertices)
      if (const double out_by = n.dot(p - a); out_by > 1e-6 * size)
        return {nullptr, fmt::format("is not convex: the corner {} stands {:.3g} m out of the face "
                                     "at {}",
                                     spoken(p), out_by, spoken(a))};
  }
  return out;
}

}  // namespace trammel::contact

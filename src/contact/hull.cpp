#include "contact/hull.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "contact/convex.h"
#include "contact/point.h"
#include "math/index.h"

namespace trammel::contact {

namespace {

using Edge = std::pair<int, int>;

struct Facet {
  std::array<int, 3> at;
  std::array<int, 3> beside;  // across the edges from at[k] to at[k + 1]
  Vec3 normal;
  std::vector<int> outside;  // points above it, the highest first
  double high = 0;           // of that
  bool gone = false;
};

/// Grows a hull of triangles by the highest points first (Barber, Dobkin and Huhdanpaa 1996): what
/// lies between others, to rounding, is never a corner, so that no triangle is so thin that
/// rounding says where it looks.
class Growing {
 public:
  Growing(const std::vector<Vec3>& points, double rounding) : p_(points), rounding_(rounding) {}

  /// False: the points lie in a plane.
  bool run() {
    if (!start()) return false;
    for (int f = highest(); f >= 0; f = highest()) take(f, facets_[at(f)].outside.front());
    std::erase_if(facets_, [](const Facet& f) { return f.gone; });
    return true;
  }
  const std::vector<Facet>& facets() const { return facets_; }

 private:
  int add(int a, int b, int c) {
    const Vec3 n = (p_[at(b)] - p_[at(a)]).cross(p_[at(c)] - p_[at(a)]);
    facets_.push_back({{a, b, c}, {-1, -1, -1}, n.normalized(), {}, 0, false});
    return count(facets_) - 1;
  }
  double above(const Facet& f, int i) const { return f.normal.dot(p_[at(i)] - p_[at(f.at[0])]); }

  template <class Measure>
  int most(const Measure& measure) const {
    int best = 0;
    for (int i = 1; i < count(p_); ++i)
      if (measure(p_[at(i)]) > measure(p_[at(best)])) best = i;
    return best;
  }

  /// Of those that have most, or as much to rounding, the one farthest from point a: it is a
  /// corner.
  template <class Measure>
  int most_of(int a, double rounding, const Measure& measure) const {
    const double least = measure(p_[at(most(measure))]) - rounding;
    return most([&](const Vec3& p) { return measure(p) < least ? -1 : (p - p_[at(a)]).norm(); });
  }

  bool start() {
    const Vec3 first = p_[0];
    const int a = most([&](const Vec3& p) { return (p - first).norm(); });
    const Vec3 p_a = p_[at(a)];
    const int b = most([&](const Vec3& p) { return (p - p_a).norm(); });
    const Vec3 along = p_[at(b)] - p_a;
    rounding_ = std::max(rounding_, 1e-11 * along.norm());
    const int c = most_of(a, rounding_ * along.norm(),
                          [&](const Vec3& p) { return along.cross(p - p_a).norm(); });
    const Vec3 normal = along.cross(p_[at(c)] - p_a);
    if (normal.norm() <= rounding_ * along.norm()) return false;
    const int d = most_of(a, rounding_ * normal.norm(),
                          [&](const Vec3& p) { return std::abs(normal.dot(p - p_a)); });
    const double high = normal.dot(p_[at(d)] - p_a);
    if (std::abs(high) <= rounding_ * normal.norm()) return false;
    const int e = high > 0 ? c : b, f = high > 0 ? b : c;
    add(a, e, f);
    add(a, d, e);
    add(e, d, f);
    add(f, d, a);
    link(0);
    std::vector<int> all(p_.size());
    std::iota(all.begin(), all.end(), 0);
    hand_out(all, 0);
    return true;
  }

  /// Finds what is beside the facets from `first` on, which are closed among themselves and along
  /// the edges that are known already.
  void link(int first) {
    std::map<Edge, std::pair<int, int>> side;
    for (int f = first; f < count(facets_); ++f)
      for (int k = 0; k < 3; ++k) side[edge(f, k)] = {f, k};
    for (const auto& [e, here] : side)
      if (const auto back = side.find({e.second, e.first}); back != side.end())
        facets_[at(here.first)].beside[at(here.second)] = back->second.first;
  }
  Edge edge(int f, int k) const {
    return {facets_[at(f)].at[at(k)], facets_[at(f)].at[at((k + 1) % 3)]};
  }

  /// Gives each point to the facet from `first` on that it is highest above; others are inside.
  void hand_out(const std::vector<int>& points, int first) {
    for (const int i : points) {
      int of = -1;
      double high = rounding_;
      for (int f = first; f < count(facets_); ++f)
        if (const double h = above(facets_[at(f)], i); h > high) high = h, of = f;
      if (of < 0) continue;
      Facet& facet = facets_[at(of)];
      facet.outside.push_back(i);
      if (high <= facet.high) continue;
      facet.high = high;
      std::swap(facet.outside.front(), facet.outside.back());
    }
  }

  /// The facet with the highest point of all; -1: all are inside.
  int highest() const {
    int found = -1;
    for (int f = 0; f < count(facets_); ++f)
      if (!facets_[at(f)].gone && !facets_[at(f)].outside.empty() &&
          (found < 0 || facets_[at(f)].high > facets_[at(found)].high))
        found = f;
    return found;
  }

  /// A border of what a point sees: an edge of a facet that stays.
  struct Border {
    int facet, k;
  };
  /// Takes away the facets about one that a point is above, and returns their border.
  std::vector<Border> uncover(int f, int i, std::vector<int>& points) {
    std::vector<Border> out;
    std::vector<int> todo{f};
    facets_[at(f)].gone = true;
    while (!todo.empty()) {
      const int here = todo.back();
      todo.pop_back();
      points.insert(points.end(), facets_[at(here)].outside.begin(),
                    facets_[at(here)].outside.end());
      for (int k = 0; k < 3; ++k) {
        const int other = facets_[at(here)].beside[at(k)];
        Facet& to = facets_[at(other)];
        if (to.gone) continue;
        if (above(to, i) > rounding_) {
          to.gone = true;
          todo.push_back(other);
        } else {
          const Edge back{edge(here, k).second, edge(here, k).first};
          int of = 0;
          while (of < 2 && edge(other, of) != back) ++of;
          out.push_back({other, of});
        }
      }
    }
    std::erase_if(out, [&](const Border& b) { return facets_[at(b.facet)].gone; });
    return out;
  }

  void take(int f, int i) {
    std::vector<int> points;
    const std::vector<Border> border = uncover(f, i, points);
    const int first = count(facets_);
    for (const Border& b : border) {
      const auto [from, to] = edge(b.facet, b.k);
      const int made = add(to, from, i);
      facets_[at(made)].beside[0] = b.facet;
      facets_[at(b.facet)].beside[at(b.k)] = made;
    }
    link(first);
    std::erase(points, i);
    hand_out(points, first);
  }

  const std::vector<Vec3>& p_;
  std::vector<Facet> facets_;
  double rounding_;
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

HullOrFault hull_about(const std::vector<Vec3>& points, double rounding) {
  if (points.size() < 4) return {nullptr, "has less than 4 corners: it bounds no solid"};
  Growing growing(points, rounding);
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

#include "contact/decompose.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "contact/hull.h"
#include "contact/solid_cut.h"
#include "math/index.h"

namespace trammel::contact {

namespace {

constexpr double kOnPlane =
    2e-6;  // of the diagonal: what is nearer to a plane lies in it, as files round
constexpr double kConcave = 1e-4;  // sine from which on an edge is concave
constexpr int kMostEdges = 24;     // of a part whose planes are tried, those that count most
constexpr int kExactly = 96;       // points up to which hulls are tried with all of them
constexpr int kMostHulls = 2000;
constexpr double kEven = 0.05, kShort = 0.05;  // of what a cut leaves, beside its volume

struct ConcaveEdge {
  Vec3 a, b, n1, n2;  // its ends, and the normals beside it
};

std::vector<ConcaveEdge> concave_edges(const Trimesh& mesh) {
  std::vector<ConcaveEdge> out;
  for (int f = 0; f < count(mesh.triangles); ++f)
    for (int k = 0; k < 3; ++k) {
      const Trimesh::Triangle& t = mesh.triangles[at(f)];
      if (t.beside[at(k)] <= f) continue;  // the other one's, or nobody's
      const Vec3 &a = mesh.vertices[at(t.at[at(k)])], &b = mesh.vertices[at(t.at[at((k + 1) % 3)])];
      const Vec3& n2 = mesh.triangles[at(t.beside[at(k)])].normal;
      if (t.normal.cross(n2).dot(b - a) < -kConcave * (b - a).norm())
        out.push_back({a, b, t.normal, n2});
    }
  return out;
}

/// The length of an edge within a cell, which lies behind the planes of its faces.
double length_within(const ConcaveEdge& edge, const std::vector<CutPlane>& cell) {
  double from = 0, to = 1;
  for (const CutPlane& p : cell) {
    const double d = p.n.dot(edge.a) - p.d, rate = p.n.dot(edge.b - edge.a);
    if (rate > 0) to = std::min(to, -d / rate);
    if (rate < 0) from = std::max(from, -d / rate);
    if (rate == 0 && d > 0) return 0;
  }
  return std::max(0., to - from) * (edge.b - edge.a).norm();
}

std::vector<CutPlane> planes_of(const std::vector<std::vector<Vec3>>& cell) {
  Vec3 middle = Vec3::Zero();
  double n_corners = 0;
  for (const auto& face : cell)
    for (const Vec3& p : face) middle += p, ++n_corners;
  middle /= n_corners;
  std::vector<CutPlane> out;
  for (const auto& face : cell) {
    Vec3 n = Vec3::Zero();
    for (std::size_t k = 2; k < face.size(); ++k)
      n += (face[k - 1] - face[0]).cross(face[k] - face[0]);
    if (!(n.norm() > 0)) continue;
    n.normalize();
    if (n.dot(middle - face[0]) > 0) n = -n;
    out.push_back({n, n.dot(face[0])});
  }
  return out;
}

/// A part that is to be cut, and where its hull is off the solid.
struct Open {
  SolidPart part;
  std::vector<Vec3> points;
  Vec3 gap;
};

void add_planes_at_edges(const Open& open, const std::vector<ConcaveEdge>& edges,
                         std::vector<CutPlane>& out) {
  const std::vector<CutPlane> cell = planes_of(open.part.cell);
  std::vector<std::pair<double, int>> weights;
  for (int i = 0; i < count(edges); ++i)
    if (const double length = length_within(edges[at(i)], cell); length > 0)
      weights.emplace_back(-length * edges[at(i)].n1.cross(edges[at(i)].n2).norm(), i);
  std::sort(weights.begin(), weights.end());
  if (count(weights) > kMostEdges) weights.resize(at(kMostEdges));
  const auto add = [&](const Vec3& n, const Vec3& p) {
    if (n.norm() > kConcave) out.push_back({n.normalized(), n.normalized().dot(p)});
  };
  for (const auto& [weight, i] : weights) {
    const ConcaveEdge& e = edges[at(i)];
    add(e.n1, e.a);
    add(e.n2, e.a);
    add(e.n1 - e.n2, e.a);
    // with the edge beside it, as the root of a tooth is
    for (const auto& [other, k] : weights) {
      const ConcaveEdge& f = edges[at(k)];
      const Vec3 along = e.b - e.a, way = f.a - e.a, n = along.cross(way);
      if (k <= i || !(n.norm() > kConcave * along.norm() * way.norm())) continue;
      if (std::abs(n.dot(f.b - e.a)) > kConcave * n.norm() * (f.b - f.a).norm()) continue;
      add(n / n.norm(), e.a);
    }
  }
}

void add_planes_across(const Open& open, std::vector<CutPlane>& out) {
  Vec3 least = open.points[0], most = open.points[0];
  for (const Vec3& p : open.points) {
    least = least.cwiseMin(p);
    most = most.cwiseMax(p);
  }
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const Vec3 n(x, y, z);
        const int axes = std::abs(x) + std::abs(y) + std::abs(z);
        if (axes == 0 || axes == 3 || 9 * x + 3 * y + z < 0) continue;
        for (const Vec3& through : {Vec3((least + most) / 2), open.gap})
          out.push_back({n.normalized(), n.normalized().dot(through)});
      }
}

/// Those farthest along many directions, all if they are few.
std::vector<Vec3> outermost(const std::vector<Vec3>& points) {
  if (count(points) <= kExactly) return points;
  std::vector<Vec3> out;
  for (int i = 0; i < kExactly; ++i) {  // evenly over the sphere
    const double z = 1 - (2 * i + 1.) / kExactly, a = 2.399963229728653 * i;
    const Vec3 n(std::sqrt(1 - z * z) * std::cos(a), std::sqrt(1 - z * z) * std::sin(a), z);
    const auto farther = [&](const Vec3& p, const Vec3& q) { return n.dot(p) < n.dot(q); };
    out.push_back(*std::max_element(points.begin(), points.end(), farther));
  }
  return out;
}

/// Of the hull about points.
struct Size {
  double volume = 0, diagonal = 0;  // [m^3], [m]
};

Size size_of(const std::vector<Vec3>& points, double rounding) {
  const std::vector<Vec3> outer = outermost(points);
  const HullOrFault hull = hull_about(outer, rounding);
  if (!hull.hull) return {};
  Vec3 least = outer[0], most = outer[0];
  for (const Vec3& p : outer) {
    least = least.cwiseMin(p);
    most = most.cwiseMax(p);
  }
  return {volume_of(*hull.hull), (most - least).norm()};
}

/// What a cut leaves, the less the better: most of all the volume of the hulls; among cuts that
/// leave nearly the same, those that part evenly, across what is long.
double left_by(const Size& whole, const Size& a, const Size& b) {
  const double volume = a.volume + b.volume;
  return volume / whole.volume + kEven * std::abs(a.volume - b.volume) / volume +
         kShort * (a.diagonal + b.diagonal) / whole.diagonal;
}

class Decomposition {
 public:
  Decomposition(const Trimesh& mesh, double accuracy)
      : mesh_(mesh),
        distance_(mesh),
        edges_(concave_edges(mesh)),
        rounding_(kOnPlane * diagonal_of(mesh)),
        error_(accuracy * diagonal_of(mesh)) {}

  /// False: there are too many, or a part that no plane parts.
  bool run(Hulls& out) {
    take(whole_solid(mesh_), out);
    while (!open_.empty()) {
      const Open open = std::move(open_.back());
      open_.pop_back();
      if (count(out.all) + count(open_) >= kMostHulls) return false;
      auto sides = part(open);
      if (!sides) return false;
      for (SolidPart& side : *sides) take(std::move(side), out);
    }
    return true;
  }

 private:
  /// Keeps the part's hull, or the part to be cut.
  void take(SolidPart part, Hulls& out) {
    Open open{std::move(part), {}, Vec3::Zero()};
    open.points = points_of(open.part, distance_, rounding_);
    if (lie_in_a_plane(open.points, 10 * rounding_)) return;
    for (const Vec3& p : open.points) open.gap += p / static_cast<double>(open.points.size());
    const auto hull = hull_of_part(open.points, rounding_);
    if (hull && fits(open, *hull, out.error)) return out.all.push_back(hull);
    open_.push_back(std::move(open));
  }

  bool fits(Open& open, const Hull& hull, double& error) const {
    if (is_convex(open.part, hull, rounding_)) return true;
    const std::optional<Vec3> gap = find_gap(hull, distance_, error_);
    if (gap) open.gap = *gap;
    if (!gap) error = error_;
    return !gap;
  }

  std::optional<std::array<SolidPart, 2>> part(const Open& open) const {
    std::vector<CutPlane> planes;
    add_planes_at_edges(open, edges_, planes);
    add_planes_across(open, planes);
    const Size whole = size_of(open.points, rounding_);
    double least = std::numeric_limits<double>::infinity();
    std::optional<std::array<SolidPart, 2>> best;
    for (const CutPlane& plane : planes) {
      std::array<SolidPart, 2> sides = cut(open.part, plane, rounding_);
      const Size a = size_of(points_of(sides[0], distance_, rounding_), rounding_),
                 b = size_of(points_of(sides[1], distance_, rounding_), rounding_);
      if (!(a.volume > 0 && b.volume > 0)) continue;
      const double left = left_by(whole, a, b);
      if (!(left < least - 1e-9)) continue;
      least = left;
      best = std::move(sides);
    }
    return best;
  }

  const Trimesh& mesh_;
  SolidDistance distance_;
  std::vector<ConcaveEdge> edges_;
  double rounding_, error_;
  std::vector<Open> open_;
};

/// One hull in place of two that have the volume of their common hull.
std::shared_ptr<const Hull> joined(const Hull& a, const Hull& b, double rounding) {
  std::vector<Vec3> points = a.vertices;
  points.insert(points.end(), b.vertices.begin(), b.vertices.end());
  const auto both = hull_of_part(points, rounding);
  if (!both) return {};
  const bool same = volume_of(*both) <= (1 + 1e-9) * (volume_of(a) + volume_of(b));
  return same ? both : nullptr;
}

void join(double rounding, Hulls& hulls) {
  auto& all = hulls.all;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = i + 1; k < all.size();) {
      const auto both = joined(*all[i], *all[k], rounding);
      if (!both) {
        ++k;
        continue;
      }
      all[i] = both;
      all.erase(all.begin() + static_cast<long>(k));
      k = i + 1;
    }
}

}  // namespace

double diagonal_of(const Trimesh& mesh) {
  return (mesh.nodes[0].box.most - mesh.nodes[0].box.least).norm();
}

HullsOrFault decompose(const Trimesh& mesh, double accuracy) {
  HullsOrFault out;
  if (!Decomposition(mesh, accuracy).run(out.hulls))
    out.fault = fmt::format(
        "needs more than {} convex hulls to be within {:.3g} of its size: choose a greater "
        "`accuracy`, or a mesh with fewer concave edges",
        kMostHulls, accuracy);
  join(kOnPlane * diagonal_of(mesh), out.hulls);
  return out;
}

}  // namespace trammel::contact

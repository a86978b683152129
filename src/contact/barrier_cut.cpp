// Do two surfaces cut, or touch?
#include "contact/barrier_cut.h"

#include <cmath>
#include <numbers>

#include "contact/barrier_distance.h"
#include "contact/barrier_pairs.h"
#include "math/index.h"

namespace trammel::contact::barrier {

namespace {

using Corners = std::vector<Vec3>;

Corners in_world(const Placed& p) {
  Corners out;
  for (const Vec3& x : p.surface->corners) out.emplace_back(p.at.p + p.at.A * x);
  return out;
}

bool behind(const Corners& plane, const Corners& x, double least) {
  const Vec3 n = (plane[1] - plane[0]).cross(plane[2] - plane[0]).normalized();
  for (const Vec3& c : x)
    if (!(n.dot(c - plane[0]) > least)) return true;
  return false;
}

double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

/// Does the edge p q pass through a triangle?
bool passes(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (volume(a, b, c, p) * volume(a, b, c, q) > 0) return false;
  const double x = volume(p, q, a, b), y = volume(p, q, b, c), z = volume(p, q, c, a);
  return (x > 0 && y > 0 && z > 0) || (x < 0 && y < 0 && z < 0);
}

bool passes(const Placed& a, const Corners& of_a, const Placed& b, const Corners& of_b) {
  for (const auto& e : a.surface->edges) {
    const Vec3 &p = of_a[at(e[0])], &q = of_a[at(e[1])];
    const Vec3 lo = p.cwiseMin(q), hi = p.cwiseMax(q);
    for (const auto& t : b.surface->triangles) {
      const Vec3 &x = of_b[at(t[0])], &y = of_b[at(t[1])], &z = of_b[at(t[2])];
      if ((lo.array() > x.cwiseMax(y).cwiseMax(z).array()).any() ||
          (hi.array() < x.cwiseMin(y).cwiseMin(z).array()).any())
        continue;
      if (passes(p, q, x, y, z)) return true;
    }
  }
  return false;
}

/// Are a corner and a triangle, or two edges, as near as that?
bool nearer(const Placed& a, const Placed& b, double least) {
  std::vector<Mover> movers(2);
  movers[0].surface = a.surface;
  movers[1].surface = b.surface;
  for (int k = 0; k < 2; ++k) {
    movers[at(k)].path.p = (k == 0 ? a : b).at.p;
    movers[at(k)].path.A = (k == 0 ? a : b).at.A;
  }
  for (const Candidate& c : find_candidates(
           movers, [](int, int) { return true; }, least)) {
    const Four x = places(movers, c, 0);
    if (!((c.split == 2 ? edge_edge(x) : point_triangle(x)).D > least * least)) return true;
  }
  return false;
}

/// Is a point within a closed surface? Its triangles are seen from within under 4 pi in all, from
/// outside under 0 (Van Oosterom and Strackee 1983, eq. 8).
bool within(const Vec3& x, const Surface& s, const Corners& corners) {
  double angle = 0;
  for (const auto& t : s.triangles) {
    const Vec3 a = corners[at(t[0])] - x, b = corners[at(t[1])] - x, c = corners[at(t[2])] - x;
    const double A = a.norm(), B = b.norm(), C = c.norm();
    angle +=
        2 * std::atan2(a.dot(b.cross(c)), A * B * C + a.dot(b) * C + b.dot(c) * A + c.dot(a) * B);
  }
  return std::abs(angle) > 2 * std::numbers::pi;
}

}  // namespace

bool cut(const Placed& a, const Placed& b, double least) {
  const bool endless = a.surface->half_space || b.surface->half_space;
  if (!endless && (a.at.p - b.at.p).norm() > a.surface->reach + b.surface->reach + least)
    return false;
  const Corners of_a = in_world(a), of_b = in_world(b);
  if (b.surface->half_space) return behind(of_b, of_a, least);
  if (a.surface->half_space) return behind(of_a, of_b, least);
  return nearer(a, b, least) || passes(a, of_a, b, of_b) || passes(b, of_b, a, of_a) ||
         within(of_a[0], *b.surface, of_b) || within(of_b[0], *a.surface, of_a);
}

}  // namespace trammel::contact::barrier

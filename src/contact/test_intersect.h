#pragma once

#include <vector>

#include "contact/barrier_surface.h"
#include "math/index.h"

/// Do surfaces cut each other? Written apart from the distances: an edge passes through a triangle
/// where volumes of tetrahedra, in long double, have the signs for it.
namespace trammel::contact::test {

using Wide = Eigen::Matrix<long double, 3, 1>;

inline long double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Wide o = d.cast<long double>();
  const Wide p = a.cast<long double>() - o, q = b.cast<long double>() - o,
             r = c.cast<long double>() - o;
  return p.x() * (q.y() * r.z() - q.z() * r.y()) + p.y() * (q.z() * r.x() - q.x() * r.z()) +
         p.z() * (q.x() * r.y() - q.y() * r.x());
}

inline bool passes(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
  const long double above = volume(t[0], t[1], t[2], p), below = volume(t[0], t[1], t[2], q);
  if ((above > 0) == (below > 0)) return false;
  const long double a = volume(p, q, t[0], t[1]), b = volume(p, q, t[1], t[2]),
                    c = volume(p, q, t[2], t[0]);
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

struct Placed {
  const barrier::Surface* surface;
  std::vector<Vec3> x;  // corners in the world
  Vec3 lo, hi;
};

inline Placed placed(const barrier::Surface& s, const Vec3& p, const Mat3& A) {
  Placed out{&s, {}, Vec3::Constant(1e300), Vec3::Constant(-1e300)};
  for (const Vec3& c : s.corners) {
    out.x.emplace_back(p + A * c);
    out.lo = out.lo.cwiseMin(out.x.back());
    out.hi = out.hi.cwiseMax(out.x.back());
  }
  return out;
}

/// Number of edges of `a` that pass through triangles of `b`.
inline int cuts(const Placed& a, const Placed& b) {
  int n = 0;
  for (const auto& e : a.surface->edges) {
    const Vec3 &p = a.x[at(e[0])], &q = a.x[at(e[1])];
    const Vec3 lo = p.cwiseMin(q), hi = p.cwiseMax(q);
    if ((lo.array() > b.hi.array()).any() || (hi.array() < b.lo.array()).any()) continue;
    for (const auto& t : b.surface->triangles) {
      const std::array<Vec3, 3> c{b.x[at(t[0])], b.x[at(t[1])], b.x[at(t[2])]};
      if ((lo.array() > c[0].cwiseMax(c[1]).cwiseMax(c[2]).array()).any() ||
          (hi.array() < c[0].cwiseMin(c[1]).cwiseMin(c[2]).array()).any())
        continue;
      n += passes(p, q, c);
    }
  }
  return n;
}

/// Number of edges that pass through triangles, over all pairs of surfaces.
inline int cuts(const std::vector<Placed>& all) {
  int n = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j)
      if ((all[i].lo.array() <= all[j].hi.array()).all() &&
          (all[j].lo.array() <= all[i].hi.array()).all())
        n += cuts(all[i], all[j]) + cuts(all[j], all[i]);
  return n;
}

}  // namespace trammel::contact::test

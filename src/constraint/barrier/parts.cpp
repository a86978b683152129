// Corners of pairs, and what they make of a pair's numbers.
#include "constraint/barrier/parts.h"

namespace trammel::constraint {

barrier::Stiffness stiffness(const BarrierContact& c, const barrier::Candidate& k) {
  barrier::Stiffness out{begins_at(c), c.scale[pair_index(c, k.a, k.b)]};
  if (k.split != 2) return out;
  const auto& a = c.movers[at(k.a)].surface->corners;
  const auto& b = c.movers[at(k.b)].surface->corners;
  out.parallel = barrier::parallel_below((a[at(k.corner[1])] - a[at(k.corner[0])]).norm(),
                                         (b[at(k.corner[3])] - b[at(k.corner[2])]).norm());
  return out;
}

barrier::Four places_of(const BarrierContact& c, const barrier::Candidate& k) {
  barrier::Four x;
  for (int i = 0; i < 4; ++i)
    x[at_(i)] = c.corners[at(i < k.split ? k.a : k.b)][at(k.corner[at_(i)])];
  return on_half_space(c, k) ? barrier::on_plane(x) : x;
}

barrier::Four own(const BarrierContact& c, const barrier::Candidate& k) {
  barrier::Four x = on_half_space(c, k) ? places_of(c, k) : barrier::Four{};
  for (int i = 0; i < (on_half_space(c, k) ? 1 : 4); ++i)
    x[at_(i)] = c.movers[at(i < k.split ? k.a : k.b)].surface->corners[at(k.corner[at_(i)])];
  return x;
}

void place_corners(const std::vector<body::Transform>& T_WO, BarrierContact& c) {
  for (std::size_t i = 0; i < c.movers.size(); ++i) {
    const body::Transform& T = T_WO[at(c.object[i])];
    const std::vector<Vec3>& x = c.movers[i].surface->corners;
    c.corners[i].resize(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) c.corners[i][k] = T.p + T.A * x[k];
  }
}

void split(const barrier::Candidate& k, const barrier::Four& x, const barrier::Vec12& v,
           body::Covector& a, body::Covector& b) {
  for (int i = 0; i < 4; ++i) {
    body::Covector& to = i < k.split ? a : b;
    to.f += v.segment<3>(3 * i);
    to.F += v.segment<3>(3 * i) * x[at_(i)].transpose();
  }
}

}  // namespace trammel::constraint

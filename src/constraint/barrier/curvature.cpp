// Second derivatives of what touches, and guards of what a Newton step would bring to touch.
#include <algorithm>
#include <cmath>

#include "constraint/barrier/parts.h"

namespace trammel::constraint {

std::vector<CurvatureTerm> curvature_terms(const std::vector<body::Transform>& T_WO,
                                           const BarrierContact& c) {
  std::vector<CurvatureTerm> out;
  std::vector<barrier::RankOne> terms;
  for (const ClosePair& p : c.close) {
    const barrier::Candidate& k = c.candidates[at(p.candidate)];
    const barrier::Four x = own(c, k);
    terms.clear();
    barrier::add_curvature(places_of(c, k), k.split == 2, stiffness(c, k), p.energy, true, terms);
    for (const barrier::RankOne& t : terms) {
      out.push_back({c.object[at(k.a)], c.object[at(k.b)], t.factor, {}, {}});
      split(k, x, t.v, out.back().on_a, out.back().on_b);
    }
  }
  for (const Rubbing& r : c.rubbing) {
    const Eigen::Vector2d slip = slip_of(c.slip, T_WO, r);
    const double speed = slip.norm(), v = c.barrier.slip_speed;
    const barrier::Function f = barrier::friction(speed, v);
    const Eigen::Vector2d along = speed > 0 ? Eigen::Vector2d(slip / speed)
                                            : Eigen::Vector2d(Eigen::Vector2d::UnitX()),
                          across(-along.y(), along.x());
    const double slope = speed > 1e-9 * v ? f.d / speed : 2 / v;
    const auto add = [&](double factor, const Eigen::Vector2d& way) {
      const Vec3 d = r.tangents * way;
      if (factor > 0)
        out.push_back(
            {r.a, r.b, r.force * c.slip.rate * factor, at_point(-d, r.on_a), at_point(d, r.on_b)});
    };
    add(f.dd, along);
    add(slope, across);
  }
  return out;
}

namespace {

constexpr double kParted = 0.2;  // of the barrier's distance: what guards lead to at least

/// The guard of a pair that would touch where it is closest as `closest` says.
BarrierGuard guard_of(const BarrierContact& c, const barrier::Candidate& k,
                      const barrier::Closest& closest, const barrier::Four& now) {
  BarrierGuard g{k, 0, {c.object[at(k.a)], c.object[at(k.b)], 1, {}, {}}};
  const Vec3 n = closest.r.normalized();
  barrier::Vec12 v;
  for (int i = 0; i < 4; ++i) {
    v.segment<3>(3 * i) = closest.w[at_(i)] * n;
    g.spare += closest.w[at_(i)] * n.dot(now[at_(i)] - now[0]);
  }
  // what is very near must part again, or what turns beside it holds up all
  const double width = c.barrier.distance;
  if (g.spare > 0) g.spare -= std::max(0.5 * std::min(g.spare, width), kParted * width);
  split(k, own(c, k), v, g.way.on_a, g.way.on_b);
  return g;
}

barrier::Closest closest_of(const barrier::Candidate& k, const barrier::Four& x) {
  return k.split == 2 ? barrier::edge_edge(x) : barrier::point_triangle(x);
}

}  // namespace

bool add_guards(const std::vector<body::Transform>& T_WO, BarrierContact& c,
                std::vector<BarrierGuard>& guards) {
  place_corners(T_WO, c);
  bool fresh = false;
  for (const barrier::Hit& h : c.hits) {
    const barrier::Candidate& k = c.candidates[at(h.candidate)];
    const barrier::Four now = places_of(c, k);
    BarrierGuard g = guard_of(c, k, closest_of(k, barrier::places(c.movers, k, h.way)), now);
    if (!(g.spare > 0)) g = guard_of(c, k, closest_of(k, now), now);  // it has turned much
    const auto same = std::find_if(guards.begin(), guards.end(), [&](const BarrierGuard& other) {
      return other.pair.a == k.a && other.pair.b == k.b && other.pair.split == k.split &&
             other.pair.corner == k.corner;
    });
    if (same != guards.end()) {
      *same = g;
    } else {
      guards.push_back(g);
      fresh = true;
    }
  }
  return fresh;
}

}  // namespace trammel::constraint

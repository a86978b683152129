// Broad phase: boxes about the ways of bodies, then of their corners, edges and triangles.
#include "contact/barrier_pairs.h"

#include <algorithm>
#include <numeric>

#include "math/index.h"
#include "math/parallel.h"

namespace trammel::contact::barrier {

namespace {

constexpr int kBodyGrain = 16, kPairGrain = 8, kWayGrain = 256;

struct Box {
  Vec3 lo = Vec3::Constant(1e300), hi = Vec3::Constant(-1e300);

  void add(const Box& b) {
    lo = lo.cwiseMin(b.lo);
    hi = hi.cwiseMax(b.hi);
  }
  bool meets(const Box& b) const {
    return (lo.array() <= b.hi.array()).all() && (b.lo.array() <= hi.array()).all();
  }
};

/// A corner, an edge or a triangle.
struct Item {
  Box box;
  int n = 0;  // its number
};

/// Boxes about the ways of a body, each wider by half a margin.
struct Swept {
  Box whole;
  std::vector<Box> corner;
};

Swept swept(const Mover& m, double margin) {
  Swept out;
  const body::Transform from = m.path.at(0), to = m.path.at(1);
  for (const Vec3& x : m.surface->corners) {
    const Vec3 a = from.p + from.A * x, b = to.p + to.A * x;
    const Vec3 wider = Vec3::Constant(margin / 2 + m.path.bend(x.norm()) / 8);
    out.corner.push_back({a.cwiseMin(b) - wider, a.cwiseMax(b) + wider});
    out.whole.add(out.corner.back());
  }
  if (m.surface->half_space) {
    const Box all{Vec3::Constant(-1e300), Vec3::Constant(1e300)};
    out.whole = all;
    out.corner.assign(out.corner.size(), all);
  }
  return out;
}

/// Items of a list of corners' numbers whose boxes meet `region`, in the order of their lower ends
/// along an axis.
template <std::size_t n>
std::vector<Item> items(const std::vector<std::array<int, n>>& list, const Swept& of,
                        const Box& region, int axis) {
  std::vector<Item> out;
  for (std::size_t k = 0; k < list.size(); ++k) {
    Item item;
    item.n = static_cast<int>(k);
    for (const int c : list[k]) item.box.add(of.corner[at(c)]);
    if (item.box.meets(region)) out.push_back(item);
  }
  std::sort(out.begin(), out.end(), [axis](const Item& a, const Item& b) {
    return a.box.lo[axis] < b.box.lo[axis] || (a.box.lo[axis] == b.box.lo[axis] && a.n < b.n);
  });
  return out;
}

std::vector<std::array<int, 1>> numbers(std::size_t n) {
  std::vector<std::array<int, 1>> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = {static_cast<int>(i)};
  return out;
}

/// Calls f(item of a, item of b) for all whose boxes meet.
template <class F>
void sweep(const std::vector<Item>& a, const std::vector<Item>& b, int axis, const F& f) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const bool first = a[i].box.lo[axis] <= b[j].box.lo[axis];
    const Item& one = first ? a[i] : b[j];
    const std::vector<Item>& others = first ? b : a;
    for (std::size_t k = first ? j : i;
         k < others.size() && others[k].box.lo[axis] <= one.box.hi[axis]; ++k)
      if (one.box.meets(others[k].box)) first ? f(one.n, others[k].n) : f(others[k].n, one.n);
    ++(first ? i : j);
  }
}

using Pairs = std::vector<std::array<int, 2>>;

/// Pairs of bodies whose boxes meet, by a sweep along x.
Pairs body_pairs(const std::vector<Swept>& bodies, const MayMeet& may_meet) {
  std::vector<int> order(bodies.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const double x = bodies[at(a)].whole.lo.x(), y = bodies[at(b)].whole.lo.x();
    return x < y || (x == y && a < b);
  });
  Pairs out;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const Box &one = bodies[at(order[i])].whole, &other = bodies[at(order[j])].whole;
      if (other.lo.x() > one.hi.x()) break;
      const int a = std::min(order[i], order[j]), b = std::max(order[i], order[j]);
      if (one.meets(other) && may_meet(a, b)) out.push_back({a, b});
    }
  std::sort(out.begin(), out.end());
  return out;
}

/// Corners of mover `a`, whose boxes are given, that come near the half-space of mover `b`. Boxes
/// are wider by half a margin, and so is the half-space.
std::vector<Candidate> against_half_space(const std::vector<Mover>& movers, const Swept& boxes,
                                          double margin, int a, int b) {
  const std::vector<Vec3>& x = movers[at(b)].surface->corners;
  const body::Transform T = movers[at(b)].path.at(0);
  const Vec3 n = (T.A * (x[1] - x[0])).cross(T.A * (x[2] - x[0])).normalized(),
             on_it = T.p + T.A * x[0];
  std::vector<Candidate> out;
  for (int p = 0; p < count(boxes.corner); ++p) {
    const Box& box = boxes.corner[at(p)];
    const Vec3 middle = 0.5 * (box.lo + box.hi), half = 0.5 * (box.hi - box.lo);
    if (n.dot(middle - on_it) - n.cwiseAbs().dot(half) <= margin / 2)
      out.push_back({a, b, 1, {p, 0, 1, 2}});
  }
  return out;
}

/// Corners of `a` against triangles of `b`.
void add_points(const Mover& on_b, const std::vector<Item>& points,
                const std::vector<Item>& triangles, int axis, int a, int b,
                std::vector<Candidate>& out) {
  sweep(points, triangles, axis, [&](int p, int t) {
    const auto& c = on_b.surface->triangles[at(t)];
    out.push_back({a, b, 1, {p, c[0], c[1], c[2]}});
  });
}

std::vector<Candidate> candidates_of(const std::vector<Mover>& movers,
                                     const std::vector<Swept>& boxes, double margin, int a, int b) {
  if (movers[at(b)].surface->half_space)
    return against_half_space(movers, boxes[at(a)], margin, a, b);
  if (movers[at(a)].surface->half_space)
    return against_half_space(movers, boxes[at(b)], margin, b, a);
  const Swept &A = boxes[at(a)], &B = boxes[at(b)];
  const Surface &on_a = *movers[at(a)].surface, &on_b = *movers[at(b)].surface;
  const Box both{A.whole.lo.cwiseMax(B.whole.lo), A.whole.hi.cwiseMin(B.whole.hi)};
  int axis = 0;
  (both.hi - both.lo).maxCoeff(&axis);
  std::vector<Candidate> out;
  add_points(movers[at(b)], items(numbers(on_a.corners.size()), A, both, axis),
             items(on_b.triangles, B, both, axis), axis, a, b, out);
  add_points(movers[at(a)], items(numbers(on_b.corners.size()), B, both, axis),
             items(on_a.triangles, A, both, axis), axis, b, a, out);
  sweep(items(on_a.edges, A, both, axis), items(on_b.edges, B, both, axis), axis,
        [&](int i, int j) {
          const auto &e = on_a.edges[at(i)], &f = on_b.edges[at(j)];
          out.push_back({a, b, 2, {e[0], e[1], f[0], f[1]}});
        });
  return out;
}

}  // namespace

std::vector<Candidate> find_candidates(const std::vector<Mover>& movers, const MayMeet& may_meet,
                                       double margin) {
  std::vector<Swept> boxes(movers.size());
  parallel::for_pieces(count(movers), kBodyGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i) boxes[at(i)] = swept(movers[at(i)], margin);
  });
  const Pairs pairs = body_pairs(boxes, may_meet);
  std::vector<std::vector<Candidate>> found(pairs.size());
  parallel::for_pieces(count(pairs), kPairGrain, [&](int first, int last) {
    for (int i = first; i < last; ++i)
      found[at(i)] = candidates_of(movers, boxes, margin, pairs[at(i)][0], pairs[at(i)][1]);
  });
  std::vector<Candidate> out;
  for (const auto& f : found) out.insert(out.end(), f.begin(), f.end());
  return out;
}

Four places(const std::vector<Mover>& movers, const Candidate& c, double s) {
  Four x;
  for (int i = 0; i < 4; ++i) {
    const Mover& m = movers[at(i < c.split ? c.a : c.b)];
    x[at_(i)] = m.path.at(s, m.surface->corners[at(c.corner[at_(i)])]);
  }
  return movers[at(c.b)].surface->half_space ? on_plane(x) : x;
}

std::vector<Hit> find_hits(const std::vector<Mover>& movers,
                           const std::vector<Candidate>& candidates, double near) {
  std::vector<double> bend(movers.size());
  for (std::size_t i = 0; i < movers.size(); ++i)
    bend[i] = movers[i].path.bend(movers[i].surface->reach);
  std::vector<double> way(candidates.size());
  parallel::for_pieces(count(candidates), kWayGrain, [&](int first, int last) {
    for (int k = first; k < last; ++k) {
      const Candidate& c = candidates[at(k)];
      const Mover &a = movers[at(c.a)], &b = movers[at(c.b)];
      Moving pair{&a.path, &b.path, {}, c.split, 0, b.surface->half_space, near};
      for (int i = 0; i < 4; ++i)
        pair.x[at_(i)] = &(i < c.split ? a : b).surface->corners[at(c.corner[at_(i)])];
      pair.bend = bend[at(c.a)] + bend[at(c.b)];
      way[at(k)] = free_way(pair);
    }
  });
  std::vector<Hit> out;
  for (std::size_t k = 0; k < way.size(); ++k)
    if (way[k] < 1) out.push_back({static_cast<int>(k), way[k]});
  return out;
}

double free_way(const std::vector<Hit>& hits) {
  double least = 1;
  for (const Hit& h : hits) least = std::min(least, h.way);
  return least;
}

}  // namespace trammel::contact::barrier

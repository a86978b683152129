#pragma once

#include <functional>
#include <vector>

#include "contact/barrier_path.h"
#include "contact/barrier_surface.h"

namespace trammel::contact::barrier {

/// A body and its way over a step of the line search.
struct Mover {
  const Surface* surface = nullptr;
  Path path;
};

/// A corner of `a` and a triangle of `b` (split 1), or an edge of each (split 2), by numbers of
/// corners of their surfaces.
struct Candidate {
  int a, b;
  int split;
  std::array<int, 4> corner;
};

/// May these two meet? a < b, numbers of movers.
using MayMeet = std::function<bool(int a, int b)>;

/// Returns all pairs that may come as near as `margin` somewhere on the way, in an order that
/// depends on nothing else. Bodies side by side by boxes about their ways, then corners, edges and
/// triangles likewise.
std::vector<Candidate> find_candidates(const std::vector<Mover>& movers, const MayMeet& may_meet,
                                       double margin);

/// A pair that would touch.
struct Hit {
  int candidate;
  double way;  // how much of its way it may go
};
/// Returns the pairs that may not go all their way, see Moving and free_way().
std::vector<Hit> find_hits(const std::vector<Mover>& movers,
                           const std::vector<Candidate>& candidates, double near);
/// Returns how much of the way all may go.
double free_way(const std::vector<Hit>& hits);

/// The corners of a candidate at s of the way.
Four places(const std::vector<Mover>& movers, const Candidate& c, double s);

}  // namespace trammel::contact::barrier

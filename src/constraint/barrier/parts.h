#pragma once

#include <algorithm>
#include <vector>

#include "constraint/barrier/contact.h"
#include "math/index.h"

/// What the files of contact by a barrier share: corners of pairs, slips, covectors.
namespace trammel::constraint {

namespace barrier = contact::barrier;

inline double begins_at(const BarrierContact& c) { return c.barrier.distance * c.barrier.distance; }

inline std::size_t pair_index(const BarrierContact& c, int a, int b) {
  return at(std::min(a, b)) * c.object.size() + at(std::max(a, b));
}

inline bool on_half_space(const BarrierContact& c, const barrier::Candidate& k) {
  return c.movers[at(k.b)].surface->half_space;
}

barrier::Stiffness stiffness(const BarrierContact& c, const barrier::Candidate& k);
/// Where a candidate's corners were evaluated last.
barrier::Four places_of(const BarrierContact& c, const barrier::Candidate& k);
/// The same in the axes of their objects. Half-spaces are on the ground, whose axes are the
/// world's.
barrier::Four own(const BarrierContact& c, const barrier::Candidate& k);
/// Evaluates the corners at the places of the objects.
void place_corners(const std::vector<body::Transform>& T_WO, BarrierContact& c);
/// Splits twelve numbers of a pair among its two objects.
void split(const barrier::Candidate& k, const barrier::Four& x, const barrier::Vec12& v,
           body::Covector& a, body::Covector& b);
/// The slip velocity in the plane of contact, of b past a [m/s].
Eigen::Vector2d slip_of(const Slip& s, const std::vector<body::Transform>& y, const Rubbing& r);

inline body::Covector at_point(const Vec3& f, const Vec3& x) { return {f, f * x.transpose()}; }

}  // namespace trammel::constraint

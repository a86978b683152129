#pragma once

#include "contact/gjk.h"

namespace trammel::contact {

/// A point of the set of differences a - b.
struct Corner {
  Vec3 w, a, b;
  int id_A, id_B;
};
inline Corner corner(const Convex& A, const Convex& B, const Vec3& d) {
  const Support a = support(A, d), b = support(B, -d);
  return {a.p - b.p, a.p, b.p, a.id, b.id};
}

/// The plane that parts two cores best or, where they overlap, with least motion: the face of the
/// set of differences nearest to the origin, found by expanding a polytope within it (van den
/// Bergen 2001). The origin may lie outside: the gap is positive then, and no more than the
/// distance. Where the set of differences is flat, its normal.
Nearest expanded(const Convex& A, const Convex& B, double size);

}  // namespace trammel::contact

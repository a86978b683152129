#include "contact/flush.h"

#include <array>

#include "contact/expand.h"
#include "contact/point.h"

namespace trammel::contact {

namespace {

using Core = Convex::Core;

double parted(const Corner& c, const Vec3& n) { return -n.dot(c.w); }

Nearest at_direction(const Corner& c, const Vec3& n) {
  Nearest out;
  out.n = n;
  out.gap = parted(c, n);
  out.p_A = c.a;
  out.p_B = c.b;
  out.a = {c.id_A, c.id_A};
  out.b = {c.id_B, c.id_B};
  return out;
}

}  // namespace

Nearest flush(const Convex& A, const Convex& B) {
  std::array<Vec3, 8> tries;
  int n = 0;
  const Vec3 d = B.X.p - A.X.p;
  const auto is_line = [](const Convex& c) {
    return c.core == Core::round || c.core == Core::segment;
  };
  for (const Convex* c : {&A, &B}) {
    if (c->core == Core::round) tries[at(n++)] = c->X.R.col(2);
    if (c->core == Core::box)
      for (int k = 0; k < 3; ++k) tries[at(n++)] = c->X.R.col(k);
  }
  if (is_line(A) && is_line(B)) {
    const Vec3 a = A.X.R.col(2), b = B.X.R.col(2), both = a.cross(b), off = d - d.dot(a) * a;
    if (both.squaredNorm() > 1e-14) tries[at(n++)] = both.normalized();
    if (off.squaredNorm() > 0) tries[at(n++)] = off.normalized();
  }
  Nearest best;
  best.gap = -1e300;
  for (int i = 0; i < n; ++i)
    for (const double sign : {1.0, -1.0}) {
      const Vec3 m = sign * tries[at(i)];
      const Corner c = corner(A, B, m);
      if (parted(c, m) <= best.gap) continue;
      best = at_direction(c, m);
    }
  return best;
}

}  // namespace trammel::contact

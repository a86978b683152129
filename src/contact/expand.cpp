#include "contact/expand.h"

#include <algorithm>
#include <cmath>

#include "contact/point.h"

namespace trammel::contact {

namespace {

struct Side {
  std::array<int, 3> at;
  Vec3 normal;
  double distance;  // of its plane from the origin, along the normal
  bool gone = false;
};

struct Polytope {
  static constexpr int kMost = 160;
  std::array<Corner, kMost> corners;
  int n_corners = 0;
  std::array<Side, 6 * kMost> sides;
  int n_sides = 0;
  double size = 1;

  const Vec3& w(int i) const { return corners[at_(i)].w; }

  void add_side(int a, int b, int c) {
    if (n_sides == count(sides)) return;
    const Vec3 n = (w(b) - w(a)).cross(w(c) - w(a));
    const double area = n.norm();
    Side& s = sides[at_(n_sides++)];
    s = {{a, b, c}, n / area, 0, false};
    if (!(area > 1e-22 * size * size)) {
      s.normal = Vec3::Zero();
      s.distance = 1e300;  // a sliver: never the nearest, and everything is ahead of its neighbours
    } else {
      s.distance = s.normal.dot(w(a));
    }
  }
};

/// Four corners that span a volume; false: the set is flat, and `normal` is across it.
bool start(const Convex& A, const Convex& B, Polytope& p, Vec3& normal) {
  const auto farther = [&](const Vec3& d, auto measure) {
    const Corner one = corner(A, B, d), two = corner(A, B, -d);
    return measure(one.w) >= measure(two.w) ? one : two;
  };
  const double least = 1e-13 * p.size;
  Vec3 axis = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Corner one = corner(A, B, Vec3::Unit(k)), two = corner(A, B, -Vec3::Unit(k));
    if ((two.w - one.w).norm() <= axis.norm()) continue;
    axis = two.w - one.w;
    p.corners[0] = one;
    p.corners[1] = two;
  }
  if (axis.norm() <= least) return false;
  axis.normalize();
  Vec3 across = axis.unitOrthogonal();
  const auto off_line = [&](const Vec3& w) {
    const Vec3 r = w - p.w(0);
    return (r - r.dot(axis) * axis).norm();
  };
  p.corners[2] = farther(across, off_line);
  if (off_line(p.w(2)) <= least) p.corners[2] = farther(across = axis.cross(across), off_line);
  if (off_line(p.w(2)) <= least) return false;
  normal = (p.w(1) - p.w(0)).cross(p.w(2) - p.w(0)).normalized();
  p.corners[3] = farther(normal, [&](const Vec3& w) { return std::abs(normal.dot(w - p.w(0))); });
  if (std::abs(normal.dot(p.w(3) - p.w(0))) <= least) return false;
  p.n_corners = 4;
  if (normal.dot(p.w(3) - p.w(0)) > 0) std::swap(p.corners[0], p.corners[1]);
  p.add_side(0, 1, 2);
  p.add_side(0, 3, 1);
  p.add_side(1, 3, 2);
  p.add_side(2, 3, 0);
  return true;
}

int nearest_side(const Polytope& p) {
  int best = -1;
  for (int i = 0; i < p.n_sides; ++i) {
    const Side& s = p.sides[at_(i)];
    if (!s.gone && (best < 0 || s.distance < p.sides[at_(best)].distance)) best = i;
  }
  return best;
}

/// Takes away the sides that the new corner sees, and joins it with their border.
bool expand(Polytope& p, const Corner& c) {
  const int fresh = p.n_corners;
  if (fresh == Polytope::kMost) return false;
  p.corners[at_(p.n_corners++)] = c;
  std::array<std::array<int, 2>, 3 * Polytope::kMost> border;
  int n = 0;
  for (int i = 0; i < p.n_sides; ++i) {
    Side& s = p.sides[at_(i)];
    if (s.gone) continue;
    if (s.distance < 1e299 && s.normal.dot(c.w - p.w(s.at[0])) <= 1e-14 * p.size) continue;
    s.gone = true;
    for (int k = 0; k < 3; ++k) {
      const std::array<int, 2> edge = {s.at[at_(k)], s.at[at_((k + 1) % 3)]};
      const auto back = std::find(border.begin(), border.begin() + n, std::array{edge[1], edge[0]});
      if (back != border.begin() + n)
        *back = border[at_(--n)];
      else if (n < count(border))
        border[at_(n++)] = edge;
    }
  }
  const int kept = static_cast<int>(std::remove_if(p.sides.begin(), p.sides.begin() + p.n_sides,
                                                   [](const Side& s) { return s.gone; }) -
                                    p.sides.begin());
  p.n_sides = kept;
  for (int i = 0; i < n; ++i) p.add_side(border[at_(i)][0], border[at_(i)][1], fresh);
  return n >= 3;
}

std::array<int, 2> ends(const Polytope& p, const Side& s, int Corner::*side) {
  std::array<int, 3> id;
  for (int i = 0; i < 3; ++i) id[at_(i)] = p.corners[at_(s.at[at_(i)])].*side;
  std::sort(id.begin(), id.end());
  if (id[0] != id[1] && id[1] != id[2]) return {kFace, kFace};
  return {id[0], id[2]};
}

Nearest answer_of(const Polytope& p, const Side& s) {
  const Corner &a = p.corners[at_(s.at[0])], &b = p.corners[at_(s.at[1])],
               &c = p.corners[at_(s.at[2])];
  const Vec3 q = s.distance * s.normal, ab = b.w - a.w, ac = c.w - a.w, aq = q - a.w;
  const Vec3 m = ab.cross(ac);
  const double mm = m.squaredNorm();
  const double v = aq.cross(ac).dot(m) / mm, u = ab.cross(aq).dot(m) / mm;
  Nearest out;
  out.p_A = (1 - u - v) * a.a + v * b.a + u * c.a;
  out.p_B = (1 - u - v) * a.b + v * b.b + u * c.b;
  out.n = s.normal;
  out.gap = -s.distance;
  out.a = ends(p, s, &Corner::id_A);
  out.b = ends(p, s, &Corner::id_B);
  return out;
}

Nearest flat(const Convex& A, const Convex& B, const Vec3& normal) {
  Nearest out;
  out.n = normal;
  const Corner c = corner(A, B, normal);
  out.p_A = c.a;
  out.p_B = c.b;
  out.gap = -normal.dot(c.w);
  out.a = {c.id_A, c.id_A};
  out.b = {c.id_B, c.id_B};
  return out;
}

}  // namespace

Nearest expanded(const Convex& A, const Convex& B, double size) {
  Polytope p;
  p.size = size;
  Vec3 normal = Vec3::UnitZ();
  if (!start(A, B, p, normal)) return flat(A, B, normal);
  const bool is_round = A.core == Convex::Core::round || B.core == Convex::Core::round;
  const double enough = (is_round ? 1e-13 : 2e-15) * size;
  int side = nearest_side(p);
  if (side < 0) return flat(A, B, normal);
  Side best = p.sides[at_(side)];
  for (; side >= 0; side = nearest_side(p)) {
    best = p.sides[at_(side)];
    const Corner c = corner(A, B, best.normal);
    if (best.normal.dot(c.w) - best.distance <= enough || !expand(p, c)) break;
  }
  return answer_of(p, best);
}

}  // namespace trammel::contact

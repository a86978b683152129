#include "contact/expand.h"

#include <algorithm>
#include <cmath>

#include "contact/point.h"

namespace trammel::contact {

namespace {

constexpr double kRounding = 1e-10;  // of faces that are nearly flush, over the shapes' size

struct Side {
  std::array<int, 3> at;      // corners
  std::array<int, 3> beside;  // sides across the edges from each corner to the next
  Vec3 normal;
  double distance;  // of its plane from the origin, along the normal; 1e300: a sliver, no plane
  bool gone;
};

struct Polytope {
  static constexpr int kMost = 200;
  std::array<Corner, kMost> corners;
  int n_corners = 0;
  std::array<Side, 6 * kMost> sides;
  int n_sides = 0;
  double size = 1;

  const Vec3& w(int i) const { return corners[at_(i)].w; }

  int add_side(int a, int b, int c) {
    const Vec3 u = w(b) - w(a), v = w(c) - w(a), n = u.cross(v);
    const double area = n.norm(), longest = std::max({u.norm(), v.norm(), (v - u).norm()});
    Side& s = sides[at_(n_sides)];
    s.at = {a, b, c};
    s.gone = false;
    const bool plane = area > 1e-14 * size * longest;
    s.normal = plane ? Vec3(n / area) : Vec3(Vec3::Zero());
    s.distance = plane ? s.normal.dot(w(a)) : 1e300;
    return n_sides++;
  }
  bool is_known(const Corner& c) const {
    for (int i = 0; i < n_corners; ++i)
      if (w(i) == c.w) return true;
    return false;
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
  p.sides[0].beside = {1, 2, 3};
  p.sides[1].beside = {3, 2, 0};
  p.sides[2].beside = {1, 3, 0};
  p.sides[3].beside = {2, 1, 0};
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

/// What the sides that a corner sees leave: their border, and the sides beyond it.
struct Border {
  static constexpr int kMost = 64;
  struct Edge {
    int from, to, beyond;
  };
  std::array<Edge, kMost> at;
  int count = 0;
  int starting(int corner) const {
    int found = -1;
    for (int i = 0; i < count; ++i)
      if (at[at_(i)].from == corner) found = found < 0 ? i : -2;
    return found;
  }
};

bool sees(const Polytope& p, const Corner& c, const Side& s) {
  return s.distance > 1e299 || s.normal.dot(c.w - p.w(s.at[0])) > 1e-15 * p.size;
}

/// Takes away `first` and the sides around it that the corner sees.
bool take_away(Polytope& p, const Corner& c, int first, Border& border) {
  std::array<int, 6 * Polytope::kMost> todo;
  int n = 0;
  todo[at_(n++)] = first;
  p.sides[at_(first)].gone = true;
  while (n > 0) {
    const Side& here = p.sides[at_(todo[at_(--n)])];
    for (int k = 0; k < 3; ++k) {
      Side& other = p.sides[at_(here.beside[at_(k)])];
      if (other.gone) continue;
      if (sees(p, c, other)) {
        other.gone = true;
        todo[at_(n++)] = here.beside[at_(k)];
      }
    }
  }
  for (int i = 0; i < p.n_sides; ++i) {
    const Side& s = p.sides[at_(i)];
    if (!s.gone || s.at[0] < 0) continue;
    for (int k = 0; k < 3; ++k) {
      const int beyond = s.beside[at_(k)];
      if (p.sides[at_(beyond)].gone) continue;
      if (border.count == Border::kMost) return false;
      border.at[at_(border.count++)] = {s.at[at_(k)], s.at[at_((k + 1) % 3)], beyond};
    }
  }
  for (int i = 0; i < p.n_sides; ++i)
    if (p.sides[at_(i)].gone) p.sides[at_(i)].at[0] = -1;  // done with
  return border.count >= 3;
}

/// Joins the border of what the new corner sees with it. False: it cannot, the polytope is spoilt.
bool expand(Polytope& p, const Corner& c, int first) {
  Border border;
  if (p.n_corners == Polytope::kMost || !take_away(p, c, first, border)) return false;
  if (p.n_sides + border.count > count(p.sides)) return false;
  const int fresh = p.n_corners++, base = p.n_sides;
  p.corners[at_(fresh)] = c;
  for (int i = 0; i < border.count; ++i)
    p.add_side(border.at[at_(i)].from, border.at[at_(i)].to, fresh);
  for (int i = 0; i < border.count; ++i) {
    const auto& edge = border.at[at_(i)];
    const int next = border.starting(edge.to);
    if (next < 0) return false;
    p.sides[at_(base + i)].beside[0] = edge.beyond;
    p.sides[at_(base + i)].beside[1] = base + next;
    p.sides[at_(base + next)].beside[2] = base + i;
    Side& beyond = p.sides[at_(edge.beyond)];
    for (int k = 0; k < 3; ++k)
      if (beyond.at[at_(k)] == edge.to) beyond.beside[at_(k)] = base + i;
  }
  return true;
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
  const bool is_round = is_curved(A) || is_curved(B);
  const double enough = (is_round ? 1e-9 : 2e-15) * size;
  int side = nearest_side(p);
  if (side < 0) return flat(A, B, normal);
  Side best = p.sides[at_(side)], close = best;
  close.distance = 1e300;
  for (; side >= 0 && p.sides[at_(side)].distance < 1e299; side = nearest_side(p)) {
    best = p.sides[at_(side)];
    const Corner c = corner(A, B, best.normal);
    const double beyond = best.normal.dot(c.w) - best.distance;
    if (beyond <= enough) break;
    if (p.is_known(c)) {  // a plane of rounding's, which no corner can make better
      if (beyond < kRounding * size && best.distance < close.distance) close = best;
      p.sides[at_(side)].distance = 1e300;
    } else if (!expand(p, c, side)) {
      break;
    }
  }
  if (close.distance + kRounding * size < best.distance) best = close;
  return answer_of(p, best);
}

}  // namespace trammel::contact

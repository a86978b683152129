// Where curved cores touch: along the direction n for which the gap g(n), by the supports of both
// sides, is greatest. Each side holds n by a feature: a corner, edge, face, rim, the side of a
// round core, or an ellipsoid. Each pair of features that may be is tried.
#include "contact/direction.h"

#include <Eigen/Dense>
#include <cmath>
#include <optional>

#include "contact/expand.h"
#include "contact/flush.h"
#include "contact/hull.h"
#include "contact/point.h"

namespace trammel::contact {

namespace {

using Core = Convex::Core;

/// By what a core meets another along its outward normal m: a corner lets m turn, an edge about
/// itself, a face not at all; a rim goes along with m, and along the side of a round core m turns
/// about the axis.
struct Held {
  enum class By : unsigned char { smooth, corner, edge, face, rim, side } by = By::corner;
  Vec3 x = Vec3::Zero();      // a point of it; of a rim its middle, of a side one of the axis
  Vec3 along = Vec3::Zero();  // of an edge; the axis of rims and sides; the normal of a face
  std::array<int, 2> ends = {};
  double radius = 0, slope = 0;  // of a rim; of a side: m . axis
  double length = 0;             // of an edge, from x on

  bool is_place() const { return by == By::smooth || by == By::corner || by == By::rim; }
  bool is_line() const { return by == By::edge || by == By::side; }
};

Vec3 across(const Vec3& m, const Vec3& axis) { return m - m.dot(axis) * axis; }

/// Where a side is while m turns, and how that goes with it.
struct Place {
  Vec3 x;
  Mat3 bend;
};
Place place_of(const Convex& c, const Held& held, const Vec3& m) {
  if (held.by == Held::By::smooth) return {support(c, m).p, bend_of_ellipsoid(c, m)};
  if (held.by != Held::By::rim) return {held.x, Mat3::Zero()};
  const Vec3 out = across(m, held.along);
  const double length = std::max(out.norm(), 1e-300);
  const Vec3 rim = held.along.cross(out / length);
  return {held.x + held.radius / length * out, held.radius / length * rim * rim.transpose()};
}

/// n . along = value.
struct Fixed {
  Vec3 along;
  double value;
};
std::optional<Fixed> fixed_by(const Held& held, double sign) {
  if (!held.is_line()) return {};
  return Fixed{held.along, sign * held.slope};
}

constexpr double kCrosses = 1e-9;  // sine of the angle between lines from which on they cross

/// Both sides; n points from A to B.
struct Couple {
  const Convex &A, &B;
  const Held &a, &b;
  bool lines_cross() const {
    return a.is_line() && b.is_line() && a.along.cross(b.along).norm() > kCrosses;
  }
};

/// The direction nearest to n that meets both. False: there is none.
bool solve_both(const Fixed& p, const Fixed& q, Vec3& n) {
  const double k = p.along.dot(q.along);
  const Vec3 w = p.along.cross(q.along);
  const double sine2 = w.squaredNorm();
  const Vec3 in = ((p.value - k * q.value) * p.along + (q.value - k * p.value) * q.along) / sine2;
  const double rest = 1 - in.squaredNorm();
  if (!(rest > 0)) return false;
  const double side = w.dot(n) < 0 ? -1 : 1;
  n = (in + side * std::sqrt(rest / sine2) * w).normalized();
  return true;
}

Vec3 squared_up(const std::optional<Fixed>& by, const Vec3& n) {
  if (!by) return n;
  return std::sqrt(1 - by->value * by->value) * across(n, by->along).normalized() +
         by->value * by->along;
}

/// Newton's iteration for the direction along which the gap is stationary, n turning freely or at
/// an angle to a line. False: it leads elsewhere.
bool iterate(const Couple& pair, const std::optional<Fixed>& by, Vec3& n) {
  for (int i = 0; i < 12; ++i) {
    n = squared_up(by, n);
    Eigen::Matrix<double, 3, 2> T;
    T.col(0) = by ? n.cross(by->along).normalized() : n.unitOrthogonal();
    T.col(1) = n.cross(T.col(0));
    const int free = by ? 1 : 2;
    const Place a = place_of(pair.A, pair.a, n), b = place_of(pair.B, pair.b, -n);
    const Vec3 d = b.x - a.x, out = by ? across(n, by->along) : n;
    const Mat3 H = a.bend + b.bend + out.dot(d) / out.squaredNorm() * Mat3::Identity();
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2> h =
        T.leftCols(free).transpose() * H * T.leftCols(free);
    if (!(h.determinant() > 0 && h.trace() > 0)) return false;
    const Vec3 step = T.leftCols(free) * h.inverse() * (T.leftCols(free).transpose() * d);
    if (!(step.norm() < 0.5)) return false;
    n = (n + step).normalized();
    if (step.norm() < 1e-15) break;
  }
  n = squared_up(by, n);
  return true;
}

bool solve(const Couple& pair, Vec3& n) {
  if (pair.a.by == Held::By::face) return n = pair.a.along, true;
  if (pair.b.by == Held::By::face) return n = -pair.b.along, true;
  const std::optional<Fixed> a = fixed_by(pair.a, 1), b = fixed_by(pair.b, -1);
  if (pair.lines_cross()) return solve_both(*a, *b, n);
  return iterate(pair, a ? a : b, n);
}

double gap_along(const Convex& A, const Convex& B, const Vec3& n) {
  return n.dot(support(B, -n).p - support(A, n).p);
}

/// The line by which a core lies along a direction, from x on.
struct Line {
  Vec3 x, along;
  double length;
};
Line line_of(const Convex& c, const Held& held, const Vec3& m) {
  if (held.by == Held::By::edge) return {held.x, held.along, held.length};
  const Vec3 out = across(m, held.along).normalized(),
             bottom = held.x - c.size[1] * held.along + c.size[0] * out,
             way = (c.size[2] - c.size[0]) * out + 2 * c.size[1] * held.along;
  return {bottom, way.normalized(), way.norm()};
}

/// The places of two lines that are nearest to each other; false: beyond their ends.
bool cross(const Line& a, const Line& b, Vec3& p, Vec3& q) {
  const double k = a.along.dot(b.along), sine2 = a.along.cross(b.along).squaredNorm();
  const Vec3 d = b.x - a.x;
  const double s = (d.dot(a.along) - k * d.dot(b.along)) / sine2,
               t = (k * d.dot(a.along) - d.dot(b.along)) / sine2;
  p = a.x + s * a.along;
  q = b.x + t * b.along;
  const double rounding = 1e-9 * (a.length + b.length);
  const auto is_on = [&](double x, const Line& l) {
    return x > -rounding && x < l.length + rounding;
  };
  return is_on(s, a) && is_on(t, b);
}

/// The place that is farthest along m; of a side that lies flush, where it was.
Vec3 farthest_about(const Convex& c, const Vec3& m, const Vec3& was, std::array<int, 2>& ends) {
  constexpr double kNear = 0.05;  // of the size
  const Support s = support(c, m);
  if (across(s.p - was, m).norm() > kNear * scale(c)) return was + m.dot(s.p - was) * m;
  ends = {s.id, s.id};
  return s.p;
}

/// The places of both on the line across: what is one place is sure, as what is farthest into a
/// face is, else where lines cross, else where it was. False: they are no places of both.
bool answer(const Couple& pair, const Vec3& n, const Nearest& rough, Nearest& out) {
  out.n = n;
  out.gap = gap_along(pair.A, pair.B, n);
  out.a = pair.a.ends;
  out.b = pair.b.ends;
  const Vec3 middle = (rough.p_A + rough.p_B) / 2;
  if (pair.b.by == Held::By::face) {
    out.p_A = farthest_about(pair.A, n, middle, out.a);
    out.p_B = out.p_A + out.gap * n;
  } else if (pair.a.by == Held::By::face) {
    out.p_B = farthest_about(pair.B, -n, middle, out.b);
    out.p_A = out.p_B - out.gap * n;
  } else if (pair.a.is_place()) {
    out.p_A = place_of(pair.A, pair.a, n).x;
    out.p_B = out.p_A + out.gap * n;
  } else if (pair.b.is_place()) {
    out.p_B = place_of(pair.B, pair.b, -n).x;
    out.p_A = out.p_B - out.gap * n;
  } else if (pair.lines_cross()) {
    return cross(line_of(pair.A, pair.a, n), line_of(pair.B, pair.b, -n), out.p_A, out.p_B);
  } else {
    out.p_A = middle + n.dot(support(pair.A, n).p - middle) * n;
    out.p_B = middle + n.dot(support(pair.B, -n).p - middle) * n;
  }
  return true;
}

double distance_to(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 u = b - a;
  const double t = std::clamp(u.dot(p - a) / u.squaredNorm(), 0., 1.);
  return (a + t * u - p).norm();
}

/// Few features of one side; lines before the places at their ends, which are sure where both
/// would do.
struct Helds {
  std::array<Held, 40> all;
  int n = 0;
  void add(const Held& held) {
    if (n < count(all)) all[at(n++)] = held;
  }
};

Held edge_of(const Vec3& from, const Vec3& to, const std::array<int, 2>& ends) {
  const Vec3 way = to - from;
  return {.by = Held::By::edge,
          .x = from,
          .along = way.normalized(),
          .ends = ends,
          .length = way.norm()};
}

/// Rims and the side of a round core.
void add_round(const Convex& c, Helds& out) {
  using By = Held::By;
  const Vec3 axis = c.X.R.col(2), middle = c.X.p;
  const double length = std::hypot(2 * c.size[1], c.size[0] - c.size[2]);
  out.add({By::side, middle, axis, {kDeepest, kDeepest + 1}, 0, (c.size[0] - c.size[2]) / length});
  for (const int top : {0, 1}) {
    const Vec3 end = middle + (top ? c.size[1] : -c.size[1]) * axis;
    out.add({By::rim, end, axis, {kDeepest + top, kDeepest + top}, c.size[top ? 2 : 0], 0});
  }
}

/// The corner of a hull that is farthest along d, and the faces and edges about it.
void add_of_hull(const Convex& c, const Vec3& d, Helds& out) {
  using By = Held::By;
  const auto place = [&](int i) { return Vec3(c.X.p + c.X.R * c.hull->vertices[at(i)]); };
  const int corner = support(c, d).id;
  for (const int face : c.hull->around[at(corner)])
    out.add({By::face, place(corner), c.X.R * c.hull->normals[at(face)], {kFace, kFace}});
  for (const int i : c.hull->beside[at(corner)]) {
    out.add(edge_of(place(corner), place(i), {std::min(i, corner), std::max(i, corner)}));
    out.add({By::corner, place(i), Vec3::Zero(), {i, i}});
  }
  out.add({By::corner, place(corner), Vec3::Zero(), {corner, corner}});
}

/// Of the face, edge or corner that looks most along m: the edges, and of these the corners, that
/// are nearest to the place p.
void add_nearest(const Feature& f, const Vec3& p, Helds& out) {
  using By = Held::By;
  std::array<int, 2> nearest = {0, -1};  // edges, by their first corner
  std::array<double, 2> far = {1e300, 1e300};
  const int edges = f.count > 2 ? f.count : f.count - 1;
  for (int k = 0; k < edges; ++k) {
    const double d = distance_to(p, f.at[at(k)], f.at[at((k + 1) % f.count)]);
    const int place = d < far[0] ? 0 : d < far[1] ? 1 : 2;
    if (place == 0) far[1] = far[0], nearest[1] = nearest[0];
    if (place < 2) far[at(place)] = d, nearest[at(place)] = k;
  }
  for (const int k : nearest) {
    if (k < 0 || f.count == 0) continue;
    const auto a = at(k), b = at((k + 1) % f.count);
    if (edges > 0) {
      const auto [first, last] = std::minmax(f.id[a], f.id[b]);
      out.add(edge_of(f.at[a], f.at[b], {first, last}));
      out.add({By::corner, f.at[b], Vec3::Zero(), {f.id[b], f.id[b]}});
    }
    out.add({By::corner, f.at[a], Vec3::Zero(), {f.id[a], f.id[a]}});
  }
}

/// By what a core may meet another along m at p.
void find_held(const Convex& c, const Vec3& m, const Vec3& p, Helds& out) {
  if (is_smooth(c)) return out.add({.by = Held::By::smooth});
  if (c.core == Core::hull) return add_of_hull(c, m, out);
  Feature f;
  feature(c, m, f);
  if (f.count > 2) out.add({Held::By::face, f.at[0], f.normal, {kFace, kFace}});
  if (c.core == Core::round) return add_round(c, out);
  add_nearest(f, p, out);
}

constexpr double kApart = 1e-5;   // of the size: from there on the search finds the direction
constexpr double kPulled = 1e-3;  // of the size: what overlaps is looked at from so far apart
constexpr int kPulls = 20;

/// Where cores touch or overlap the search for a polytope's nearest side may end early. Along each
/// direction n they come apart by a shift of -g(n); so shifted, and a little more, they are nearest
/// by a direction with a greater g, or the same.
Nearest pulled_apart(const Convex& A, const Convex& B, Nearest c, double size) {
  for (int i = 0; i < kPulls; ++i) {
    const Vec3 shift = (kPulled * size - gap_along(A, B, c.n)) * c.n, before = c.n;
    Convex away = B;
    away.X.p += shift;
    c = nearest(A, away, 1e300);
    c.p_B -= shift;
    if ((c.n - before).norm() < kPulled) break;
  }
  return c;
}

/// From where that is nearly known.
Nearest exact(const Convex& A, const Convex& B, const Nearest& rough, double size) {
  Helds a, b;
  find_held(A, rough.n, rough.p_A, a);
  find_held(B, -rough.n, rough.p_B, b);
  Nearest best = rough;
  best.gap = gap_along(A, B, rough.n);
  bool found = false;
  for (int i = 0; i < a.n; ++i)
    for (int k = 0; k < b.n; ++k) {
      const Couple pair{A, B, a.all[at(i)], b.all[at(k)]};
      Vec3 n = rough.n;
      if (!solve(pair, n) || !((n - rough.n).norm() < 0.05)) continue;
      if (!(gap_along(A, B, n) >= best.gap - (found ? 0 : 1e-14 * size))) continue;
      Nearest now;
      if (!answer(pair, n, rough, now)) continue;
      best = now;
      found = true;
    }
  return best;
}

}  // namespace

Nearest nearest_by_direction(const Convex& A, const Convex& B, double margin, double size) {
  Nearest c = nearest(A, B, margin);
  if (c.gap > margin) return c;
  if (!(c.gap > kApart * size)) {
    const Nearest along = flush(A, B);
    c = pulled_apart(A, B, along.gap > gap_along(A, B, c.n) ? along : c, size);
  }
  return exact(A, B, c, size);
}

}  // namespace trammel::contact

// Where an ellipsoid touches: along the direction n for which the gap g(n), by the supports of both
// sides, is greatest. Of a core with corners that is the normal of a face, a direction across an
// edge, or one from a corner: each of them that may be is tried.
#include "contact/smooth.h"

#include <Eigen/Dense>
#include <cmath>

#include "contact/expand.h"
#include "contact/hull.h"
#include "contact/point.h"

namespace trammel::contact {

namespace {

using Core = Convex::Core;

/// Where a direction may come from on the side of a core that is no ellipsoid: a corner lets it
/// turn, an edge along `along` about itself, a face not at all; a rim about the axis `along` turns
/// with it, and along a round side it goes about the axis with a slope of `slope`.
struct Held {
  enum class By : unsigned char { corner, edge, face, rim, side } by = By::corner;
  Vec3 x = Vec3::Zero();      // a point of it; of a rim its middle, of a side one of the axis
  Vec3 along = Vec3::Zero();  // or the outward normal of a face: unit vectors
  std::array<int, 2> ends = {};
  double radius = 0, slope = 0;
};

/// An ellipsoid and another core; `sign` is 1 where the ellipsoid is A. Directions m point out of
/// the ellipsoid.
struct Couple {
  const Convex &smooth, &other;
  double sign;
};

Vec3 across(const Vec3& m, const Vec3& axis) { return m - m.dot(axis) * axis; }

/// Where the other side is while m turns, and how that goes with it.
struct Opposite {
  Vec3 x;
  Mat3 bend;
};
Opposite opposite(const Couple& pair, const Held* held, const Vec3& m) {
  if (!held) return {support(pair.other, -m).p, bend_of_ellipsoid(pair.other, -m)};
  if (held->by != Held::By::rim) return {held->x, Mat3::Zero()};
  const Vec3 out = -across(m, held->along);
  const double length = std::max(out.norm(), 1e-300);
  const Vec3 rim = held->along.cross(out / length);
  return {held->x + held->radius / length * out, held->radius / length * rim * rim.transpose()};
}

/// m as what holds it wants it.
Vec3 squared_up(const Held* held, const Vec3& m) {
  if (!held) return m;
  if (held->by == Held::By::edge) return across(m, held->along).normalized();
  if (held->by != Held::By::side) return m;
  const Vec3 out = across(m, held->along).normalized();
  return std::sqrt(1 - held->slope * held->slope) * out + held->slope * held->along;
}

/// Directions across m in which it may turn.
int turns(const Held* held, const Vec3& m, Eigen::Matrix<double, 3, 2>& T) {
  if (held && (held->by == Held::By::edge || held->by == Held::By::side)) {
    T.col(0) = m.cross(held->along).normalized();
    return 1;
  }
  T.col(0) = m.unitOrthogonal();
  T.col(1) = m.cross(T.col(0));
  return 2;
}

/// By how much the unit vector m bends towards d as it turns: on a sphere, or about an axis.
double curves(const Held* held, const Vec3& m, const Vec3& d) {
  if (!held || held->by != Held::By::side) return m.dot(d);
  const Vec3 out = across(m, held->along);
  return out.dot(d) / out.squaredNorm();
}

/// Newton's iteration for the direction m along which the gap is stationary. False: it leads
/// elsewhere.
bool solve(const Couple& pair, const Held* held, Vec3& m) {
  if (held && held->by == Held::By::face) return m = -held->along, true;
  for (int i = 0; i < 12; ++i) {
    m = squared_up(held, m);
    Eigen::Matrix<double, 3, 2> T;
    const int n = turns(held, m, T);
    const Opposite other = opposite(pair, held, m);
    const Vec3 d = other.x - support(pair.smooth, m).p;
    const Mat3 H =
        bend_of_ellipsoid(pair.smooth, m) + other.bend + curves(held, m, d) * Mat3::Identity();
    const MatX h = T.leftCols(n).transpose() * H * T.leftCols(n);
    if (!(h.determinant() > 0 && h.trace() > 0)) return false;
    const Vec3 step = T.leftCols(n) * h.inverse() * (T.leftCols(n).transpose() * d);
    if (!(step.norm() < 0.5)) return false;
    m = (m + step).normalized();
    if (step.norm() < 1e-15) break;
  }
  m = squared_up(held, m);
  return true;
}

/// How far apart they are along the direction m out of the ellipsoid.
double gap_along(const Couple& pair, const Vec3& m) {
  return m.dot(support(pair.other, -m).p - support(pair.smooth, m).p);
}

/// Both places on the line across: that of the ellipsoid is sure.
Nearest answer(const Couple& pair, const std::array<int, 2>& ends, const Vec3& m) {
  const double gap = gap_along(pair, m);
  const Vec3 p = support(pair.smooth, m).p, q = p + gap * m;
  Nearest out;
  out.n = pair.sign * m;
  out.gap = gap;
  out.p_A = pair.sign > 0 ? p : q;
  out.p_B = pair.sign > 0 ? q : p;
  (pair.sign > 0 ? out.b : out.a) = ends;
  return out;
}

double distance_to(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 u = b - a;
  const double t = std::clamp(u.dot(p - a) / u.squaredNorm(), 0., 1.);
  return (a + t * u - p).norm();
}

/// Rims and the side of a round core.
template <class Try>
void for_each_round(const Convex& c, const Try& attempt) {
  using By = Held::By;
  const Vec3 axis = c.X.R.col(2), middle = c.X.p;
  const double length = std::hypot(2 * c.size[1], c.size[0] - c.size[2]);
  for (const int top : {0, 1}) {
    const Vec3 end = middle + (top ? c.size[1] : -c.size[1]) * axis;
    attempt(Held{By::rim, end, axis, {kDeepest + top, kDeepest + top}, c.size[top ? 2 : 0], 0});
  }
  const double slope = (c.size[2] - c.size[0]) / length;  // of directions into the side
  attempt(Held{By::side, middle, axis, {kDeepest, kDeepest + 1}, 0, slope});
}

/// The corner of a hull that is farthest along d, and the faces and edges about it.
template <class Try>
void for_each_of_hull(const Convex& c, const Vec3& d, const Try& attempt) {
  using By = Held::By;
  const auto place = [&](int i) { return Vec3(c.X.p + c.X.R * c.hull->vertices[at_(i)]); };
  const int corner = support(c, d).id;
  attempt(Held{By::corner, place(corner), Vec3::Zero(), {corner, corner}});
  for (const int face : c.hull->around[at_(corner)])
    attempt(Held{By::face, place(corner), c.X.R * c.hull->normals[at_(face)], {kFace, kFace}});
  for (const int i : c.hull->beside[at_(corner)]) {
    const Vec3 along = (place(i) - place(corner)).normalized();
    attempt(Held{By::corner, place(i), Vec3::Zero(), {i, i}});
    attempt(Held{By::edge, place(i), along, {std::min(i, corner), std::max(i, corner)}});
  }
}

/// The face, edge or corner of the other core that looks most against m, and of a face the edges
/// and of these the corners that are nearest to the place p.
template <class Try>
void for_each_held(const Convex& other, const Vec3& m, const Vec3& p, const Try& attempt) {
  using By = Held::By;
  if (other.core == Core::hull) return for_each_of_hull(other, -m, attempt);
  Feature f;
  feature(other, -m, f);
  if (f.count > 2) attempt(Held{By::face, f.at[0], f.normal, {kFace, kFace}});
  if (other.core == Core::round) return for_each_round(other, attempt);
  std::array<int, 2> nearest = {0, -1};  // edges, by their first corner
  std::array<double, 2> far = {1e300, 1e300};
  const int edges = f.count > 2 ? f.count : f.count - 1;
  for (int k = 0; k < edges; ++k) {
    const double d = distance_to(p, f.at[at_(k)], f.at[at_((k + 1) % f.count)]);
    const int place = d < far[0] ? 0 : d < far[1] ? 1 : 2;
    if (place == 0) far[1] = far[0], nearest[1] = nearest[0];
    if (place < 2) far[at_(place)] = d, nearest[at_(place)] = k;
  }
  for (const int k : nearest) {
    if (k < 0 || f.count == 0) continue;
    const auto a = at_(k), b = at_((k + 1) % f.count);
    attempt(Held{By::corner, f.at[a], Vec3::Zero(), {f.id[a], f.id[a]}});
    if (edges == 0) continue;
    attempt(Held{By::corner, f.at[b], Vec3::Zero(), {f.id[b], f.id[b]}});
    const auto [first, last] = std::minmax(f.id[a], f.id[b]);
    attempt(Held{By::edge, f.at[a], (f.at[b] - f.at[a]).normalized(), {first, last}});
  }
}

constexpr double kApart = 1e-5;   // of the size: from there on the search finds the direction
constexpr double kPulled = 1e-3;  // of the size: what overlaps is looked at from so far apart
constexpr int kPulls = 20;

/// Where cores touch or overlap the search for a polytope's nearest side may end early. Along each
/// direction n they come apart by a shift of -g(n); so shifted, and a little more, they are nearest
/// by a direction with a greater g, or the same.
Nearest pulled_apart(const Convex& A, const Convex& B, Nearest c, double size) {
  for (int i = 0; i < kPulls; ++i) {
    const double g = c.n.dot(support(B, -c.n).p - support(A, c.n).p);
    const Vec3 shift = (kPulled * size - g) * c.n, before = c.n;
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
  const Couple pair = is_smooth(A) ? Couple{A, B, 1} : Couple{B, A, -1};
  const Vec3 from = pair.sign * rough.n;
  const std::array<int, 2>& ends = pair.sign > 0 ? rough.b : rough.a;
  Nearest best = answer(pair, ends, from);
  const auto take = [&](const std::array<int, 2>& of, const Vec3& m) {
    const double rounding = best.n == rough.n ? 1e-14 * size : 0;
    if ((m - from).norm() < 0.05 && gap_along(pair, m) >= best.gap - rounding)
      best = answer(pair, of, m);
  };
  const auto attempt = [&](const Held* held) {
    Vec3 m = from;
    if (solve(pair, held, m)) take(held ? held->ends : std::array<int, 2>{}, m);
  };
  if (is_smooth(pair.other)) {
    attempt(nullptr);
    return best;
  }
  for_each_held(pair.other, from, pair.sign > 0 ? rough.p_B : rough.p_A,
                [&](const Held& held) { attempt(&held); });
  return best;
}

}  // namespace

Nearest nearest_of_smooth(const Convex& A, const Convex& B, double margin, double size) {
  Nearest c = nearest(A, B, margin);
  if (c.gap > margin) return c;
  if (!(c.gap > kApart * size)) c = pulled_apart(A, B, c, size);
  return exact(A, B, c, size);
}

}  // namespace trammel::contact

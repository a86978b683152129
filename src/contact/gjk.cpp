#include "contact/gjk.h"

#include <algorithm>
#include <cmath>

#include "contact/expand.h"
#include "contact/point.h"

/// The distance between convex sets: Gilbert, Johnson, Keerthi (1988), on the set of differences
/// a - b, with the nearest point of a simplex found by regions (Ericson, Real-Time Collision
/// Detection, 5.1).
namespace trammel::contact {

namespace {

struct Simplex {
  int count = 0;
  std::array<Corner, 4> at;
  std::array<double, 4> weight = {};
};

Vec3 value(const Simplex& s) {
  Vec3 v = Vec3::Zero();
  for (int i = 0; i < s.count; ++i) v += s.weight[at_(i)] * s.at[at_(i)].w;
  return v;
}

void keep(Simplex& s, std::initializer_list<int> which, std::initializer_list<double> weight) {
  Simplex out;
  auto w = weight.begin();
  for (const int i : which) {
    out.at[at_(out.count)] = s.at[at_(i)];
    out.weight[at_(out.count++)] = *w++;
  }
  s = out;
}

void nearest_of_edge(Simplex& s) {
  const Vec3 &a = s.at[0].w, ab = s.at[1].w - a;
  const double t = -a.dot(ab), length = ab.squaredNorm();
  if (t <= 0) return keep(s, {0}, {1});
  if (t >= length) return keep(s, {1}, {1});
  keep(s, {0, 1}, {1 - t / length, t / length});
}

void nearest_of_triangle(Simplex& s) {
  const Vec3 &a = s.at[0].w, &b = s.at[1].w, &c = s.at[2].w;
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -ab.dot(a), d2 = -ac.dot(a);
  if (d1 <= 0 && d2 <= 0) return keep(s, {0}, {1});
  const double d3 = -ab.dot(b), d4 = -ac.dot(b);
  if (d3 >= 0 && d4 <= d3) return keep(s, {1}, {1});
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return keep(s, {0, 1}, {1 - d1 / (d1 - d3), d1 / (d1 - d3)});
  const double d5 = -ab.dot(c), d6 = -ac.dot(c);
  if (d6 >= 0 && d5 <= d6) return keep(s, {2}, {1});
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return keep(s, {0, 2}, {1 - d2 / (d2 - d6), d2 / (d2 - d6)});
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return keep(s, {1, 2}, {1 - t, t});
  }
  const double sum = va + vb + vc;
  s.weight = {va / sum, vb / sum, vc / sum, 0};
}

/// False: the origin is within.
bool nearest_of_tetrahedron(Simplex& s) {
  constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  Simplex best;
  double least = 1e300;
  bool outside = false;
  for (const auto& f : kFaces) {
    const Vec3 &a = s.at[at_(f[0])].w, &b = s.at[at_(f[1])].w, &c = s.at[at_(f[2])].w;
    const Vec3 n = (b - a).cross(c - a);
    const double own = n.dot(s.at[at_(f[3])].w - a), origin = -n.dot(a);
    if (own * origin > 0) continue;  // the origin is on the inner side
    outside = true;
    Simplex face;
    face.count = 3;
    for (int i = 0; i < 3; ++i) face.at[at_(i)] = s.at[at_(f[i])];
    nearest_of_triangle(face);
    if (const double d = value(face).squaredNorm(); d < least) least = d, best = face;
  }
  if (outside) s = best;
  return outside;
}

bool reduce(Simplex& s) {
  if (s.count == 1) s.weight[0] = 1;
  if (s.count == 2) nearest_of_edge(s);
  if (s.count == 3) nearest_of_triangle(s);
  return s.count < 4 || nearest_of_tetrahedron(s);
}

bool is_known(const Simplex& s, const Vec3& w) {
  for (int i = 0; i < s.count; ++i)
    if (s.at[at_(i)].w == w) return true;
  return false;
}

/// The ends of what the corners of one side span.
std::array<int, 2> span_of(const Simplex& s, int Corner::*side) {
  std::array<int, 4> ids = {};
  for (int i = 0; i < s.count; ++i) ids[at_(i)] = s.at[at_(i)].*side;
  std::sort(ids.begin(), ids.begin() + s.count);
  const auto end = std::unique(ids.begin(), ids.begin() + s.count);
  if (end - ids.begin() > 2) return {kFace, kFace};
  return {ids[0], *(end - 1)};
}

Nearest answer(const Simplex& s, const Vec3& v) {
  Nearest out;
  for (int i = 0; i < s.count; ++i) {
    out.p_A += s.weight[at_(i)] * s.at[at_(i)].a;
    out.p_B += s.weight[at_(i)] * s.at[at_(i)].b;
  }
  out.gap = v.norm();
  if (out.gap > 0) out.n = -v / out.gap;
  out.a = span_of(s, &Corner::id_A);
  out.b = span_of(s, &Corner::id_B);
  return out;
}

/// The nearest points of cores that lie apart; gap 0: they do not, or hardly.
Nearest apart(const Convex& A, const Convex& B, double size, double margin) {
  Simplex s;
  Vec3 v = middle(A) - middle(B);
  if (v.squaredNorm() == 0) v = Vec3::UnitX();
  double before = 1e300;
  const bool is_round = is_curved(A) || is_curved(B);
  const double enough = is_round ? 1e-9 : 1e-15;  // round ones: direction.cpp
  Simplex last;
  Vec3 v_last = v;
  for (int i = 0; i < 100; ++i) {
    const Corner c = corner(A, B, -v);
    const double vv = v.squaredNorm(), ahead = v.dot(c.w);
    if (ahead > 0 && ahead * ahead > margin * margin * vv * (1 + 1e-9) && margin < 1e200)
      return {.n = -v / std::sqrt(vv), .gap = ahead / std::sqrt(vv)};
    if (s.count > 0 &&
        (is_known(s, c.w) || vv - ahead <= enough * vv + 1e-17 * std::sqrt(vv) * size))
      break;
    last = s;
    v_last = v;
    s.at[at_(s.count++)] = c;
    if (!reduce(s)) return {};
    v = value(s);
    const double now = v.squaredNorm();
    if (now >= before) {
      s = last;
      v = v_last;
      break;
    }
    before = now;
    if (now <= 1e-24 * size * size) return {};
  }
  return answer(s, v);
}

}  // namespace

double parted_along(const Convex& A, const Convex& B, const Vec3& n) {
  return n.dot(support(B, -n).p - support(A, n).p);
}

Nearest nearest(const Convex& A, const Convex& B, double margin) {
  const double size = scale(A) + scale(B);
  const Nearest far = apart(A, B, size, margin);
  if (far.gap > 1e-5 * size) return far;
  // nearer, the direction between the points is rounding's to 1e-16 size / gap: that of the face or
  // the edges is exact, where it keeps them as far apart, or farther than the other really does
  const Nearest near = expanded(A, B, size);
  const bool less = near.gap < far.gap * (1 - 1e-8) - 1e-15 * size;
  if (far.gap > 0 && less && near.gap < parted_along(A, B, far.n)) return far;
  return near;
}

}  // namespace trammel::contact

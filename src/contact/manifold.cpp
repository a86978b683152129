#include "contact/manifold.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trammel::contact {

namespace {

/// Seen along n: axes across it, and faces as polygons there.
struct View {
  Vec3 t, s, n;
};

View view_along(const Vec3& n) {
  View v;
  v.n = n;
  const Vec3 a = std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
  v.t = n.cross(a).normalized();
  v.s = n.cross(v.t);
  return v;
}

struct Flat {
  double x, y;
};

double cross(const Flat& a, const Flat& b) { return a.x * b.y - a.y * b.x; }
Flat operator-(const Flat& a, const Flat& b) { return {a.x - b.x, a.y - b.y}; }

/// A corner of what faces share: `edge` is that it leaves along: of B's polygon from 0, of A's -1 -
/// i.
struct Cut {
  Flat at;
  int edge;
};

/// A part of the size of faces: corners so near an edge count as on it, so that the features of
/// what stands flush on each other stay the same under small motion.
constexpr double kSame = 1e-7;

constexpr int kCuts = 2 * Feature::kMost + 4;
struct Cuts {
  int count = 0;
  std::array<Cut, kCuts> at;
  void add(const Flat& p, int edge) {
    if (count < kCuts) at[at_(count++)] = {p, edge};
  }
};

/// A feature seen along n, counterclockwise about it.
struct Outline {
  int count = 0;
  std::array<Flat, Feature::kMost> at;
};

Outline outline_of(const Feature& f, const View& v) {
  Outline out;
  out.count = f.count;
  for (int i = 0; i < f.count; ++i) out.at[at_(i)] = {v.t.dot(f.at[at_(i)]), v.s.dot(f.at[at_(i)])};
  return out;
}

void reverse(Feature& f) {
  std::reverse(f.at.begin(), f.at.begin() + f.count);
  std::reverse(f.id.begin(), f.id.begin() + f.count);
}

Flat between(const Flat& a, const Flat& b, double da, double db) {
  const double t = da / (da - db);
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/// Leaves of `in` what is left of edge i of a polygon. What is `same` as on it stays.
void cut_by(const Outline& by, int i, const Cuts& in, double same, Cuts& out) {
  const Flat &a = by.at[at_(i)], &b = by.at[at_(i + 1 < by.count ? i + 1 : 0)];
  const Flat side = b - a;
  const double length = std::sqrt(side.x * side.x + side.y * side.y);
  out.count = 0;
  if (length == 0) {
    for (int k = 0; k < in.count; ++k) out.add(in.at[at_(k)].at, in.at[at_(k)].edge);
    return;
  }
  const Flat along = {side.x / length, side.y / length};
  const auto inside = [&](const Cut& c) {
    const double d = cross(along, c.at - a);
    return std::abs(d) <= same ? 0 : d;
  };
  double d = in.count > 0 ? inside(in.at[0]) : 0;
  const double first = d;
  for (int k = 0; k < in.count; ++k) {
    const Cut &here = in.at[at_(k)], &next = in.at[at_(k + 1 < in.count ? k + 1 : 0)];
    const double d_next = k + 1 < in.count ? inside(next) : first;
    if (d >= 0) out.add(here.at, d == 0 && d_next < 0 ? -1 - i : here.edge);
    if (d > 0 && d_next < 0) out.add(between(here.at, next.at, d, d_next), -1 - i);
    if (d < 0 && d_next > 0) out.add(between(here.at, next.at, d, d_next), here.edge);
    d = d_next;
  }
}

/// How high a plane stands along n over a place of the view.
class Height {
 public:
  Height(const Feature& f, const View& v) {
    const double up = f.normal.dot(v.n);
    at_origin_ = f.normal.dot(f.at[0]) / up;
    x_ = -f.normal.dot(v.t) / up;
    y_ = -f.normal.dot(v.s) / up;
  }
  double operator()(const Flat& p) const { return at_origin_ + x_ * p.x + y_ * p.y; }

 private:
  double at_origin_, x_, y_;
};

struct Sides {
  const Convex &A, &B;
  double margin;
  std::vector<Point>& out;
  double least = std::numeric_limits<double>::infinity();

  /// Whether a point is within the margin.
  bool counts(double h_A, double h_B) {
    const double gap = h_B - h_A - A.radius - B.radius;
    least = std::min(least, gap);
    return gap <= margin;
  }
  void add(std::int64_t feature, const View& v, const Flat& p, double h_A, double h_B) {
    const double gap = h_B - h_A - A.radius - B.radius;
    const Vec3 across = p.x * v.t + p.y * v.s;
    out.push_back({0, 0, feature, across + (h_A + A.radius) * v.n, across + (h_B - B.radius) * v.n,
                   v.n, gap});
  }
};

std::int64_t name(const Feature& a, const Feature& b, int edge_in, int edge_out) {
  const auto corner_a = [&](int i) { return a.id[at_((i + a.count) % a.count)]; };
  const auto corner_b = [&](int i) { return b.id[at_((i + b.count) % b.count)]; };
  if (edge_in >= 0 && edge_out >= 0) {  // a corner of B
    const int id = corner_b(edge_out);
    return feature_of(kFace, kFace, id, id);
  }
  if (edge_in < 0 && edge_out < 0) {
    const int id = corner_a(-1 - edge_out);
    return feature_of(id, id, kFace, kFace);
  }
  const int i = edge_in < 0 ? -1 - edge_in : -1 - edge_out;
  const int j = edge_in < 0 ? edge_out : edge_in;
  const auto [a1, a2] = std::minmax({corner_a(i), corner_a(i + 1)});
  const auto [b1, b2] = std::minmax({corner_b(j), corner_b(j + 1)});
  return feature_of(a1, a2, b1, b2);
}

/// The name of an end of the line that is all that faces share, where an edge of B just reaches
/// over one of A: a corner of B.
std::int64_t name_on_line(const Feature& b, int edge_in, int edge_out) {
  const int id = b.id[at_((edge_out >= 0 ? edge_out : edge_in + 1) % b.count)];
  return feature_of(kFace, kFace, id, id);
}

double size_of(const Outline& o) {
  double size = 0;
  for (int i = 0; i < o.count; ++i)
    size = std::max(
        {size, std::abs(o.at[at_(i)].x - o.at[0].x), std::abs(o.at[at_(i)].y - o.at[0].y)});
  return size;
}

/// Whether it has no extent.
bool is_a_place(const Cuts& cuts, double same) {
  for (int k = 1; k < cuts.count; ++k) {
    const Flat d = cuts.at[at_(k)].at - cuts.at[0].at;
    if (std::abs(d.x) + std::abs(d.y) > 2 * same) return false;
  }
  return true;
}

/// The foot of p on edge i of a polygon.
Flat on_edge(const Outline& o, int i, const Flat& p) {
  const Flat &from = o.at[at_(i)], side = o.at[at_(i + 1 < o.count ? i + 1 : 0)] - from;
  const Flat d = p - from;
  const double t = (d.x * side.x + d.y * side.y) / (side.x * side.x + side.y * side.y);
  return {from.x + t * side.x, from.y + t * side.y};
}

/// Faces share a line alone, where an edge of B just reaches over one of A, as near as counts as
/// on it: its ends are on the edge of that which looks less along n, as a face would just go on.
void on_line(const Feature& a, const Feature& b, const Outline& oa, const Cuts& cuts, const View& v,
             Sides& sides) {
  const Height on_a(a, v), on_b(b, v);
  const bool on_edge_of_a = a.normal.dot(v.n) < -b.normal.dot(v.n);
  for (int k = 0; k < 2; ++k) {
    const int out = cuts.at[at_(k)].edge, in = cuts.at[at_(1 - k)].edge;
    const Flat& corner = cuts.at[at_(k)].at;
    const Flat at = on_edge_of_a ? on_edge(oa, -1 - std::min(in, out), corner) : corner;
    const double h_A = on_a(at), h_B = on_b(at);
    if (sides.counts(h_A, h_B)) sides.add(name_on_line(b, in, out), v, at, h_A, h_B);
  }
}

/// Both are faces.
void face_on_face(const Feature& a, const Feature& b, const View& v, Sides& sides) {
  const Outline oa = outline_of(a, v), ob = outline_of(b, v);
  Cuts room[2];
  for (int i = 0; i < ob.count; ++i) room[0].add(ob.at[at_(i)], i);
  const double same = kSame * (size_of(oa) + size_of(ob));
  for (int i = 0; i < oa.count; ++i) cut_by(oa, i, room[i % 2], same, room[(i + 1) % 2]);
  const Cuts& cuts = room[oa.count % 2];
  if (is_a_place(cuts, same)) return;  // the nearest points say it better
  if (cuts.count == 2 && (cuts.at[0].edge < 0) != (cuts.at[1].edge < 0))
    return on_line(a, b, oa, cuts, v, sides);
  const Height on_a(a, v), on_b(b, v);
  const auto last = [&](int k) { return (k > 0 ? k : cuts.count) - 1; };
  const auto gap = [&](int k) { return on_b(cuts.at[at_(k)].at) - on_a(cuts.at[at_(k)].at); };
  std::array<int, kCuts> kept;  // of corners that are the same the nearest
  int n = 0;
  for (int k = 0; k < cuts.count; ++k) {
    const Flat step = cuts.at[at_(k)].at - cuts.at[at_(last(k))].at;
    if (n == 0 || std::abs(step.x) + std::abs(step.y) > 2 * same)
      kept[at_(n++)] = k;
    else if (gap(k) < gap(kept[at_(n - 1)]))
      kept[at_(n - 1)] = k;
  }
  for (int i = 0; i < n; ++i) {
    const int k = kept[at_(i)];
    const Flat& here = cuts.at[at_(k)].at;
    const std::int64_t feature = name(a, b, cuts.at[at_(last(k))].edge, cuts.at[at_(k)].edge);
    if (sides.counts(on_a(here), on_b(here))) sides.add(feature, v, here, on_a(here), on_b(here));
  }
}

/// Part of an edge that lies on a face: two points.
void edge_on_face(const Feature& edge, const Feature& face, bool edge_is_a, const View& v,
                  Sides& sides) {
  const Outline oe = outline_of(edge, v), of = outline_of(face, v);
  const Height on_face(face, v);
  const Flat along = oe.at[1] - oe.at[0];
  double from = 0, to = 1;
  int cut_from = -1, cut_to = -1;
  for (int i = 0; i < of.count; ++i) {
    const Flat side = of.at[at_((i + 1) % of.count)] - of.at[at_(i)];
    const double d0 = cross(side, oe.at[0] - of.at[at_(i)]), rate = cross(side, along);
    const double rounding = kSame * std::hypot(side.x, side.y) * size_of(of);
    if (d0 >= -rounding && d0 + rate >= -rounding) continue;
    if (rate > 0 && -d0 / rate > from) from = -d0 / rate, cut_from = i;
    if (rate < 0 && -d0 / rate < to) to = -d0 / rate, cut_to = i;
    if (d0 < -rounding && d0 + rate < -rounding) return;
  }
  const double size = size_of(of), extent = std::abs(along.x) + std::abs(along.y);
  if ((cut_from >= 0 || cut_to >= 0) && (to - from) * extent <= 2 * kSame * size) return;
  const auto add = [&](double t, int cut, int end) {
    const Flat p = {oe.at[0].x + t * along.x, oe.at[0].y + t * along.y};
    const double h0 = v.n.dot(edge.at[0]), h1 = v.n.dot(edge.at[1]);
    const double h = end == 0 && cut < 0 ? h0 : end == 1 && cut < 0 ? h1 : h0 + t * (h1 - h0);
    int e1 = edge.id[at_(end)], e2 = e1, f1 = kFace, f2 = kFace;
    if (cut >= 0) {
      e1 = std::min(edge.id[0], edge.id[1]), e2 = std::max(edge.id[0], edge.id[1]);
      f1 = face.id[at_(cut)], f2 = face.id[at_((cut + 1) % face.count)];
      if (f1 > f2) std::swap(f1, f2);
    }
    const double h_f = on_face(p);
    if (!(edge_is_a ? sides.counts(h, h_f) : sides.counts(h_f, h))) return;
    if (edge_is_a)
      sides.add(feature_of(e1, e2, f1, f2), v, p, h, h_f);
    else
      sides.add(feature_of(f1, f2, e1, e2), v, p, h_f, h);
  };
  add(from, cut_from, 0);
  add(to, cut_to, 1);
}

constexpr double kOnLine = 1e-3;  // sine of the angle to which lines lie on each other

/// Lines that lie on each other, as those of two cylinders side by side: the ends of what they
/// share.
void edge_on_edge(const Feature& a, const Feature& b, const View& v, Sides& sides) {
  const Outline oa = outline_of(a, v), ob = outline_of(b, v);
  const Flat along_a = oa.at[1] - oa.at[0], along_b = ob.at[1] - ob.at[0];
  const double length = std::hypot(along_a.x, along_a.y), other = std::hypot(along_b.x, along_b.y);
  if (!(length > 0) || !(other > 0)) return;
  const Flat e = {along_a.x / length, along_a.y / length};
  const auto place = [&](const Flat& p) {
    return e.x * (p.x - oa.at[0].x) + e.y * (p.y - oa.at[0].y);
  };
  if (std::abs(cross(e, along_b)) > kOnLine * other) return;
  if (std::abs(cross(e, ob.at[0] - oa.at[0])) > kOnLine * (length + other)) return;
  const double s0 = place(ob.at[0]), s1 = place(ob.at[1]);
  const double from = std::max(0., std::min(s0, s1)), to = std::min(length, std::max(s0, s1));
  if (to - from <= 2 * kSame * (length + other)) return;
  const auto [a1, a2] = std::minmax({a.id[0], a.id[1]});
  const auto [b1, b2] = std::minmax({b.id[0], b.id[1]});
  for (const double t : {from, to}) {
    const double of_a = t / length, of_b = (t - s0) / (s1 - s0);
    const Flat p = {0.5 * (oa.at[0].x + t * e.x + ob.at[0].x + of_b * along_b.x),
                    0.5 * (oa.at[0].y + t * e.y + ob.at[0].y + of_b * along_b.y)};
    const double h_A = v.n.dot(a.at[0] + of_a * (a.at[1] - a.at[0]));
    const double h_B = v.n.dot(b.at[0] + of_b * (b.at[1] - b.at[0]));
    if (!sides.counts(h_A, h_B)) continue;
    const bool ends_a = t == 0 || t == length;
    const int end = ends_a ? a.id[t == 0 ? 0 : 1] : b.id[t == s0 ? 0 : 1];
    sides.add(ends_a ? feature_of(end, end, b1, b2) : feature_of(a1, a2, end, end), v, p, h_A, h_B);
  }
}

}  // namespace

double add_points(const Convex& A, const Convex& B, const Vec3& n, double margin,
                  std::vector<Point>& out) {
  Feature a, b;
  feature(A, n, a);
  feature(B, -n, b);
  const View v = view_along(n);
  Sides sides{A, B, margin, out};
  if (a.count > 2 && a.normal.dot(n) < 0.05) return sides.least;
  if (b.count > 2 && -b.normal.dot(n) < 0.05) return sides.least;
  if (a.count > 2 && b.count > 2) {
    reverse(b);
    face_on_face(a, b, v, sides);
  } else if (a.count > 2 && b.count == 2) {
    edge_on_face(b, a, false, v, sides);
  } else if (a.count == 2 && b.count > 2) {
    reverse(b);
    edge_on_face(a, b, true, v, sides);
  } else if (a.count == 2 && b.count == 2) {
    edge_on_edge(a, b, v, sides);
  }
  return sides.least;
}

void add_points_on_plane(const Vec3& origin, const Vec3& n, const Convex& B, double margin,
                         std::vector<Point>& out) {
  Feature b;
  feature(B, -n, b);
  for (int i = 0; i < b.count; ++i) {
    const double gap = n.dot(b.at[at_(i)] - origin) - B.radius;
    if (gap > margin) continue;
    const int id = b.id[at_(i)];
    const Vec3 p_B = b.at[at_(i)] - B.radius * n;
    out.push_back({0, 0, feature_of(kFace, kFace, id, id), p_B - gap * n, p_B, n, gap});
  }
}

}  // namespace trammel::contact

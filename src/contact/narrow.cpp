#include "contact/narrow.h"

#include <cmath>

#include "contact/direction.h"
#include "contact/flush.h"
#include "contact/gjk.h"
#include "contact/hull.h"
#include "contact/manifold.h"

namespace trammel::contact {

namespace {

using Core = Convex::Core;

/// A point of the cores, with the layers about them.
void add_layered(const Convex& A, const Convex& B, const Nearest& c, double margin,
                 std::vector<Point>& out) {
  const double gap = c.gap - A.radius - B.radius;
  if (gap > margin) return;
  out.push_back({0, 0, feature_of(c.a[0], c.a[1], c.b[0], c.b[1]), c.p_A + A.radius * c.n,
                 c.p_B - B.radius * c.n, c.n, gap});
}

/// Points of one direction and, where faces share nothing there, the point that is nearest.
void add_with(const Convex& A, const Convex& B, const Nearest& c, double margin,
              std::vector<Point>& out) {
  const double size = scale(A) + scale(B);
  const double least = add_points(A, B, c.n, margin, out);
  if (!(least <= c.gap - A.radius - B.radius + 1e-9 * size)) add_layered(A, B, c, margin, out);
}

Nearest from_points(const Vec3& p, const Vec3& q) {
  Nearest out;
  out.p_A = p;
  out.p_B = q;
  out.gap = (q - p).norm();
  if (out.gap > 0) out.n = (q - p) / out.gap;
  return out;
}

/// The point of a solid of revolution's outline, by radius and height, nearest to one of these.
struct Outlined {
  double r, z, n_r, n_z, gap;
};

void take_nearer(const Vec3& size, int part, double r, double z, Outlined& best) {
  // parts: bottom, side, top, each from its first end to its second, outside to the right
  const double ends[3][4] = {{0, -size[1], size[0], -size[1]},
                             {size[0], -size[1], size[2], size[1]},
                             {size[2], size[1], 0, size[1]}};
  const double* e = ends[part];
  const double dr = e[2] - e[0], dz = e[3] - e[1], length = std::hypot(dr, dz);
  if (length == 0) return;
  const double n_r = dz / length, n_z = -dr / length;
  const double along = ((r - e[0]) * dr + (z - e[1]) * dz) / (length * length);
  const double t = std::fmin(1, std::fmax(0, along));
  const double q_r = e[0] + t * dr, q_z = e[1] + t * dz;
  const double far = std::hypot(r - q_r, z - q_z);
  if (far < best.gap) best = {q_r, q_z, n_r, n_z, far};
}

/// From the surface of a round solid to a point.
Nearest round_to_point(const Convex& A, const Vec3& at) {
  const Vec3 p = A.X.R.transpose() * (at - A.X.p);
  const double r = std::hypot(p.x(), p.y()), z = p.z();
  const Vec3 out = r > 0 ? Vec3(p.x() / r, p.y() / r, 0) : Vec3(Vec3::UnitX());
  const double slope = (A.size[2] - A.size[0]) / (2 * A.size[1]);
  const bool inside = std::abs(z) <= A.size[1] && r <= A.size[0] + slope * (z + A.size[1]);
  Outlined best{0, 0, 1, 0, 1e300};
  for (const int part : {0, 2, 1}) take_nearer(A.size, part, r, z, best);
  Nearest c;
  c.p_A = A.X.p + A.X.R * (best.r * out + Vec3(0, 0, best.z));
  c.p_B = at;
  Vec3 n = best.n_r * out + Vec3(0, 0, best.n_z);
  if (!inside && best.gap > 0) n = ((r - best.r) * out + Vec3(0, 0, z - best.z)) / best.gap;
  c.n = A.X.R * n;
  c.gap = inside ? -best.gap : best.gap;
  return c;
}

/// From the surface of a box to a point.
Nearest box_to_point(const Convex& A, const Vec3& at) {
  const Vec3 p = A.X.R.transpose() * (at - A.X.p);
  const Vec3 q = p.cwiseMin(A.size).cwiseMax(-A.size);
  if (q != p) return from_points(A.X.p + A.X.R * q, at);
  int k = 0;
  const double depth = (A.size - p.cwiseAbs()).minCoeff(&k);
  Vec3 on = p, n = Vec3::Zero();
  n[k] = p[k] < 0 ? -1 : 1;
  on[k] = n[k] * A.size[k];
  Nearest c;
  c.p_A = A.X.p + A.X.R * on;
  c.p_B = at;
  c.n = A.X.R * n;
  c.gap = -depth;
  return c;
}

/// `end`: that which is nearest, or -1.
Nearest segment_to_point(const Convex& A, const Vec3& at, int& end) {
  const Vec3 axis = A.X.R.col(2);
  const double along = axis.dot(at - A.X.p), half = A.size.z();
  end = along >= half ? 1 : along <= -half ? 0 : -1;
  Nearest c = from_points(A.X.p + (end < 0 ? along : end > 0 ? half : -half) * axis, at);
  if (c.gap == 0) c.n = A.X.R.col(0);
  return c;
}

/// B is a sphere.
void touch_sphere(const Convex& A, const Convex& B, double margin, std::vector<Point>& out) {
  Nearest c;
  int end = 0;
  if (A.core == Core::point)
    c = from_points(A.X.p, B.X.p);
  else if (A.core == Core::segment)
    c = segment_to_point(A, B.X.p, end);
  else if (A.core == Core::box)
    c = box_to_point(A, B.X.p);
  else if (A.core == Core::round)
    c = round_to_point(A, B.X.p);
  else
    c = nearest(A, B, 1e300);
  c.a = {kFace, kFace};
  c.b = {0, 0};
  add_layered(A, B, c, margin, out);
}

/// Capsules: each end against the other's line, and where they cross. Each point has a direction of
/// its own.
void touch_segments(const Convex& A, const Convex& B, double margin, std::vector<Point>& out) {
  const Vec3 u = A.X.R.col(2), v = B.X.R.col(2), d = B.X.p - A.X.p;
  const double uv = u.dot(v), sine2 = u.cross(v).squaredNorm();
  const double s = sine2 > 1e-6 ? (d.dot(u) - uv * d.dot(v)) / sine2 : 1e300;
  const double t = sine2 > 1e-6 ? (uv * d.dot(u) - d.dot(v)) / sine2 : 1e300;
  if (std::abs(s) < A.size.z() && std::abs(t) < B.size.z()) {
    Nearest c = from_points(A.X.p + s * u, B.X.p + t * v);
    const Vec3 n = u.cross(v) / std::sqrt(sine2);
    if (c.gap < 1e-5 * (A.radius + B.radius)) c.n = n.dot(d) < 0 ? Vec3(-n) : n;
    c.a = c.b = {0, 1};
    add_layered(A, B, c, margin, out);
    if (sine2 > 0.01) return;  // ends of what clearly crosses are no neighbours
  }
  for (const int end : {0, 1}) {
    int other = 0, back = 0;
    Nearest c = segment_to_point(A, B.X.p + (end ? 1 : -1) * B.size.z() * v, other);
    if (other >= 0) segment_to_point(B, A.X.p + (other ? 1 : -1) * A.size.z() * u, back);
    if (other >= 0 && back != end) continue;  // two ends count where each is the other's nearest
    c.a = other >= 0 ? std::array{other, other} : std::array{0, 1};
    c.b = {end, end};
    add_layered(A, B, c, margin, out);
  }
  for (const int end : {0, 1}) {
    int other = 0;
    Nearest c = segment_to_point(B, A.X.p + (end ? 1 : -1) * A.size.z() * u, other);
    if (other >= 0) continue;  // two ends: found already
    std::swap(c.p_A, c.p_B);
    c.n = -c.n;
    c.a = {end, end};
    c.b = {0, 1};
    add_layered(A, B, c, margin, out);
  }
}

/// Normals of faces of a core that meet at what is farthest along d.
int normals_about(const Convex& c, const Vec3& d, std::array<Vec3, 16>& out) {
  int n = 0;
  switch (c.core) {
    case Core::box:
      for (int k = 0; k < 3; ++k)
        out[at(n++)] = c.X.R.col(k) * (d.dot(c.X.R.col(k)) < 0 ? -1.0 : 1.0);
      break;
    case Core::round:
      out[at(n++)] = c.X.R.col(2) * (d.dot(c.X.R.col(2)) < 0 ? -1.0 : 1.0);
      break;
    case Core::hull:
      for (const int i : c.hull->around[at(support(c, d).id)])
        if (n < count(out)) out[at(n++)] = c.X.R * c.hull->normals[at(i)];
      break;
    default:
      break;
  }
  return n;
}

constexpr double kFlush = 1e-3;     // parts of the size that faces on each other may lie apart
constexpr double kParallel = 2e-4;  // 1 - cosine of the angle between them, 0.02

/// Where one face all but lies on another, their edges and corners may be nearest along any
/// direction while the faces carry: what the faces share is taken then, along the normal that parts
/// best. True: it was so.
bool add_faces(const Convex& A, const Convex& B, const Vec3& n, double gap, double margin,
               std::vector<Point>& out) {
  const double near = kFlush * (scale(A) + scale(B));
  if (std::abs(gap) > near) return false;
  std::array<Vec3, 16> a, b;
  const int n_a = normals_about(A, n, a), n_b = normals_about(B, -n, b);
  double most = 0.05;
  int i_best = -1, j_best = -1;
  for (int i = 0; i < n_a; ++i)
    for (int j = 0; j < n_b; ++j)
      if (a[at(i)].dot(b[at(j)]) < kParallel - 1 && a[at(i)].dot(n) > most) {
        most = a[at(i)].dot(n);
        i_best = i, j_best = j;
      }
  if (i_best < 0) return false;
  const double along_a = parted_along(A, B, a[at(i_best)]),
               along_b = parted_along(A, B, -b[at(j_best)]);
  const Vec3 m = along_b > along_a + 1e-9 * near ? Vec3(-b[at(j_best)]) : a[at(i_best)];
  const std::size_t before = out.size();
  const double least = add_points(A, B, m, margin, out);
  if (std::max(along_a, along_b) >= gap - near && least <= gap - A.radius - B.radius + near)
    return true;
  out.resize(before);
  return false;
}

void touch_boxes(const Convex& A, const Convex& B, double margin, std::vector<Point>& out) {
  Vec3 n;
  double gap = 0;
  bool edges = false;
  const double near = kFlush * (scale(A) + scale(B));  // add_faces finds what is as much nearer
  if (!box_axis(A, B, margin + near, n, gap, edges)) return;
  if (edges && add_faces(A, B, n, gap, margin, out)) return;
  const std::size_t before = out.size();
  const double least = add_points(A, B, n, margin, out);
  if (least <= gap + 1e-12 * (A.size.sum() + B.size.sum())) return;
  // a plane parts them, but they are nearest elsewhere: corners or edges
  out.resize(before);
  if (!edges && add_faces(A, B, n, gap, margin, out)) return;
  add_with(A, B, nearest(A, B, margin + near), margin, out);
}

/// Round ones that lie flat or on their side touch along axes and normals: nothing else has to be
/// looked for. False: they do not, or are deep enough in each other for another way out to be
/// shorter.
bool touch_flush(const Convex& A, const Convex& B, double far_off, double margin,
                 std::vector<Point>& out) {
  const double size = scale(A) + scale(B);
  const Nearest c = flush(A, B);
  if (c.gap > far_off) return true;
  if (c.gap < -0.02 * size) return false;
  const std::size_t before = out.size();
  const double least = add_points(A, B, c.n, margin, out) + A.radius + B.radius;
  // of lines a little askew the end that is nearest may lie beside the other line
  const bool lines = A.core == B.core && std::abs(c.n.dot(A.X.R.col(2))) < 1e-6;
  if (least <= c.gap + (lines ? 1e-5 : 1e-12) * size) return true;
  out.resize(before);
  return false;
}

void touch_any(const Convex& A, const Convex& B, double margin, std::vector<Point>& out) {
  const double size = scale(A) + scale(B);
  const double far_off = margin + A.radius + B.radius + kFlush * size;  // add_faces finds nearer
  const bool is_round = A.core == Core::round || B.core == Core::round;
  if (is_round && !is_smooth(A) && !is_smooth(B) && touch_flush(A, B, far_off, margin, out)) return;
  const bool smooth = is_smooth(A) || is_smooth(B);
  const Nearest c =
      smooth || is_round ? nearest_by_direction(A, B, far_off, size) : nearest(A, B, far_off);
  if (c.gap > far_off) return;
  if (smooth) return add_layered(A, B, c, margin, out);
  if (add_faces(A, B, c.n, c.gap, margin, out)) return;
  add_with(A, B, c, margin, out);
}

}  // namespace

void touch(const Convex& A, const Convex& B, double margin, std::vector<Point>& out) {
  const bool flip = B.core != Core::point && (A.core == Core::point || A.core > B.core);
  const Convex &one = flip ? B : A, &two = flip ? A : B;
  const std::size_t before = out.size();
  if (two.core == Core::point && !is_smooth(one))
    touch_sphere(one, two, margin, out);
  else if (one.core == Core::segment && two.core == Core::segment)
    touch_segments(one, two, margin, out);
  else if (one.core == Core::box && two.core == Core::box)
    touch_boxes(one, two, margin, out);
  else
    touch_any(one, two, margin, out);
  if (!flip) return;
  for (std::size_t i = before; i < out.size(); ++i) out[i] = swapped(out[i]);
}

}  // namespace trammel::contact

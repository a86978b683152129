#include "contact/mesh_hulls.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "contact/hull.h"
#include "contact/narrow.h"
#include "contact/surface.h"
#include "math/brief.h"

namespace trammel::contact {

namespace {

constexpr double kAlike = 1e-8;      // of the diagonal: corners that are one, and sines of planes
constexpr double kAbout = 1e-5;      // of the least extent: how far it is looked about a point
constexpr double kBackwards = -0.9;  // cosine: the way out of a neighbour leads back into the part
constexpr double kAside = 3e-5;      // sine by which a neighbour may stand out along a normal

/// Numbers of what is the same in all four numbers to within `same`.
std::vector<int> numbered(const std::vector<Eigen::Vector4d>& all, double same, int& n) {
  std::vector<int> order(all.size()), out(all.size(), -1);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return all[at(a)][0] != all[at(b)][0] ? all[at(a)][0] < all[at(b)][0] : a < b;
  });
  n = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Eigen::Vector4d& x = all[at(order[i])];
    for (std::size_t k = i; k-- > 0 && x[0] - all[at(order[k])][0] <= same;)
      if ((x - all[at(order[k])]).cwiseAbs().maxCoeff() <= same) {
        out[at(order[i])] = out[at(order[k])];
        break;
      }
    if (out[at(order[i])] < 0) out[at(order[i])] = n++;
  }
  return out;
}

/// Numbers the corners and planes of all parts. False: there are too many.
bool name_features(double diagonal, MeshHulls& hulls) {
  std::vector<Eigen::Vector4d> corners, planes;
  for (const HullPart& part : hulls.parts) {
    const Hull& hull = *part.shape.hull;
    for (const Vec3& p : hull.vertices) corners.emplace_back(p.x(), p.y(), p.z(), 0);
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      const Vec3& n = hull.normals[f];
      planes.emplace_back(n.x(), n.y(), n.z(),
                          n.dot(hull.vertices[at(hull.faces[f][0])]) / diagonal);
    }
  }
  int n_corners = 0, n_planes = 0;
  const std::vector<int> corner = numbered(corners, kAlike * diagonal, n_corners),
                         plane = numbered(planes, kAlike, n_planes);
  auto c = corner.begin(), p = plane.begin();
  for (HullPart& part : hulls.parts) {
    const auto c_end = c + count(part.shape.hull->vertices),
               p_end = p + count(part.shape.hull->faces);
    part.corner.assign(c, c_end);
    part.plane.assign(p, p_end);
    c = c_end, p = p_end;
  }
  return n_corners < kFace && n_planes < kFace;
}

void find_neighbours(double diagonal, MeshHulls& hulls) {
  const int n = count(hulls.parts);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      const Bounds &a = hulls.parts[at(i)].bounds, &b = hulls.parts[at(k)].bounds;
      const Vec3 apart = (a.middle - b.middle).cwiseAbs() - a.half - b.half;
      if (i != k && apart.maxCoeff() <= kAlike * diagonal) hulls.parts[at(i)].beside.push_back(k);
    }
}

/// How far a point is off the plane of the hull's face that it is farthest before [m], negative
/// within; and that face.
double off(const Hull& hull, const Vec3& x, int& face) {
  double most = -1e300;
  for (int f = 0; f < count(hull.faces); ++f) {
    const double d = hull.normals[at(f)].dot(x - hull.vertices[at(hull.faces[at(f)][0])]);
    if (d > most) most = d, face = f;
  }
  return most;
}

bool stands_out(const Hull& hull, const Vec3& x, const Vec3& n, double near) {
  return std::any_of(hull.vertices.begin(), hull.vertices.end(), [&](const Vec3& p) {
    return n.dot(p - x) > std::max(near, kAside * (p - x).norm());
  });
}

/// What a neighbour fills of the direction n out of a part at x: some of it, so that n is no normal
/// of the solid, or all, so that x lies on a face within it.
enum class Cover { none, some, face };

/// A part that rises over its neighbour there, as a wall over a floor, has n for its own.
Cover cover(const Hull& part, const Hull& other, const Vec3& x, const Vec3& n, double near) {
  int face = 0;
  if (off(other, x, face) > near || !stands_out(other, x, n, near)) return Cover::none;
  const double beyond = off(other, x + near * n, face);
  const Vec3& out = other.normals[at(face)];
  if (beyond < -near / 2 && out.dot(n) < kBackwards) return Cover::face;
  return off(part, x + 1.5 * near * out - near / 2 * n, face) > 0 ? Cover::some : Cover::none;
}

/// Points of one part along one direction that were left out though they overlap: the first of all
/// that is to say so where no other does.
struct LeftOut {
  brief::vector<Point> points;
  double gap = -std::numeric_limits<double>::infinity();  // the deepest [m]
  bool within = true;  // it leads out through a face within the solid, which comes last
};

/// A part of the mesh that is B of the points, which stands at X_B from their origin.
class OnePart {
 public:
  OnePart(const MeshHulls& all, const HullPart& part, const Pose& X_B)
      : all_(all), part_(part), X_(X_B) {}

  /// Of the points from `first` on, which are those of the part.
  void finish(std::size_t first, std::vector<Point>& out, LeftOut& left) const {
    std::size_t kept = first;
    for (std::size_t i = first; i < out.size(); ++i) rename(out[i]);
    for (std::size_t i = first; i < out.size();) {
      std::size_t end = i + 1;
      while (end < out.size() && out[end].n == out[i].n) ++end;
      const std::span group(out.data() + i, end - i);
      const bool shown = std::any_of(group.begin(), group.end(),
                                     [&](const Point& p) { return covers(p) == Cover::none; });
      if (!shown) leave_out(group, left);
      for (; i < end; ++i)
        if (shown) out[kept++] = out[i];
    }
    out.resize(kept);
  }

 private:
  Cover covers(const Point& p) const {
    const Vec3 x = X_.R.transpose() * (p.p_B - X_.p), n = -(X_.R.transpose() * p.n);
    const double near = kAbout * all_.least;
    Cover out = Cover::none;
    for (const int k : part_.beside)
      out = std::max(out, cover(*part_.shape.hull, *all_.parts[at(k)].shape.hull, x, n, near));
    return out;
  }

  void leave_out(std::span<const Point> group, LeftOut& left) const {
    double gap = 0;
    bool within = false;
    for (const Point& p : group) {
      gap = std::min(gap, p.gap);
      within = within || covers(p) == Cover::face;
    }
    if (gap >= 0 || std::pair(!within, gap) <= std::pair(!left.within, left.gap)) return;
    left.points.assign(group.begin(), group.end());
    left.gap = gap;
    left.within = within;
  }

  void rename(Point& p) const {
    int b1 = static_cast<int>(p.feature >> 15 & kFace), b2 = static_cast<int>(p.feature & kFace);
    if (b2 == kFace) {
      b1 = part_.plane[at(face_along(-(X_.R.transpose() * p.n)))];
    } else {
      b1 = part_.corner[at(b1)], b2 = part_.corner[at(b2)];
      if (b1 > b2) std::swap(b1, b2);
    }
    const std::int64_t of_B = (std::int64_t{1} << 30) - 1;
    p.feature = (p.feature & ~of_B) | std::int64_t{b1} << 15 | b2;
  }

  int face_along(const Vec3& n) const {
    const std::vector<Vec3>& normals = part_.shape.hull->normals;
    const auto less = [&](const Vec3& a, const Vec3& b) { return n.dot(a) < n.dot(b); };
    return static_cast<int>(std::max_element(normals.begin(), normals.end(), less) -
                            normals.begin());
  }

  const MeshHulls& all_;
  const HullPart& part_;
  const Pose X_;
};

void swap_sides(std::size_t first, auto& points) {
  for (std::size_t i = first; i < points.size(); ++i) points[i] = swapped(points[i]);
}

/// Where nothing else says that they overlap.
void add_left_out(const LeftOut& left, std::size_t first, std::vector<Point>& out) {
  const auto overlaps = [&](const Point& p) { return p.gap < left.gap / 2; };
  if (std::none_of(out.begin() + static_cast<long>(first), out.end(), overlaps))
    out.insert(out.end(), left.points.begin(), left.points.end());
}

/// Two parts, at poses from the origin of the points.
class PartPair {
 public:
  PartPair(const MeshHulls& A, const Pose& X_A, const MeshHulls& B, const Pose& X_B)
      : A_(A), B_(B), X_A_(X_A), X_B_(X_B) {}

  void touch(const HullPart& a, const HullPart& b, double margin, std::vector<Point>& out,
             LeftOut& left) const {
    Convex one = a.convex, two = b.convex;
    one.X = X_A_, two.X = X_B_;
    const std::size_t before = out.size();
    contact::touch(one, two, margin, out);
    if (out.size() == before) return;
    OnePart(B_, b, X_B_).finish(before, out, left);
    swap_sides(before, out);
    swap_sides(0, left.points);
    OnePart(A_, a, X_A_).finish(before, out, left);
    swap_sides(before, out);
    swap_sides(0, left.points);
  }

 private:
  const MeshHulls &A_, &B_;
  const Pose &X_A_, &X_B_;
};

}  // namespace

MeshHullsOrFault hulls_of(const Trimesh& mesh, double accuracy) {
  HullsOrFault made = decompose(mesh, accuracy);
  if (!made.fault.empty()) return {nullptr, made.fault};
  auto out = std::make_shared<MeshHulls>();
  out->error = made.hulls.error;
  for (const auto& hull : made.hulls.all) {
    HullPart& part = out->parts.emplace_back();
    part.shape.kind = Shape::Kind::hull;
    part.shape.hull = hull;
    part.convex = convex_of(part.shape);
    part.bounds = bounds(part.shape);
    out->least = std::max(out->least, extent(part.shape).least);
  }
  const double diagonal = diagonal_of(mesh);
  find_neighbours(diagonal, *out);
  if (!name_features(diagonal, *out))
    return {nullptr, fmt::format("has {} or more corners or faces as hulls: choose a greater "
                                 "`accuracy`",
                                 kFace)};
  return {std::move(out), {}};
}

bool stands_as_hulls(const Shape& shape, const Shape& other) {
  return is_surface(other.kind) && shape.mesh && shape.mesh->hulls;
}

void touch_hulls(const Shape& surface, const Pose& X_AB, const MeshHulls& B, double margin,
                 std::vector<Point>& out) {
  const std::size_t first = out.size();
  LeftOut left;
  for (const HullPart& part : B.parts) {
    const std::size_t before = out.size();
    touch_surface(surface, X_AB, part.convex, part.bounds, margin, out);
    OnePart(B, part, {Vec3::Zero(), X_AB.R}).finish(before, out, left);
  }
  add_left_out(left, first, out);
}

void touch_hulls(const MeshHulls& A, const Pose& X_A, const MeshHulls& B, const Pose& X_B,
                 double margin, std::vector<Point>& out) {
  const std::size_t first = out.size();
  LeftOut left;
  const PartPair pair(A, X_A, B, X_B);
  const Pose X_BA = inverse(X_B) * X_A;
  for (const HullPart& a : A.parts) {
    const Aabb box = box_of(a.bounds, X_BA, (1 + kAlike) * margin + kAlike * B.least);
    for (const HullPart& b : B.parts)
      if (overlap(box, {b.bounds.middle - b.bounds.half, b.bounds.middle + b.bounds.half}))
        pair.touch(a, b, margin, out, left);
  }
  add_left_out(left, first, out);
}

}  // namespace trammel::contact

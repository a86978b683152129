#include "contact/first_touch.h"

#include <algorithm>
#include <cmath>

#include "contact/convex.h"
#include "contact/gjk.h"
#include "contact/mesh_hulls.h"
#include "contact/narrow.h"
#include "contact/surface.h"
#include "contact/trimesh.h"

/// Conservative advancement (Mirtich 1996): in a time in which nothing can cover the distance,
/// nothing touches.
namespace trammel::contact {

namespace {

class Way {
 public:
  explicit Way(const Moving& m) : from_(m.from), v_(m.to.p - m.from.p) {
    const Eigen::AngleAxisd turn(Mat3(m.from.R.transpose() * m.to.R));
    axis_ = turn.axis();
    angle_ = turn.angle();
    if (angle_ != 0) w_ = angle_ * (m.from.R * axis_);
  }
  Pose at(double t) const {
    if (angle_ == 0) return {from_.p + t * v_, from_.R};
    return {from_.p + t * v_, from_.R * Eigen::AngleAxisd(t * angle_, axis_).toRotationMatrix()};
  }
  const Vec3& v() const { return v_; }
  double rate() const { return std::abs(angle_); }
  /// How fast a point at most `reach` from the origin comes along n.
  double turns_along(const Vec3& n, double reach) const { return w_.cross(n).norm() * reach; }

 private:
  Pose from_;
  Vec3 v_, axis_, w_ = Vec3::Zero();
  double angle_ = 0;
};

/// How far apart two shapes are along a direction, and how fast they come nearer along it at most.
struct Apart {
  double gap = 0, approach = 0;
};

/// `apart(t)` of them. The time at which they are within the accuracy of one another; nothing: not
/// on the rest of the way.
template <class Parted>
std::optional<double> advance(double t, double accuracy, const Parted& apart) {
  for (int i = 0; i < 1000000; ++i) {
    const Apart now = apart(t);
    if (now.gap <= accuracy) return t;
    // half the accuracy short of touching
    const double left = now.gap - accuracy / 2;
    if (now.approach * (1 - t) <= left) return std::nullopt;
    t += left / now.approach;
  }
  return t;  // as close as that for long: on the safe side
}

/// How far the core reaches from the origin of S: turning moves nothing of a sphere.
double reach_of(const Convex& c, const Shape& shape) {
  if (c.core != Convex::Core::triangle) return std::max(0., extent(shape).reach - c.radius);
  return std::max({c.corners[0].norm(), c.corners[1].norm(), c.corners[2].norm()});
}

/// The direction from A to B along which they are parted, and how far they are without the layers:
/// what they are nearest by or, of boxes, a plane that parts them by more than `enough`.
Nearest parted(const Convex& A, const Convex& B, double enough) {
  Nearest out;
  bool edges = false;
  if (A.core == Convex::Core::box && B.core == Convex::Core::box &&
      box_axis(A, B, 1e300, out.n, out.gap, edges) && out.gap > enough)
    return out;
  return nearest(A, B, 1e300);
}

/// Along one direction as far as that parts them, which needs no search, then along the next.
std::optional<double> touch_convex(const Convex& a, const Moving& A, const Convex& b,
                                   const Moving& B, double accuracy, WayEffort* effort) {
  const Way way_A(A), way_B(B);
  const double reach_A = reach_of(a, A.shape), reach_B = reach_of(b, B.shape),
               layers = a.radius + b.radius;
  Convex one = a, two = b;
  const auto place = [&](double t) {
    const Pose X_A = way_A.at(t), X_B = way_B.at(t);
    one.X.R = X_A.R;
    two.X = {X_B.p - X_A.p, X_B.R};
  };
  double t = 0;
  for (;;) {
    place(t);
    if (effort) ++effort->searches;
    const Nearest now = parted(one, two, accuracy + layers);
    if (now.gap - layers <= accuracy) return t;
    const double approach = now.n.dot(way_A.v() - way_B.v()) + way_A.turns_along(now.n, reach_A) +
                            way_B.turns_along(now.n, reach_B);
    const auto along = [&](double at) {
      if (effort) ++effort->looks;
      if (at == t) return Apart{now.gap - layers, approach};
      place(at);
      return Apart{now.n.dot(support(two, -now.n).p - support(one, now.n).p) - layers, approach};
    };
    const std::optional<double> next = advance(t, accuracy, along);
    if (!next) return next;
    t = *next;
  }
}

/// A is a half space or a plane; B convex or a mesh.
std::optional<double> touch_plane(const Moving& A, const Moving& B, double accuracy) {
  const Way way_A(A), way_B(B);
  const double reach_B = extent(B.shape).reach;
  // how far from the plane's origin B comes at most; n turns with A
  const double far = (B.from.p - A.from.p).norm() + way_A.v().norm() + way_B.v().norm() + reach_B;
  const Trimesh* mesh = B.shape.mesh.get();
  Convex b = convex_of(B.shape);
  const auto height = [&](const Vec3& n) {
    if (!mesh) return n.dot(support(b, -n).p) - b.radius;
    double least = 1e300;
    for (const Vec3& p : mesh->vertices) least = std::min(least, n.dot(b.X.R * p));
    return least + n.dot(b.X.p);
  };
  const Vec3 inside = mesh ? bounds(B.shape).middle : Vec3(inverse(b.X).R * (middle(b) - b.X.p));
  return advance(0, accuracy, [&](double t) {
    const Pose X_A = way_A.at(t), X_B = way_B.at(t);
    b.X = {X_B.p - X_A.p, X_B.R};
    Vec3 n = X_A.R.col(2);
    if (A.shape.kind == Shape::Kind::plane && n.dot(b.X.p + b.X.R * inside) < 0) n = -n;
    const double turns = way_A.rate() > 0 ? way_A.rate() * far + way_B.rate() * reach_B
                                          : way_B.turns_along(n, reach_B);
    return Apart{height(n), n.dot(way_A.v() - way_B.v()) + turns};
  });
}

/// Of all triangles on the way the first.
std::optional<double> touch_mesh(const Trimesh& mesh, const Moving& A, const Convex& b,
                                 const Moving& B, double accuracy, WayEffort* effort) {
  // B seen from A stays within this of where it starts
  const Way way_A(A), way_B(B);
  const Pose X_AW = inverse(A.from);
  const Vec3 start = X_AW.p + X_AW.R * B.from.p;
  const double moves = (way_A.v() - way_B.v()).norm() + way_A.rate() * (B.to.p - A.to.p).norm() +
                       way_A.rate() * (B.from.p - A.from.p).norm();
  const Vec3 wide = Vec3::Constant(extent(B.shape).reach + moves + accuracy);
  std::optional<double> first;
  const auto look = [&](int i) {
    Convex a;
    a.core = Convex::Core::triangle;
    for (int k = 0; k < 3; ++k)
      a.corners[at(k)] = mesh.vertices[at(mesh.triangles[at(i)].at[at(k)])];
    const auto t = touch_convex(a, A, b, B, accuracy, effort);
    if (t && (!first || *t < *first)) first = t;
  };
  const Aabb box{start - wide, start + wide};
  if (A.shape.grid)
    A.shape.grid->for_near(box, look);
  else
    mesh.for_near(box, look);
  return first;
}

/// B is a mesh that stands as its hulls, as A may be.
std::optional<double> touch_parts(const Moving& A, const Moving& B, double accuracy,
                                  WayEffort* effort) {
  std::optional<double> first;
  for (const HullPart& part : B.shape.mesh->hulls->parts) {
    const Moving one{part.shape, B.from, B.to};
    const auto t = stands_as_hulls(A.shape, B.shape) ? touch_parts(one, A, accuracy, effort)
                                                     : first_touch(A, one, accuracy, effort);
    if (t && (!first || *t < *first)) first = t;
  }
  return first;
}

/// From where A lies.
void touch_hulls_at(const Moving& A, const Pose& X_A, const Moving& B, const Pose& X_B,
                    double margin, std::vector<Point>& out) {
  touch_hulls(*A.shape.mesh->hulls, {Vec3::Zero(), X_A.R}, *B.shape.mesh->hulls,
              {X_B.p - X_A.p, X_B.R}, margin, out);
  sort_by_feature(out, 0);
}

/// From where A lies.
void touch_convex_at(const Moving& A, const Pose& X_A, const Moving& B, const Pose& X_B,
                     double margin, std::vector<Point>& out) {
  Convex a = convex_of(A.shape), b = convex_of(B.shape);
  a.X = {Vec3::Zero(), X_A.R};
  b.X = {X_B.p - X_A.p, X_B.R};
  touch(a, b, margin, out);
  sort_by_feature(out, 0);
}

/// From where B lies.
void touch_surface_at(const Moving& A, const Pose& X_A, const Moving& B, const Pose& X_B,
                      double margin, std::vector<Point>& out) {
  const Pose X_AB = inverse(X_A) * X_B;
  if (stands_as_hulls(B.shape, A.shape))
    touch_hulls(A.shape, X_AB, *B.shape.mesh->hulls, margin, out);
  else
    touch_surface(A.shape, X_AB, convex_of(B.shape), bounds(B.shape), margin, out);
  sort_by_feature(out, 0);
  for (Point& p : out) {
    p.p_A = X_A.R * p.p_A;
    p.p_B = X_A.R * p.p_B;
    p.n = X_A.R * p.n;
  }
}

}  // namespace

double goes_by(const Moving& A, const Moving& B) {
  const Way way_A(A), way_B(B);
  const double far = (B.from.p - A.from.p).norm() + (B.to.p - B.from.p).norm();
  return (way_A.v() - way_B.v()).norm() + way_A.rate() * (far + extent(B.shape).reach) +
         way_B.rate() * extent(B.shape).reach;
}

Pose pose_at(const Moving& m, double t) { return Way(m).at(t); }

std::vector<Point> touch_on_way(const Moving& A, const Moving& B, double accuracy) {
  std::vector<Point> out;
  const bool hulls_A = stands_as_hulls(A.shape, B.shape),
             hulls_B = stands_as_hulls(B.shape, A.shape);
  if (!is_convex(B.shape.kind) && !hulls_B) {
    if (!is_convex(A.shape.kind) && !hulls_A) return out;
    out = touch_on_way(B, A, accuracy);
    for (Point& p : out) p = swapped(p);
    return out;
  }
  const std::optional<double> t = first_touch(A, B, accuracy);
  if (!t) return out;
  const Pose X_A = pose_at(A, *t), X_B = pose_at(B, *t);
  Vec3 origin = X_A.p;
  if (is_convex(A.shape.kind)) {
    touch_convex_at(A, X_A, B, X_B, 2 * accuracy, out);
  } else if (hulls_A) {
    touch_hulls_at(A, X_A, B, X_B, 2 * accuracy + (1 - *t) * goes_by(A, B), out);
  } else {
    touch_surface_at(A, X_A, B, X_B, 2 * accuracy + (1 - *t) * goes_by(A, B), out);
    origin = X_B.p;
  }
  const Pose back_A = A.from * inverse(X_A), back_B = B.from * inverse(X_B);
  for (Point& p : out) {
    p.p_A = back_A.p + back_A.R * (p.p_A + origin);
    p.p_B = back_B.p + back_B.R * (p.p_B + origin);
    p.gap = p.n.dot(p.p_B - p.p_A);
  }
  return out;
}

std::optional<double> first_touch(const Moving& A, const Moving& B, double accuracy,
                                  WayEffort* effort) {
  if (!can_meet(A.shape.kind, B.shape.kind)) return std::nullopt;
  const auto is_plane = [](const Moving& m) {
    return m.shape.kind == Shape::Kind::plane || m.shape.kind == Shape::Kind::half_space;
  };
  if (is_plane(A)) return touch_plane(A, B, accuracy);
  if (stands_as_hulls(B.shape, A.shape)) return touch_parts(A, B, accuracy, effort);
  if (is_plane(B) || !is_convex(B.shape.kind)) return first_touch(B, A, accuracy, effort);
  const Convex b = convex_of(B.shape);
  switch (A.shape.kind) {
    case Shape::Kind::mesh:
      return touch_mesh(*A.shape.mesh, A, b, B, accuracy, effort);
    case Shape::Kind::grid:
      return touch_mesh(A.shape.grid->surface, A, b, B, accuracy, effort);
    default:
      return touch_convex(convex_of(A.shape), A, b, B, accuracy, effort);
  }
}

}  // namespace trammel::contact

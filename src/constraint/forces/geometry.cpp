#include "constraint/forces/geometry.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "constraint/forces/ellipsoid.h"
#include "contact/convex.h"
#include "contact/hull.h"
#include "math/index.h"

namespace trammel::constraint {

namespace {

using Kind = ContactPiece::Kind;
using contact::Shape;

// ---- which pieces touch

constexpr double kOn = 1e-7;        // of a shape's size: a place lies on a face
constexpr double kAlong = 1e-9;     // 1 - cosine: two directions are one
constexpr double kParallel = 1e-6;  // sine squared: two lines are parallel

/// A side of a point, in the axes of its shape.
struct Seen {
  const Shape& shape;
  Vec3 p, n;   // place on the surface; outward normal
  int e1, e2;  // ends of its feature
};

bool is_along(const Vec3& a, const Vec3& b) { return a.dot(b) > 1 - kAlong; }

/// Of a convex polyhedron that has these faces at the place: the face that the normal belongs to,
/// the edge, or the corner.
ContactPiece piece_between(const Seen& s, const std::vector<Vec3>& normals) {
  for (const Vec3& m : normals)
    if (is_along(s.n, m)) return {Kind::plane, s.p, m};
  if (normals.size() == 2) return {Kind::line, s.p, normals[0].cross(normals[1]).normalized()};
  return {Kind::point, s.p};
}

ContactPiece piece_of_box(const Seen& s) {
  std::vector<Vec3> normals;
  for (int k = 0; k < 3; ++k)
    if (std::abs(s.p[k]) > (0.5 - kOn) * s.shape.size[k])
      normals.push_back(std::copysign(1.0, s.p[k]) * Vec3::Unit(k));
  return piece_between(s, normals);
}

ContactPiece piece_of_hull(const Seen& s) {
  const contact::Hull& hull = *s.shape.hull;
  std::vector<Vec3> normals;
  for (std::size_t i = 0; i < hull.faces.size(); ++i) {
    const Vec3& corner = hull.vertices[at(hull.faces[i][0])];
    if (std::abs(hull.normals[i].dot(s.p - corner)) < kOn * (corner - hull.middle).norm())
      normals.push_back(hull.normals[i]);
  }
  return piece_between(s, normals);
}

/// Of a cylinder or a cone: an end, the side, or the rim between them.
ContactPiece piece_of_round(const Seen& s) {
  const Vec3& size = s.shape.size;
  const double end = s.n.z() > 0 ? 1 : -1, r = std::hypot(s.p.x(), s.p.y());
  const double r0 = size[0], r1 = s.shape.kind == Shape::Kind::cylinder ? size[0] : size[2];
  const Vec3 axis = Vec3::UnitZ();
  if (is_along(s.n, end * axis)) return {Kind::plane, s.p, end * axis};
  const double per = 1 / std::hypot(size[1], r0 - r1), n_r = per * size[1], n_z = per * (r0 - r1);
  const double across = std::hypot(s.n.x(), s.n.y());
  const bool on_side = across * n_r + s.n.z() * n_z > 1 - kAlong;
  if (on_side && r0 == r1) return {Kind::line, {0, 0, s.p.z()}, axis, r0};
  if (on_side) return {Kind::cone, {0, 0, s.p.z()}, axis, 0, r, n_r, n_z};
  return {Kind::circle, {0, 0, s.p.z()}, axis, 0, r};
}

ContactPiece piece_of_capsule(const Seen& s) {
  const double half = s.shape.size[1] / 2, r = s.shape.size[0];
  const double z = s.p.z() - r * s.n.z();
  if (std::abs(z) >= half * (1 - kOn)) return {Kind::point, {0, 0, std::copysign(half, z)}, {}, r};
  return {Kind::line, {0, 0, z}, Vec3::UnitZ(), r};
}

ContactPiece piece_of(const Seen& s) {
  switch (s.shape.kind) {
    case Shape::Kind::sphere:
      return {Kind::point, Vec3::Zero(), Vec3::UnitZ(), s.shape.size[0]};
    case Shape::Kind::capsule:
      return piece_of_capsule(s);
    case Shape::Kind::box:
      return piece_of_box(s);
    case Shape::Kind::hull:
      return piece_of_hull(s);
    case Shape::Kind::cylinder:
    case Shape::Kind::cone:
      return piece_of_round(s);
    case Shape::Kind::ellipsoid: {
      ContactPiece out;
      out.kind = Kind::ellipsoid;
      out.radii = s.shape.size;
      return out;
    }
    default:  // planes; of meshes and heights what they are across the normal
      return {Kind::plane, s.p, s.n};
  }
}

/// What a plane touches of the other side: the middle of a layer, the point of a rim that is
/// farthest along it, or what is fixed there.
ContactPiece before_plane(const Seen& s, const ContactPiece& piece) {
  if (piece.kind == Kind::ellipsoid) return piece;
  const bool corner = s.e1 == s.e2 && s.e1 < contact::kDeepest;  // of the polygon on a rim
  const bool round = s.shape.kind == Shape::Kind::cylinder || s.shape.kind == Shape::Kind::cone;
  const bool deepest = s.e1 >= contact::kDeepest && s.e1 != contact::kFace && s.e1 == s.e2;
  if (round && deepest)
    return {Kind::circle, {0, 0, s.p.z()}, Vec3::UnitZ(), 0, std::hypot(s.p.x(), s.p.y())};
  if (piece.radius > 0 && !(round && corner))
    return {Kind::point, s.p - piece.radius * s.n, Vec3::UnitZ(), piece.radius};
  return {Kind::point, s.p};
}

Seen seen(const model::Model& model, const contact::Point& point, bool B,
          const model::KinematicsCache& at_) {
  const model::ContactShape& s = model.contacts.shapes[at(B ? point.B : point.A)];
  const body::Transform& T = at_.T_WO[at(s.object)];
  const Mat3 R = body::rotation(model.objects[at(s.object)].motion_kind, T.A) * s.X_OS.R;
  const Vec3 origin = T.p + T.A * s.X_OS.p;
  const auto end = [&](int from) {
    return static_cast<int>(point.feature >> (from + (B ? 0 : 30)) & contact::kFace);
  };
  return {s.shape, R.transpose() * ((B ? point.p_B : point.p_A) - origin),
          (B ? -1.0 : 1.0) * (R.transpose() * point.n), end(15), end(0)};
}

/// From the axes of the shape to those of the object.
ContactPiece on_object(const model::ContactShape& s, ContactPiece piece) {
  piece.x = s.X_OS.p + s.X_OS.R * piece.x;
  piece.d = s.X_OS.R * piece.d;
  piece.axes = s.X_OS.R * piece.axes;
  return piece;
}

bool is_round_about_axis(const ContactPiece& p) {
  return p.kind == Kind::circle || p.kind == Kind::cone;
}

/// Pairs that have no smooth gap of their own (two rims, corners on corners) are kept as a point
/// on the plane across the normal: right to first order.
void simplify(const Seen& a, const Seen& b, const model::KinematicsCache&, ContactPiece& A,
              ContactPiece& B) {
  const bool both = A.kind == Kind::plane && B.kind == Kind::plane;
  if (both && b.e1 == contact::kFace && b.e2 == contact::kFace)  // a corner of A, on a face
    return void(A = before_plane(a, A));
  if (A.kind == Kind::plane) return void(B = before_plane(b, B));
  if (B.kind == Kind::plane) return void(A = before_plane(a, A));
  const auto sharp = [](const ContactPiece& p) { return p.kind == Kind::point && p.radius == 0; };
  const bool smooth = A.kind == Kind::ellipsoid || B.kind == Kind::ellipsoid;
  const bool rims = is_round_about_axis(A) && is_round_about_axis(B);
  const bool odd = (is_round_about_axis(A) && B.kind != Kind::point) ||
                   (is_round_about_axis(B) && A.kind != Kind::point);
  const bool thin = !smooth && A.radius + B.radius == 0 && (sharp(A) || sharp(B));
  if (!rims && !odd && !thin) return;
  A = {Kind::plane, a.p, a.n};
  B = before_plane(b, B);
}

// ---- how they move

Meeting between_points(const Jet3& a, const Jet3& b, double r_a, double r_b) {
  const Jet3 d = b - a;
  const Jet far = length(d);
  const Jet3 n = inverse(far) * d;
  return {far - (r_a + r_b), n, b - r_b * n};
}

/// The point of a circle farthest along -n.
Jet3 lowest(const Carried& on, const ContactPiece& c, const Jet3& n) {
  const Jet3 axis = on.direction(c.d), m = dot(n, axis) * axis - n;
  return on.point(c.x) + c.ring * (inverse(length(m)) * m);
}

Meeting on_plane(const Carried& a, const ContactPiece& A, const Carried& b, const ContactPiece& B) {
  const Jet3 n = a.direction(A.d);
  const Jet3 x = B.kind == Kind::circle ? lowest(b, B, n) : farthest(b, B, -1.0 * n);
  return {dot(n, x - a.point(A.x)) - B.radius, n, x - B.radius * n};
}

/// A surface of revolution and a ball.
Meeting about_axis(const Carried& a, const ContactPiece& A, const Jet3& c, double r) {
  const Jet3 axis = a.direction(A.d), d = c - a.point(A.x), across = d - dot(d, axis) * axis;
  const Jet rho = length(across);
  const Jet3 out = inverse(rho) * across;
  if (A.kind == Kind::circle) return between_points(a.point(A.x) + A.ring * out, c, 0, r);
  const Jet3 n = A.n_r * out + A.n_z * axis;
  return {A.n_r * (rho - A.ring) + A.n_z * dot(d, axis) - r, n, c - r * n};
}

Meeting line_and_point(const Carried& a, const ContactPiece& A, const Jet3& c, double r) {
  const Jet3 axis = a.direction(A.d), o = a.point(A.x);
  return between_points(o + dot(c - o, axis) * axis, c, A.radius, r);
}

Meeting lines(const Carried& a, const ContactPiece& A, const Carried& b, const ContactPiece& B,
              double sign) {
  const Jet3 u = a.direction(A.d), v = b.direction(B.d), o = a.point(A.x), q = b.point(B.x);
  const Jet3 w = cross(u, v);
  const Jet per = inverse(dot(w, w));
  const Jet3 n = sign * (root(per) * w);
  const Jet along = per * dot(cross(q - o, u), w);  // on B's line, from q
  return {dot(n, q - o) - (A.radius + B.radius), n, q + along * v - B.radius * n};
}

Meeting swapped(Meeting m) {
  m.x = m.x - m.gap * m.n;  // from one surface to the other
  m.n = -1.0 * m.n;
  return m;
}

Meeting meet(const Carried& a, const Carried& b, const ContactGeometry& g) {
  const ContactPiece &A = g.A, &B = g.B;
  if (A.kind == Kind::plane) return on_plane(a, A, b, B);
  if (B.kind == Kind::plane) return swapped(on_plane(b, B, a, A));
  if (A.kind == Kind::ellipsoid) return meet_ellipsoid(a, A, b, B, a.T.A * g.n);
  if (B.kind == Kind::ellipsoid) return swapped(meet_ellipsoid(b, B, a, A, -(a.T.A * g.n)));
  if (is_round_about_axis(A)) return about_axis(a, A, b.point(B.x), B.radius);
  if (is_round_about_axis(B)) return swapped(about_axis(b, B, a.point(A.x), A.radius));
  if (A.kind == Kind::line && B.kind == Kind::line) return lines(a, A, b, B, g.sign);
  if (A.kind == Kind::line) return line_and_point(a, A, b.point(B.x), B.radius);
  if (B.kind == Kind::line) return swapped(line_and_point(b, B, a.point(A.x), A.radius));
  return between_points(a.point(A.x), b.point(B.x), A.radius, B.radius);
}

Carried carried(int object, const model::KinematicsCache& at_) {
  return {at_.T_WO[at(object)], at_.rate[at(object)], at_.bias[at(object)]};
}

}  // namespace

ContactGeometry geometry_of(const model::Model& model, const contact::Point& point,
                            const model::KinematicsCache& at_) {
  const Seen a = seen(model, point, false, at_), b = seen(model, point, true, at_);
  const model::ContactShape &shape_A = model.contacts.shapes[at(point.A)],
                            &shape_B = model.contacts.shapes[at(point.B)];
  ContactGeometry out{shape_A.object,      shape_B.object, piece_of(a), piece_of(b), 1,
                      shape_A.X_OS.R * a.n};
  simplify(a, b, at_, out.A, out.B);
  out.A = on_object(shape_A, out.A);
  out.B = on_object(shape_B, out.B);
  if (out.A.kind != Kind::line || out.B.kind != Kind::line) return out;
  const Vec3 w =
      (at_.T_WO[at(out.object_A)].A * out.A.d).cross(at_.T_WO[at(out.object_B)].A * out.B.d);
  out.sign = w.dot(point.n) < 0 ? -1 : 1;
  if (w.squaredNorm() < kParallel) out.B.kind = Kind::point;  // beside each other
  return out;
}

ContactMotion motion_of(const model::Model&, const ContactGeometry& g, const Vec3& surface_A,
                        const Vec3& surface_B, const model::KinematicsCache& at_) {
  const Carried a = carried(g.object_A, at_), b = carried(g.object_B, at_);
  const Meeting m = meet(a, b, g);
  ContactMotion out;
  out.x = m.x.x;
  out.n = m.n.x;
  out.gap = m.gap.x;
  out.gap_rate = m.gap.v;
  out.gap_bias = m.gap.a;
  const auto side = [&](const Carried& c, const Vec3& surface, double sign) {
    const Vec3 v = c.velocity(out.x);
    out.slip += sign * (v + c.T.A * surface);
    out.slip_bias +=
        sign * (c.acceleration(out.x) + c.gradient() * (m.x.v - v) + c.rate.A * surface);
  };
  side(b, surface_B, 1);
  side(a, surface_A, -1);
  return out;
}

}  // namespace trammel::constraint

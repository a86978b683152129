#include "contact/convex.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/hull.h"

namespace trammel::contact {

namespace {

using Core = Convex::Core;

Support hull_support(const Hull& hull, const Vec3& d) {
  const int n = count(hull.vertices);
  int best = 0;
  double most = d.dot(hull.vertices[0]);
  if (n <= 24) {
    for (int i = 1; i < n; ++i)
      if (const double x = d.dot(hull.vertices[at(i)]); x > most) most = x, best = i;
    return {hull.vertices[at(best)], best};
  }
  for (bool climbs = true; climbs;) {  // convex: a corner above all beside it is the highest
    climbs = false;
    for (const int i : hull.beside[at(best)])
      if (const double x = d.dot(hull.vertices[at(i)]); x > most) {
        most = x;
        best = i;
        climbs = true;
      }
  }
  return {hull.vertices[at(best)], best};
}

/// The point of the rim at one end that is farthest along d.
Vec3 rim(const Vec3& size, bool top, const Vec3& d) {
  const double r = top ? size[2] : size[0], z = top ? size[1] : -size[1];
  const double across = std::hypot(d.x(), d.y());
  if (across <= 0) return {0, 0, z};
  return {r * d.x() / across, r * d.y() / across, z};
}

Support round_support(const Vec3& size, const Vec3& d) {
  const double across = std::hypot(d.x(), d.y());
  const bool top = d.z() * size[1] + across * size[2] > -d.z() * size[1] + across * size[0];
  return {rim(size, top, d), kDeepest + (top ? 1 : 0)};
}

Support local_support(const Convex& c, const Vec3& d) {
  switch (c.core) {
    case Core::point:
      return {Vec3::Zero(), 0};
    case Core::segment: {
      const bool top = d.z() > 0;
      return {{0, 0, top ? c.size.z() : -c.size.z()}, top ? 1 : 0};
    }
    case Core::box: {
      const int id = (d.x() > 0 ? 1 : 0) | (d.y() > 0 ? 2 : 0) | (d.z() > 0 ? 4 : 0);
      return {{d.x() > 0 ? c.size.x() : -c.size.x(), d.y() > 0 ? c.size.y() : -c.size.y(),
               d.z() > 0 ? c.size.z() : -c.size.z()},
              id};
    }
    case Core::round:
      return round_support(c.size, d);
    case Core::hull:
      return hull_support(*c.hull, d);
    case Core::ellipsoid: {
      const Vec3 e = c.size.cwiseProduct(d);
      const double h = e.norm();
      return {h > 0 ? Vec3(c.size.cwiseProduct(e) / h) : Vec3(0, 0, c.size.z()), 0};
    }
    case Core::triangle: {
      int best = 0;
      double most = d.dot(c.corners[0]);
      for (int i = 1; i < 3; ++i)
        if (const double x = d.dot(c.corners[at(i)]); x > most) most = x, best = i;
      return {c.corners[at(best)], best};
    }
  }
  return {Vec3::Zero(), 0};
}

void add(Feature& f, const Vec3& p, int id) {
  f.at[at(f.count)] = p;
  f.id[at(f.count++)] = id;
}

/// In the world at once: a middle and two half edges.
void box_face(const Convex& c, const Vec3& d, Feature& out) {
  int k = 0;
  d.cwiseAbs().maxCoeff(&k);
  constexpr int kNext[] = {1, 2, 0}, kAfter[] = {2, 0, 1};
  const int a = kNext[k], b = kAfter[k];
  const bool up = d[k] > 0;
  const double sign = up ? 1 : -1;
  out.normal = sign * c.X.R.col(k);
  const Vec3 middle = c.X.p + c.size[k] * out.normal;
  const Vec3 u = sign * c.size[a] * c.X.R.col(a), v = c.size[b] * c.X.R.col(b);
  const Vec3 sum = u + v, difference = u - v;
  out.count = 4;
  out.at[0] = middle + sum;
  out.at[1] = middle - difference;
  out.at[2] = middle - sum;
  out.at[3] = middle + difference;
  // bits: which half of each axis
  const int own = up ? 1 << k : 0, u_up = up ? 1 << a : 0, u_down = (1 << a) - u_up, v_up = 1 << b;
  out.id[0] = own | u_up | v_up;
  out.id[1] = own | u_down | v_up;
  out.id[2] = own | u_down;
  out.id[3] = own | u_up;
}

/// The polygon of a rim, in which the point that is farthest along d, where that is one, stands for
/// the two corners beside it: as it goes past one, the corner would just touch and go.
void rim_polygon(const Vec3& size, bool top, const Vec3& d, Feature& out) {
  const double r = top ? size[2] : size[0], z = top ? size[1] : -size[1];
  const double step = 2 * std::numbers::pi / kRim, across = std::hypot(d.x(), d.y());
  // below this tilt its place is rounding's, and the polygon is as deep to 1e-6 of the radius
  bool deepest = across > 1e-6;
  const double angle = deepest ? std::atan2(d.y(), d.x()) : 0;
  const int before = static_cast<int>(std::floor((angle < 0 ? angle + kRim * step : angle) / step));
  out.normal = Vec3(0, 0, top ? 1 : -1);
  const int end = kDeepest + (top ? 1 : 0);
  for (int j = 0; j < kRim; ++j) {
    const int i = top ? j : kRim - 1 - j;
    if (deepest && i == before % kRim) add(out, rim(size, top, d), end);
    if (deepest && (i == before % kRim || i == (before + 1) % kRim)) continue;
    add(out, Vec3(r * std::cos(i * step), r * std::sin(i * step), z), i + (top ? kRim : 0));
  }
}

/// An end, or the line of the side.
void round_feature(const Vec3& size, const Vec3& d, Feature& out) {
  const double across = std::hypot(d.x(), d.y());
  const double slope = (size[0] - size[2]) / (2 * size[1]);  // of the side's normal
  const double side = (across + slope * d.z()) / std::sqrt(1 + slope * slope);
  const bool top = d.z() > 0;
  const bool blunt = (top ? size[2] : size[0]) > 0;
  if (blunt && std::abs(d.z()) > side) return rim_polygon(size, top, d, out);
  for (const bool end : {false, true}) add(out, rim(size, end, d), kDeepest + (end ? 1 : 0));
}

/// The end of an edge from corner i whose ends are as far along d; -1: there is none, or several.
int level_edge(const Hull& hull, const Vec3& d, int i) {
  const Vec3& p = hull.vertices[at(i)];
  int other = -1;
  for (const int j : hull.beside[at(i)]) {
    const Vec3 along = hull.vertices[at(j)] - p;
    if (std::abs(d.dot(along)) > 1e-9 * along.norm()) continue;
    if (other >= 0) return -1;
    other = j;
  }
  return other;
}

/// Of the faces about the corner or the edge that is farthest along d, that which looks most along
/// it.
void hull_face(const Hull& hull, const Vec3& d, Feature& out) {
  const int corner = hull_support(hull, d).id, other = level_edge(hull, d, corner);
  int best = 0;
  double most = -2;
  for (const int i : hull.around[at(corner)]) {
    const std::vector<int>& face = hull.faces[at(i)];
    if (other >= 0 && std::find(face.begin(), face.end(), other) == face.end()) continue;
    if (const double x = d.dot(hull.normals[at(i)]); x > most) most = x, best = i;
  }
  out.normal = hull.normals[at(best)];
  for (const int i : hull.faces[at(best)]) add(out, hull.vertices[at(i)], i);
}

void triangle_face(const std::array<Vec3, 3>& p, const Vec3& d, Feature& out) {
  out.normal = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
  const bool front = out.normal.dot(d) >= 0;
  if (!front) out.normal = -out.normal;
  for (int i = 0; i < 3; ++i) add(out, p[at(front ? i : 2 - i)], front ? i : 2 - i);
}

void local_feature(const Convex& c, const Vec3& d, Feature& out) {
  switch (c.core) {
    case Core::point:
      return add(out, Vec3::Zero(), 0);
    case Core::segment:
      add(out, {0, 0, -c.size.z()}, 0);
      return add(out, {0, 0, c.size.z()}, 1);
    case Core::box:
      return;  // box_face
    case Core::round:
      return round_feature(c.size, d, out);
    case Core::hull:
      return hull_face(*c.hull, d, out);
    case Core::ellipsoid:
      return add(out, local_support(c, d).p, 0);
    case Core::triangle:
      return triangle_face(c.corners, d, out);
  }
}

}  // namespace

Convex convex_of(const Shape& shape) {
  const Vec3& s = shape.size;
  switch (shape.kind) {
    case Shape::Kind::sphere:
      return {.core = Core::point, .radius = s[0]};
    case Shape::Kind::box:
      return {.core = Core::box, .size = s / 2};
    case Shape::Kind::capsule:
      return {.core = Core::segment, .radius = s[0], .size = {0, 0, s[1] / 2}};
    case Shape::Kind::cylinder:
      return {.core = Core::round, .size = {s[0], s[1] / 2, s[0]}};
    case Shape::Kind::cone:
      return {.core = Core::round, .size = {s[0], s[1] / 2, s[2]}};
    case Shape::Kind::ellipsoid:
      return {.core = Core::ellipsoid, .size = s};
    case Shape::Kind::hull:
      return {.core = Core::hull, .hull = shape.hull.get()};
    default:
      return {};
  }
}

double scale(const Convex& c) {
  switch (c.core) {
    case Core::hull:
      return c.hull->vertices[0].norm() + (c.hull->vertices[0] - c.hull->vertices[1]).norm();
    case Core::triangle:
      return (c.corners[1] - c.corners[0]).norm() + (c.corners[2] - c.corners[0]).norm();
    default:
      return c.size.cwiseAbs().sum() + c.radius;
  }
}

Support support(const Convex& c, const Vec3& d) {
  const Support s = local_support(c, c.X.R.transpose() * d);
  return {c.X.p + c.X.R * s.p, s.id};
}

Mat3 bend_of_ellipsoid(const Convex& c, const Vec3& n) {
  const Vec3 d = c.X.R.transpose() * n, e = c.size.cwiseProduct(d);
  const double h = e.norm();
  const Vec3 p = c.size.cwiseProduct(e) / h;
  const Mat3 local = (Mat3(c.size.cwiseAbs2().asDiagonal()) - p * p.transpose()) / h;
  return c.X.R * local * c.X.R.transpose();
}

Vec3 middle(const Convex& c) {
  if (c.core == Core::hull) return c.X.p + c.X.R * c.hull->middle;
  if (c.core != Core::triangle) return c.X.p;
  return c.X.p + c.X.R * ((c.corners[0] + c.corners[1] + c.corners[2]) / 3);
}

void feature(const Convex& c, const Vec3& d, Feature& out) {
  out.count = 0;
  if (c.core == Core::box) return box_face(c, c.X.R.transpose() * d, out);
  local_feature(c, c.X.R.transpose() * d, out);
  for (int i = 0; i < out.count; ++i) out.at[at(i)] = c.X.p + c.X.R * out.at[at(i)];
  if (out.count > 2) out.normal = c.X.R * out.normal;
}

}  // namespace trammel::contact

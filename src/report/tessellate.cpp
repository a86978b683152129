#include "report/tessellate.h"

#include <array>
#include <cmath>
#include <numbers>

#include "body/mesh.h"
#include "body/mesh_triangles.h"
#include "math/rotation.h"

namespace trammel::report {

namespace {

/// Adds a triangle of corners that are there, turned so that it faces where its normals point.
/// What has no area is left out.
void triangle(Surface& out, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const Vec3 area = (out.points[b] - out.points[a]).cross(out.points[c] - out.points[a]);
  const double size = std::max((out.points[b] - out.points[a]).squaredNorm(),
                               (out.points[c] - out.points[a]).squaredNorm());
  if (!(area.norm() > 1e-12 * size)) return;
  const Vec3 outwards = out.normals[a] + out.normals[b] + out.normals[c];
  if (area.dot(outwards) < 0) std::swap(b, c);
  out.corners.insert(out.corners.end(), {a, b, c});
}

std::uint32_t corner(Surface& out, const Vec3& p, const Vec3& n) {
  out.points.push_back(p);
  out.normals.push_back(n);
  return static_cast<std::uint32_t>(out.points.size() - 1);
}

/// A place of an outline that is turned about z: radius, height, and its normal.
struct Station {
  double r = 0, z = 0, nr = 1, nz = 0;
};

/// What a piece of an outline sweeps, turned about z.
void revolve(Surface& out, const Station& low, const Station& high, int round) {
  const auto first = static_cast<std::uint32_t>(out.points.size());
  for (int i = 0; i <= round; ++i) {
    const double angle = 2 * std::numbers::pi * (i % round) / round;
    const double c = std::cos(angle), s = std::sin(angle);
    for (const Station& at : {low, high})
      corner(out, {at.r * c, at.r * s, at.z}, {at.nr * c, at.nr * s, at.nz});
  }
  for (int i = 0; i < round; ++i) {
    const std::uint32_t k = first + 2 * static_cast<std::uint32_t>(i);
    triangle(out, k, k + 2, k + 1);
    triangle(out, k + 1, k + 2, k + 3);
  }
}

void disc(Surface& out, double inner, double outer, double z, double up, int round) {
  revolve(out, {inner, z, 0, up}, {outer, z, 0, up}, round);
}

/// Part of a ball about (0, 0, z), between two latitudes [rad].
void zone(Surface& out, double radius, double z, double from, double to, int round) {
  const int rings =
      std::max(2, static_cast<int>(std::ceil((to - from) / std::numbers::pi * round / 2)));
  const auto at = [&](int i) {
    const double angle = from + (to - from) * i / rings;
    const double c = i == rings && to > 1.57 ? 0 : i == 0 && from < -1.57 ? 0 : std::cos(angle);
    const double s = std::sin(angle);
    return Station{radius * c, z + radius * s, c, s};
  };
  for (int i = 0; i < rings; ++i) revolve(out, at(i), at(i + 1), round);
}

constexpr double kQuarter = std::numbers::pi / 2;

/// From radius a below to c above.
void frustum(Surface& out, double a, double c, double length, int round) {
  const Vec3 n = Vec3(length, 0, a - c).normalized();
  revolve(out, {a, -length / 2, n.x(), n.z()}, {c, length / 2, n.x(), n.z()}, round);
  if (a > 0) disc(out, 0, a, -length / 2, -1, round);
  if (c > 0) disc(out, 0, c, length / 2, 1, round);
}

void capsule(Surface& out, double radius, double length, int round) {
  zone(out, radius, -length / 2, -kQuarter, 0, round);
  if (length > 0) revolve(out, {radius, -length / 2, 1, 0}, {radius, length / 2, 1, 0}, round);
  zone(out, radius, length / 2, 0, kQuarter, round);
}

void tube(Surface& out, double outer, double length, double inner, int round) {
  revolve(out, {outer, -length / 2, 1, 0}, {outer, length / 2, 1, 0}, round);
  if (inner > 0) revolve(out, {inner, -length / 2, -1, 0}, {inner, length / 2, -1, 0}, round);
  disc(out, inner, outer, -length / 2, -1, round);
  disc(out, inner, outer, length / 2, 1, round);
}

void box(Surface& out, const Vec3& edges) {
  for (int k = 0; k < 3; ++k)
    for (const double side : {-1., 1.}) {
      const Vec3 n = side * Vec3::Unit(k), u = Vec3::Unit((k + 1) % 3), v = Vec3::Unit((k + 2) % 3);
      std::array<std::uint32_t, 4> at{};
      for (std::size_t i = 0; i < 4; ++i)
        at[i] = corner(
            out, (n + (i & 1 ? 1 : -1) * u + (i & 2 ? 1 : -1) * v).cwiseProduct(edges / 2), n);
      triangle(out, at[0], at[1], at[2]);
      triangle(out, at[1], at[3], at[2]);
    }
}

void mesh(Surface& out, const body::Mesh& mesh) {
  const auto at = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
  for (const std::vector<int>& face : mesh.faces)
    for (const std::array<int, 3>& t : body::triangles_of(mesh, face)) {
      const Vec3 a = at(t[0]), b = at(t[1]), c = at(t[2]);
      const Vec3 n = (b - a).cross(c - a).normalized();
      if (n.squaredNorm() < 0.5) continue;
      const std::uint32_t first = corner(out, a, n);
      corner(out, b, n);
      corner(out, c, n);
      triangle(out, first, first + 1, first + 2);
    }
}

void solid(Surface& out, const body::Solid& s, double point, int round) {
  using Kind = body::Solid::Kind;
  const double a = s.size.x(), b = s.size.y(), c = s.size.z();
  switch (s.kind) {
    case Kind::box:
      return box(out, s.size);
    case Kind::sphere:
      return zone(out, a, 0, -kQuarter, kQuarter, round);
    case Kind::cylinder:
      return frustum(out, a, a, b, round);
    case Kind::tube:
      return tube(out, a, b, c, round);
    case Kind::cone:
      return frustum(out, a, c, b, round);
    case Kind::capsule:
      return capsule(out, a, b, round);
    case Kind::ellipsoid: {
      const std::size_t first = out.points.size();
      zone(out, 1, 0, -kQuarter, kQuarter, round);
      for (std::size_t i = first; i < out.points.size(); ++i) {
        out.points[i] = out.points[i].cwiseProduct(s.size);
        out.normals[i] = out.normals[i].cwiseQuotient(s.size).normalized();
      }
      return;
    }
    case Kind::rod:
      return frustum(out, a / 50, a / 50, a, 12);
    case Kind::point:
      return zone(out, point, 0, -kQuarter, kQuarter, round);
  }
}

}  // namespace

Surface tessellate(const Shape& shape, double point, int round) {
  Surface out;
  Mat3 R = shape.X_BS.R;
  if (shape.mesh) {
    mesh(out, *shape.mesh);
  } else {
    solid(out, shape.solid, point, round);
    if (body::has_axis(shape.solid)) R = R * rotation_from_z(shape.solid.axis);
  }
  for (Vec3& p : out.points) p = shape.X_BS.p + R * p;
  for (Vec3& n : out.normals) n = R * n;
  return out;
}

Surface ribbon(const Line& line, double left, double width) {
  Surface out;
  const auto vec = [&](std::size_t i) {
    return Vec3(line.points[i], line.points[i + 1], line.points[i + 2]);
  };
  for (std::size_t i = 0; i + 10 <= line.points.size(); i += 10) {
    const Vec3 p = vec(i + 1), along = vec(i + 4), side = vec(i + 7);
    const Vec3 up = along.cross(side).normalized();
    for (const double edge : {left - width / 2, left + width / 2})
      corner(out, line.X_BT.p + line.X_BT.R * (p + edge * side), line.X_BT.R * up);
  }
  for (std::uint32_t k = 0; k + 3 < out.points.size(); k += 2) {
    triangle(out, k, k + 2, k + 1);
    triangle(out, k + 1, k + 2, k + 3);
  }
  return out;
}

}  // namespace trammel::report

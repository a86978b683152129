#include "body/solid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/rotation.h"

namespace trammel::body {

namespace {

using Shape = Solid::Kind;

constexpr double square(double x) { return x * x; }

/// A round solid along z: where it ends, and its radius at a height.
struct Round {
  double half = 0;  // [m]
  double (*outside)(const Solid&, double z) = nullptr;
};

double outside_ball(double r, double z) { return std::sqrt(std::max(0., r * r - z * z)); }
double outside_cone(const Solid& s, double z) {
  return s.size[0] + (s.size[2] - s.size[0]) * (z / s.size[1] + 0.5);
}
double outside_capsule(const Solid& s, double z) {
  return outside_ball(s.size[0], std::max(0., std::abs(z) - s.size[1] / 2));
}

/// A frustum of a cone, radii a and b: the integrals of r^2, s r^2 and s^2 r^2 over s from 0 to 1,
/// r = a + (b - a) s.
Moments cone(double a, double b, double length, double density) {
  const double zeroth = (a * a + a * b + b * b) / 3, first = (a * a + 2 * a * b + 3 * b * b) / 12,
               second = (a * a + 3 * a * b + 6 * b * b) / 30,
               fourth = (a * a * (a * a + a * b + b * b) + b * b * b * (a + b)) / 5;
  Moments out;
  out.volume = M_PI * length * zeroth;
  out.mass = density * out.volume;
  out.first.z() = density * M_PI * length * length * (first - zeroth / 2);
  const double across = density * M_PI * length * fourth / 4,
               along = density * M_PI * std::pow(length, 3) * (second - first + zeroth / 4);
  out.second = Vec3(across, across, along).asDiagonal();
  return out;
}

/// A cylinder and two halves of a ball, whose centres are 3/8 r out of their flats.
Moments capsule(double r, double length, double density) {
  Moments out = cylinder(r, length, density);
  const Moments ball = sphere(r, density);
  out += ball;
  out.second(2, 2) += ball.mass * (square(length / 2) + length * 3 / 8 * r);
  return out;
}

/// A ball that is stretched along its axes.
Moments ellipsoid(const Vec3& radii, double density) {
  Moments out;
  out.volume = 4 * M_PI / 3 * radii.prod();
  out.mass = density * out.volume;
  out.second = (out.mass / 5 * radii.cwiseAbs2()).asDiagonal();
  return out;
}

/// The moments about the middle, the axis being z.
Moments upright(const Solid& s, double density) {
  const Vec3& d = s.size;
  switch (s.kind) {
    case Shape::box:
      return box(d, density);
    case Shape::sphere:
      return sphere(d[0], density);
    case Shape::cylinder:
      return cylinder(d[0], d[1], density);
    case Shape::tube: {
      Moments out = cylinder(d[0], d[1], density);
      out += cylinder(d[2], d[1], -density);
      out.volume = M_PI * (square(d[0]) - square(d[2])) * d[1];
      return out;
    }
    case Shape::cone:
      return cone(d[0], d[2], d[1], density);
    case Shape::capsule:
      return capsule(d[0], d[1], density);
    case Shape::ellipsoid:
      return ellipsoid(d, density);
    case Shape::rod:
    case Shape::point:
      break;
  }
  Moments out;
  out.mass = density;
  out.second(2, 2) = density * square(d[0]) / 12;
  return out;
}

Round round(const Solid& s) {
  switch (s.kind) {
    case Shape::sphere:
      return {s.size[0], [](const Solid& b, double z) { return outside_ball(b.size[0], z); }};
    case Shape::cone:
      return {s.size[1] / 2, outside_cone};
    case Shape::capsule:
      return {s.size[1] / 2 + s.size[0], outside_capsule};
    default:
      return {s.size[1] / 2, [](const Solid& b, double) { return b.size[0]; }};
  }
}

/// Turns z to the axis.
Mat3 upright_axes(const Solid& s) {
  if (!has_axis(s)) return Mat3::Identity();
  return rotation_from_z(s.axis);
}

std::vector<Vec3> corners(const Vec3& edges) {
  std::vector<Vec3> out;
  for (int i = 0; i < 8; ++i)
    out.emplace_back((i & 1 ? 0.5 : -0.5) * edges[0], (i & 2 ? 0.5 : -0.5) * edges[1],
                     (i & 4 ? 0.5 : -0.5) * edges[2]);
  return out;
}

/// What a kind is called, how many sizes it has, and whether it has an axis.
struct Facts {
  std::string_view name;
  int sizes;
  bool axis;
};
constexpr std::array<Facts, 9> kFacts{{{"box", 3, false},
                                       {"sphere", 1, false},
                                       {"cylinder", 2, true},
                                       {"tube", 3, true},
                                       {"cone", 3, true},
                                       {"capsule", 2, true},
                                       {"ellipsoid", 3, false},
                                       {"rod", 1, true},
                                       {"point", 0, false}}};
const Facts& facts(const Solid& s) { return kFacts[static_cast<std::size_t>(s.kind)]; }

}  // namespace

std::string_view name_of(const Solid& s) { return facts(s).name; }
int sizes(const Solid& s) { return facts(s).sizes; }
bool has_axis(const Solid& s) { return facts(s).axis; }
bool is_thin(const Solid& s) { return s.kind == Shape::rod || s.kind == Shape::point; }

Moments moments(const Solid& s, double density) {
  const Moments out = upright(s, density);
  if (!has_axis(s)) return out;
  // of a round solid everything follows from its axis
  const Vec3 a = s.axis.normalized();
  const double across = out.second(0, 0), along = out.second(2, 2);
  return {out.mass, out.volume, out.first.z() * a,
          across * Mat3::Identity() + (along - across) * a * a.transpose()};
}

bool contains(const Solid& s, const Vec3& p, double skin) {
  if (is_thin(s)) return false;
  if (s.kind == Shape::box) return (p.cwiseAbs() - s.size / 2).maxCoeff() <= skin;
  if (s.kind == Shape::ellipsoid)
    return p.cwiseQuotient(s.size + Vec3::Constant(skin)).squaredNorm() <= 1;
  const Vec3 a = has_axis(s) ? Vec3(s.axis.normalized()) : Vec3(Vec3::UnitZ());
  const double z = a.dot(p), r = (p - z * a).norm();
  const Round shape = round(s);
  const double height = std::clamp(z, -shape.half, shape.half);
  const double within = s.kind == Shape::tube ? s.size[2] : 0;
  return std::abs(z) <= shape.half + skin && r <= shape.outside(s, height) + skin &&
         r >= within - skin;
}

std::vector<Vec3> outline(const Solid& s) {
  if (s.kind == Shape::box) return corners(s.size);
  if (s.kind == Shape::ellipsoid) {
    std::vector<Vec3> out = outline({Shape::sphere, {1, 0, 0}});
    for (Vec3& p : out) p = p.cwiseProduct(s.size);
    return out;
  }
  constexpr int kHeights = 9, kTurns = 32;
  std::vector<Vec3> out;
  const Round shape = round(s);
  const Mat3 R = upright_axes(s);
  for (int i = 0; i < kHeights; ++i) {
    const double z = shape.half * (2. * i / (kHeights - 1) - 1), r = shape.outside(s, z);
    for (int k = 0; k < kTurns; ++k) {
      const double turn = 2 * M_PI * k / kTurns;
      out.emplace_back(R * Vec3(r * std::cos(turn), r * std::sin(turn), z));
    }
  }
  return out;
}

}  // namespace trammel::body

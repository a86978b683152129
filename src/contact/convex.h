#pragma once

#include <array>

#include "contact/shape.h"
#include "math/index.h"

/// Convex shapes at their poses, as the narrow search sees them. All is in axes of the world about
/// an origin near the pair, so that rounding does not grow with the distance from the world's.
namespace trammel::contact {

/// A core and a layer of thickness `radius` about it: a sphere is a point, a capsule a segment.
struct Convex {
  enum class Core : unsigned char { point, segment, box, round, hull, ellipsoid, triangle };
  Core core = Core::point;
  double radius = 0;
  Vec3 size = Vec3::Zero();  // segment: z half its length; box: half its edges; round: radius at
                             // z = -length/2, half its length, radius at the other end;
                             // ellipsoid: its radii
  const Hull* hull = nullptr;
  std::array<Vec3, 3> corners = {};  // of a triangle, in S
  Pose X = {};
};

/// True for one so curved that searches end near where it is nearest, not there: they are made
/// exact after that.
inline bool is_curved(const Convex& c) {
  return c.core == Convex::Core::round || c.core == Convex::Core::ellipsoid;
}

/// A convex shape (not a mesh or what is unbounded); X as it is.
Convex convex_of(const Shape& shape);
/// A length that says how large it is [m].
double scale(const Convex& c);

struct Support {
  Vec3 p;
  int id;  // of the corner; of round ones, the end
};
/// A point of the core farthest along d.
Support support(const Convex& c, const Vec3& d);
/// By how much the support of an ellipsoid turns with the direction n, a unit vector: of
/// h(n) = |E n|, E its radii, the second derivatives E^2/h - E^2 n n^T E^2/h^3.
Mat3 bend_of_ellipsoid(const Convex& c, const Vec3& n);
/// A point within it.
Vec3 middle(const Convex& c);

/// The face, edge or corner of the core that looks most along a direction, counterclockwise about
/// it.
struct Feature {
  static constexpr int kMost = 64;
  int count = 0;
  std::array<Vec3, kMost> at;
  std::array<int, kMost> id;
  Vec3 normal;  // of three or more
};
void feature(const Convex& c, const Vec3& d, Feature& out);

/// Corners of round ones: a polygon on each rim, turning with the body, and the point of the rim
/// that is farthest along the direction.
inline constexpr int kRim = 8;
inline constexpr int kDeepest = 2 * kRim;  // and one more at the end z > 0

}  // namespace trammel::contact

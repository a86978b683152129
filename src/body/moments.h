#pragma once

#include <array>
#include <span>

#include "math/types.h"

/// Moments of mass about a point: all that the motion of a rigid or affine body knows of its shape.
namespace trammel::body {

/// Moments of mass of a solid or a mesh; x runs over its mass, rho dV.
struct Moments {
  double mass = 0;             // integral of rho dV [kg]
  double volume = 0;           // that fills it [m^3]
  Vec3 first = Vec3::Zero();   // integral of rho x dV [kg m]
  Mat3 second = Mat3::Zero();  // integral of rho x x^T dV [kg m^2]

  Vec3 com() const { return first / mass; }
  /// The same mass seen from the point `origin`.
  Moments about(const Vec3& origin) const;
  Moments& operator+=(const Moments& other);
  /// The same with its axes turned: x becomes R x.
  Moments turned(const Mat3& R) const;
};

/// I = tr(S) 1 - S, and S = tr(I)/2 1 - I, about the same point.
Mat3 inertia_of_second(const Mat3& second);
Mat3 second_of_inertia(const Mat3& inertia);

/// Uniform solids about their centres. The axis of a cylinder is z.
Moments box(const Vec3& edges, double density);
Moments sphere(double radius, double density);
Moments cylinder(double radius, double length, double density);

/// Corners of a triangle, counterclockwise seen from outside.
using Triangle = std::array<Vec3, 3>;
/// A solid between the triangles of a closed surface, by the divergence theorem: exact. Negative
/// volume: the surface is inside out.
Moments solid(std::span<const Triangle> surface, double density);

}  // namespace trammel::body

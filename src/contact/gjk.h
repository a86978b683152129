#pragma once

#include <array>

#include "contact/convex.h"

namespace trammel::contact {

/// Where two cores are nearest, or how deep one is in the other.
struct Nearest {
  Vec3 p_A = Vec3::Zero(), p_B = Vec3::Zero();  // of the cores
  Vec3 n = Vec3::UnitZ();                       // unit, from A to B
  double gap = 0;                               // negative: overlap
  std::array<int, 2> a = {}, b = {};            // ends of the features (Point::feature)
};

/// How far apart two planes across n, a unit vector, keep two cores.
double parted_along(const Convex& A, const Convex& B, const Vec3& n);

/// Gap and direction between the cores of two shapes, exact to rounding for corners, edges and
/// faces. What is certainly farther apart than `margin` may be left with any gap beyond it.
Nearest nearest(const Convex& A, const Convex& B, double margin);

}  // namespace trammel::contact

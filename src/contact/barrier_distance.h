#pragma once

#include <array>

#include "math/types.h"

/// Contact by a barrier: pairs of a point and a triangle, or of two edges.
namespace trammel::contact::barrier {

using Four = std::array<Vec3, 4>;  // point, triangle; or both ends of one edge, then of the other

/// Where a pair is closest: r = sum of w_i x_i from one to the other, which of both the signs of w
/// say, whose square D is the least over `free` parameters
/// (0: two corners, 1: a corner and an edge, 2: a corner and a face, or two edges).
struct Closest {
  std::array<double, 4> w{};
  int free = 0;
  std::array<std::array<double, 4>, 2> dw{};          // dw/d parameter
  std::array<Vec3, 2> T{Vec3::Zero(), Vec3::Zero()};  // dr/d parameter [m]
  Vec3 r = Vec3::Zero();                              // [m]
  double D = 0;                                       // [m^2]
};

/// Returns where a point x[0] is closest to a triangle x[1], x[2], x[3].
Closest point_triangle(const Four& x);
/// Returns where the edges x[0] x[1] and x[2] x[3] are closest.
Closest edge_edge(const Four& x);

/// Of a point x[0] and three points of a plane: the point, and a great triangle of the plane about
/// where it is closest.
Four on_plane(const Four& x);

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;
/// Returns dD/dx, three numbers a corner.
Vec12 gradient(const Closest& c);
/// Returns d^2D/dx^2. By the envelope theorem 2 (w w^T 1 - B (T^T T)^-1 B^T), B = w T + dw r.
Mat12 hessian(const Closest& c);

/// |u x v|^2 of two edges [m^4] with its derivatives: how far they are from being parallel.
double cross_squared(const Four& x);
Vec12 cross_gradient(const Four& x);
Mat12 cross_hessian(const Four& x);

}  // namespace trammel::contact::barrier

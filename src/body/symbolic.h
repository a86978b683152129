#pragma once

#include <array>

#include "expr/build.h"
#include "math/types.h"

/// Vectors and matrices of expressions. An empty expression is zero, so that what is not there is
/// not computed; ones and zeros of constant matrices leave no trace either.
namespace trammel::body::symbolic {

using E = expr::Expression;
using Vec = std::array<E, 3>;
using Mat = std::array<Vec, 3>;  // rows

E plus(E a, E b);
E minus(E a, E b);
E times(E a, E b);
E times(double a, E b);
E constant(expr::Graph& graph, double value);  // empty where it is zero

Vec plus(const Vec& a, const Vec& b);
Vec minus(const Vec& a, const Vec& b);
Vec times(E a, const Vec& b);
E dot(const Vec& a, const Vec& b);
Vec cross(const Vec& a, const Vec& b);
Vec product(const Mat& A, const Vec& x);
Vec transposed_product(const Mat& A, const Vec& x);
Mat product(const Mat& A, const Mat& B);

Vec constant(expr::Graph& graph, const Vec3& x);
/// A rotation, known to rounding.
Mat constant(expr::Graph& graph, const Mat3& R);
Mat identity(expr::Graph& graph);
/// The turn by an angle about a unit axis (Rodrigues).
Mat turn(const Vec3& axis, E angle);
bool is_zero(const Vec& a);

}  // namespace trammel::body::symbolic

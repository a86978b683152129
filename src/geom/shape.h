#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace trammel::geom {

/// How a quantity (curvature, cant) goes from one value to another along an element, x from 0 to 1:
///
///   constant 0 (a line or an arc)   linear x (a clothoid)   bloss 3x^2 - 2x^3
///   cosine (1 - cos pi x)/2         sine x - sin(2 pi x)/2pi
///   helmert 2x^2 | 1 - 2(1-x)^2     viennese 35x^4 - 84x^5 + 70x^6 - 20x^7
enum class Shape : unsigned char { constant, linear, bloss, cosine, sine, helmert, viennese };

/// The names a user may write: both the plan's (line, arc, clothoid) and the cant's.
inline constexpr std::array<std::string_view, 10> kShapeNames = {
    "line",  "arc",    "clothoid", "constant", "linear",
    "bloss", "cosine", "sine",     "helmert",  "viennese"};
std::optional<Shape> shape_named(std::string_view name);

/// A polynomial and one sinusoid: sum c_i x^i + a sin(w x) + b cos(w x). All the shapes above, and
/// their derivatives and integrals, are of this kind.
struct Ramp {
  static constexpr std::size_t kTerms = 9;
  std::array<double, kTerms> c{};
  std::size_t terms = 1;  // coefficients in use
  double a = 0, b = 0, w = 0;
};

struct RampValue {
  double f, d1, d2;  // value and derivatives by x
};

RampValue eval(const Ramp& r, double x);
Ramp scaled(double offset, double factor, const Ramp& r);  // offset + factor r
Ramp sum(const Ramp& p, const Ramp& q);                    // q without sinusoid
Ramp derivative(const Ramp& r);
Ramp antiderivative(const Ramp& r);  // zero at x = 0

/// Taylor coefficients about x0: r(x0 + t) = sum out_i t^i.
void taylor(const Ramp& r, double x0, double* out, std::size_t count);

/// An analytic stretch [x0, x1] of a shape: one, or two for Helmert's.
struct RampPiece {
  Ramp f;
  double x0, x1;
};
std::vector<RampPiece> ramp_pieces(Shape shape);

}  // namespace trammel::geom

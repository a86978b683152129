#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "math/signal.h"

/// Derived rows: one number made of the free coordinates of joints,
///
///     h(x) = sum a_i x_i - f(x_n) - offset,
///
/// linear for gears, racks, screws, belts and pulleys; f is the profile of a cam, a function of the
/// last coordinate. Up to four coordinates, of joints between any objects. The chain rule is
/// written once, in model/kinematics.
namespace trammel::joint {

constexpr std::size_t kCoupled = 4;

/// f, f' and f'' of a coordinate; smooth.
using Profile = std::function<Jet(double x)>;

struct Coupling {
  std::array<double, kCoupled> a{};        // h in the unit of the first coordinate times a[0]
  std::shared_ptr<const Profile> profile;  // of the last coordinate, or none
  double offset = 0;
};

/// h, its gradient, and the second derivative in the last coordinate (all others are zero).
struct Coupled {
  double h = 0, second = 0;
  std::array<double, kCoupled> d{};
};

inline Coupled evaluate(const Coupling& c, std::span<const double> x) {
  Coupled out;
  out.h = -c.offset;
  for (std::size_t i = 0; i < x.size(); ++i) {
    out.h += c.a[i] * x[i];
    out.d[i] = c.a[i];
  }
  if (!c.profile) return out;
  const Jet f = (*c.profile)(x.back());
  out.h -= f.x;
  out.d[x.size() - 1] -= f.v;
  out.second = -f.a;
  return out;
}

}  // namespace trammel::joint

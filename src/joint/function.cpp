// The table of the functions of rows, and the h(y, x) of those that are of products.
#include "joint/function.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "joint/lanes.h"
#include "joint/material.h"
#include "joint/own.h"

namespace trammel::joint {

namespace {

struct Plain {
  static double value(double y, double) { return y; }
  static Partials partials(double, double) { return {.d = {1, 0}}; }
};

struct Half {
  static double value(double y, double) { return 0.5 * y; }
  static Partials partials(double, double) { return {.d = {0.5, 0}}; }
};

struct Root {
  static double value(double y, double) { return std::sqrt(y); }
  static Partials partials(double y, double) {
    const double r = std::sqrt(y);
    return {.d = {0.5 / r, 0}, .d11 = -0.25 / (y * r)};
  }
  static double margin(double y, double) { return std::sqrt(y); }
  static bool fits(const Row& row) { return row.of[0].u == row.of[0].v && is_vector(row.of[0].u); }
};

struct Magnitude {
  static double value(double y, double) { return std::abs(y); }
  static Partials partials(double y, double) { return {.d = {y < 0 ? -1. : 1., 0}}; }
  static double margin(double y, double) { return std::abs(y); }
};

struct Angle {
  static double value(double y, double x) { return std::atan2(y, x); }
  static Partials partials(double y, double x) {
    const double n = x * x + y * y, d11 = -2 * x * y / (n * n);
    return {{x / n, -y / n}, d11, (y * y - x * x) / (n * n), -d11};
  }
  static double margin(double y, double x) { return std::hypot(y, x); }
};

/// y = n.D, x = n.a.
struct Radius {
  static double value(double y, double x) { return std::abs(y) / std::sqrt(1 - x * x); }
  static Partials partials(double y, double x) {
    const double side = y < 0 ? -1 : 1, q2 = 1 - x * x, q = std::sqrt(q2);
    return {.d = {side / q, side * y * x / (q * q2)},
            .d12 = side * x / (q * q2),
            .d22 = side * y * (1 + 2 * x * x) / (q * q2 * q2)};
  }
  static double margin(double y, double x) { return std::min(std::abs(y), 1 - std::abs(x)); }
  static bool fits(const Row& row) {
    return is_vector(row.of[0].u) != is_vector(row.of[0].v) && !is_vector(row.of[1].u) &&
           !is_vector(row.of[1].v);
  }
};

template <class H>
void in_lanes_of(int n, const double* y, const double* x, double* value, double* d) {
  for (int i = 0; i < n; ++i) {
    value[i] = H::value(y[i], x[i]);
    if (d == nullptr) continue;
    const Partials h = H::partials(y[i], x[i]);
    d[i] = h.d[0];
    d[kLanes + i] = h.d[1];
  }
}

template <class H>
constexpr OfProducts of_products() {
  OfProducts out{H::value, H::partials, nullptr, in_lanes_of<H>};
  if constexpr (requires { H::margin(0., 0.); }) out.margin = H::margin;
  return out;
}

bool of_one_body(const Row& row) { return on_B(row.of[0].u) == on_B(row.of[0].v); }

constexpr unsigned kAxesOfA = (1u << idx(Feature::Bx)) - 1, kAxesOfB = kAxesOfA << 3;
unsigned axes_of_body(const Row& row) { return on_B(row.of[0].u) ? kAxesOfB : kAxesOfA; }
/// The axes tell how the objects turn.
unsigned axes_and_D(const Row&) { return kAxesOfA | kAxesOfB | 1u << idx(Feature::D); }
unsigned projection(const Row&) { return kProjection; }

}  // namespace

constinit const Function kFunctions[] = {
    {.name = "", .plain = true, .h = of_products<Plain>()},
    // sqrt(u.u): a distance, so that laws keep N and m
    {.name = "sqrt",
     .fits = Root::fits,
     .unit = Unit::metre,
     .distance = true,
     .h = of_products<Root>()},
    // |u.v|: of a point from a plane
    {.name = "abs", .unit = Unit::metre, .distance = true, .h = of_products<Magnitude>()},
    {.name = "atan2",
     .products = 2,
     .unit = Unit::radian,
     .turns = true,
     .h = of_products<Angle>()},
    // |n.D| / sqrt(1 - (n.a)^2): of a disc about a that touches the plane of normal n
    {.name = "radius",
     .products = 2,
     .fits = Radius::fits,
     .unit = Unit::metre,
     .distance = true,
     .h = of_products<Radius>()},
    // (u.v - [u = v])/2 of two axes of one body: Green's strain, zero while it is rigid
    {.name = "strain",
     .axes = 2,
     .fits = of_one_body,
     .unit = Unit::one,
     .shape = true,
     .green = true,
     .h = of_products<Half>(),
     .rest = 0.5,
     .own_jacobian = strain_jacobian},
    // of X = R U, X the axes of one body: U_uv - [u = v], the right stretch's strain
    {.name = "stretch",
     .axes = 2,
     .fits = of_one_body,
     .unit = Unit::one,
     .shape = true,
     .own = &kRightStretch,
     .features = axes_of_body},
    // the arc length itself
    {.name = "s", .products = 0, .unit = Unit::metre, .own = &kArcLength, .features = projection},
    // How fast B's material point at the contact moves over A's along a direction d: slip(d),
    // slip(d, n), slip(d, n, a).
    {.name = "slip",
     .products = 0,
     .axes = 1,
     .unit = Unit::metre,
     .touch = &kTouchesAtOrigin,
     .features = axes_and_D},
    {.name = "slip",
     .products = 0,
     .axes = 2,
     .unit = Unit::metre,
     .touch = &kTouchesAsBall,
     .features = axes_and_D},
    {.name = "slip",
     .products = 0,
     .axes = 3,
     .unit = Unit::metre,
     .touch = &kTouchesAsDisc,
     .features = axes_and_D},
    {.name = "value", .products = 0, .unit = Unit::metre, .coupled = true},
    {.name = "value", .products = 0, .unit = Unit::radian, .coupled = true},
};

std::span<const Function> functions() { return kFunctions; }

const Function& coupled_function(Unit unit) {
  const auto it = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                               [&](const Function& f) { return f.coupled && f.unit == unit; });
  assert(it != std::end(kFunctions));
  return *it;
}

std::string_view symbol(Unit unit) {
  constexpr std::array<std::string_view, 4> kSymbols{"1", "m", "m^2", "rad"};
  return kSymbols[static_cast<std::size_t>(unit)];
}

}  // namespace trammel::joint

#pragma once

#include <array>
#include <cmath>

#include "joint/evaluate.h"
#include "math/rotation.h"

/// What the evaluator's two files share: features as material points and directions of the objects
/// (no constitutive laws: these are laws on rows),
/// and the scalar functions of rows with their derivatives.
namespace trammel::joint {

constexpr auto idx(Feature f) { return static_cast<std::size_t>(f); }
constexpr bool has(unsigned mask, Feature f) { return (mask >> idx(f) & 1u) != 0; }
constexpr Feature operator+(Feature f, int i) {
  return static_cast<Feature>(static_cast<int>(f) + i);
}
constexpr bool on_B(Feature f) { return f >= Feature::Bx && f <= Feature::Bz; }
constexpr bool is_curve(Feature f) { return f >= Feature::Cx; }
constexpr bool is_vector(Feature f) { return f == Feature::D || f == Feature::E; }

/// The row's products u.v, its function's gradient and Hessian in them.
struct Scalar {
  std::array<double, 2> p{}, d{};
  double d11 = 0, d12 = 0, d22 = 0;
};

inline Scalar scalar(Function fn, double y, double x) {
  Scalar s;
  s.p = {y, x};
  if (fn == Function::product) {
    s.d = {1, 0};
  } else if (fn == Function::strain) {
    s.d = {0.5, 0};
  } else if (fn == Function::sqrt) {
    const double r = std::sqrt(y);
    s.d = {0.5 / r, 0};
    s.d11 = -0.25 / (y * r);
  } else if (fn == Function::abs) {
    s.d = {y < 0 ? -1. : 1., 0};
  } else if (fn == Function::radius) {
    const double side = y < 0 ? -1 : 1, q2 = 1 - x * x, q = std::sqrt(q2);
    s.d = {side / q, side * y * x / (q * q2)};
    s.d12 = side * x / (q * q2);
    s.d22 = side * y * (1 + 2 * x * x) / (q * q2 * q2);
  } else if (fn == Function::atan2) {
    const double n = x * x + y * y;
    s.d = {x / n, -y / n};
    s.d11 = -2 * x * y / (n * n);
    s.d22 = -s.d11;
    s.d12 = (y * y - x * x) / (n * n);
  }
  return s;
}

inline Scalar scalar(const Row& row, const Sample& at) {
  std::array<double, 2> p{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(row.products()); ++i)
    p[i] = at.x[idx(row.of[i].u)].dot(at.x[idx(row.of[i].v)]);
  return scalar(row.fn, p[0], p[1]);
}

/// The function itself, of its first product and of its second, if it takes one.
inline double value(Function fn, double y, double x) {
  switch (fn) {
    case Function::sqrt:
      return std::sqrt(y);
    case Function::abs:
      return std::abs(y);
    case Function::atan2:
      return std::atan2(y, x);
    case Function::radius:
      return std::abs(y) / std::sqrt(1 - x * x);
    default:
      return y;
  }
}

/// A feature as the object carries it, in the object's own axes: a point of it (D, E) or a
/// direction, with d/ds and d^2/ds^2 where it slides along the curve.
struct Material {
  Vec3 c = Vec3::Zero(), c_s = Vec3::Zero(), c_ss = Vec3::Zero();
};

inline Material material_A(const Ends& ends, const Sample& at, Feature f) {
  Material m;
  const Pose& X = *ends.A.X_OF;
  if (f == Feature::D) {
    m.c = X.p;
  } else if (!is_curve(f)) {
    m.c = X.R.col(static_cast<int>(f));
  } else {
    const geom::CurvePoint& c = at.curve;
    const Mat3 W = skew(c.Omega), T = X.R * W;
    if (f == Feature::E) {
      m.c = X.p + X.R * c.p;
      m.c_s = X.R * c.C.col(0);
      m.c_ss = T * c.C.col(0);
    } else {
      const Vec3 a = c.C.col(static_cast<int>(f) - static_cast<int>(Feature::Cx));
      m.c = X.R * a;
      m.c_s = T * a;
      m.c_ss = X.R * (skew(c.dOmega) * a) + T * (W * a);
    }
  }
  return m;
}

inline Vec3 material_B(const Ends& ends, Feature f) {
  if (!on_B(f)) return ends.B.X_OF->p;
  return ends.B.X_OF->R.col(static_cast<int>(f) - static_cast<int>(Feature::Bx));
}

/// d(feature)/ds with the objects at rest.
inline Vec3 slope(const Sample& at, Feature f) {
  if (f == Feature::E) return -at.x[idx(Feature::Cx)];
  return is_curve(f) ? at.x_s[idx(f) - idx(Feature::Cx)] : Vec3(Vec3::Zero());
}

}  // namespace trammel::joint

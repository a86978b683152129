#pragma once

#include <cmath>

#include "model/kinematics.h"

/// Numbers and vectors with their first and second derivatives by time, and what moves with an
/// object.
namespace trammel::constraint {

struct Jet {
  double x = 0, v = 0, a = 0;
};
struct Jet3 {
  Vec3 x, v, a;
};
inline Jet operator+(const Jet& p, const Jet& q) { return {p.x + q.x, p.v + q.v, p.a + q.a}; }
inline Jet operator-(const Jet& p, double c) { return {p.x - c, p.v, p.a}; }
inline Jet operator*(double c, const Jet& p) { return {c * p.x, c * p.v, c * p.a}; }
inline Jet operator*(const Jet& p, const Jet& q) {
  return {p.x * q.x, p.v * q.x + p.x * q.v, p.a * q.x + 2 * p.v * q.v + p.x * q.a};
}
inline Jet inverse(const Jet& p) {
  const double y = 1 / p.x;
  return {y, -p.v * y * y, (2 * p.v * p.v * y - p.a) * y * y};
}
inline Jet root(const Jet& p) {
  const double y = std::sqrt(p.x), v = p.v / (2 * y);
  return {y, v, (p.a / 2 - v * v) / y};
}
inline Jet3 operator+(const Jet3& p, const Jet3& q) { return {p.x + q.x, p.v + q.v, p.a + q.a}; }
inline Jet3 operator-(const Jet3& p, const Jet3& q) { return {p.x - q.x, p.v - q.v, p.a - q.a}; }
inline Jet3 operator*(double c, const Jet3& p) { return {c * p.x, c * p.v, c * p.a}; }
inline Jet3 operator*(const Jet& c, const Jet3& p) {
  return {c.x * p.x, c.v * p.x + c.x * p.v, c.a * p.x + 2 * c.v * p.v + c.x * p.a};
}
inline Jet dot(const Jet3& p, const Jet3& q) {
  return {p.x.dot(q.x), p.v.dot(q.x) + p.x.dot(q.v),
          p.a.dot(q.x) + 2 * p.v.dot(q.v) + p.x.dot(q.a)};
}
inline Jet3 cross(const Jet3& p, const Jet3& q) {
  return {p.x.cross(q.x), p.v.cross(q.x) + p.x.cross(q.v),
          p.a.cross(q.x) + 2 * p.v.cross(q.v) + p.x.cross(q.a)};
}
inline Jet length(const Jet3& p) { return root(dot(p, p)); }
inline Jet3 fixed(const Vec3& x) { return {x, Vec3::Zero(), Vec3::Zero()}; }

/// What an object carries, in its axes.
struct Carried {
  const body::Transform& T;
  const body::Rate& rate;
  const body::Bias& bias;
  Jet3 point(const Vec3& x) const {
    return {T.p + T.A * x, rate.v + rate.A * x, bias.v + bias.A * x};
  }
  Jet3 direction(const Vec3& d) const { return {T.A * d, rate.A * d, bias.A * d}; }
  Mat3 gradient() const { return rate.A * T.A.inverse(); }
  /// Acceleration of the material point that is at the place x.
  Vec3 acceleration(const Vec3& x) const { return bias.v + bias.A * (T.A.inverse() * (x - T.p)); }
  Vec3 velocity(const Vec3& x) const { return rate.v + rate.A * (T.A.inverse() * (x - T.p)); }
};

/// Gap, normal from A to B, and the place on B.
struct Meeting {
  Jet gap;
  Jet3 n, x;
};

}  // namespace trammel::constraint

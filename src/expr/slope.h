#pragma once

#include <cmath>

#include "expr/evaluate.h"

namespace trammel::expr {

/// Value of an operation and its derivatives by the arguments that are active (bit i of `active`);
/// the others' are not set.
struct Slope {
  double f = 0, a = 0, b = 0, aa = 0, ab = 0, bb = 0;
};

inline Slope quotient_slope(double a, double b) {
  const double f = a / b;
  return {f, 1 / b, -f / b, 0, -1 / (b * b), 2 * f / (b * b)};
}

inline Slope whole_power_slope(double a, double n) {
  return {whole_power(a, n), n * whole_power(a, n - 1), 0, n * (n - 1) * whole_power(a, n - 2)};
}

inline Slope power_slope(double a, double b, unsigned active) {
  Slope s{real_power(a, b)};
  const double below = real_power(a, b - 1);
  if (active & 1) {
    s.a = b * below;
    s.aa = b * (b - 1) * real_power(a, b - 2);
  }
  if (!(active & 2)) return s;
  const double log = std::log(a);
  s.b = s.f * log;
  s.ab = below * (1 + b * log);
  s.bb = s.b * log;
  return s;
}

inline Slope hypot_slope(double a, double b) {
  const double f = std::hypot(a, b), x = a / f, y = b / f;
  return {f, x, y, y * y / f, -x * y / f, x * x / f};
}

inline Slope atan2_slope(double y, double x) {
  const double q = y * y + x * x, fy = x / q, fx = -y / q;
  return {std::atan2(y, x), fy, fx, 2 * fx * fy, fx * fx - fy * fy, -2 * fx * fy};
}

/// Of operations that are neither flat nor choices nor calls.
inline Slope slope(Op op, double a, double b, unsigned active) {
  switch (op) {
    case Op::add:
      return {a + b, 1, 1};
    case Op::sub:
      return {a - b, 1, -1};
    case Op::mul:
      return {a * b, b, a, 0, 1, 0};
    case Op::div:
      return quotient_slope(a, b);
    case Op::power:
      return whole_power_slope(a, b);
    case Op::pow:
      return power_slope(a, b, active);
    case Op::hypot:
      return hypot_slope(a, b);
    case Op::atan2:
      return atan2_slope(a, b);
    default: {
      const double f = unary(op).value(a);
      const Slopes s = unary(op).slopes(a, f);
      return {f, s.d, 0, s.dd};
    }
  }
}

}  // namespace trammel::expr

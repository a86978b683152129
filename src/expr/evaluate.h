#pragma once

#include <cmath>
#include <limits>

#include "expr/op.h"
#include "expr/unary.h"

/// The value of each operation: one definition, for the tape and for constants folded before.
namespace trammel::expr {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kHighestPower = 1024;  // of Op::power, either sign
constexpr int kSmallPower = 16;         // up to which it is multiplications

/// A whole number small enough for Op::power.
inline bool is_whole_power(double b) { return std::abs(b) <= kHighestPower && b == std::trunc(b); }

/// a^n for whole n: by repeated squaring up to kSmallPower, by std::pow beyond.
inline double whole_power(double a, double n) {
  if (n == 2) return a * a;
  if (std::abs(n) > kSmallPower) return std::pow(a, n);
  if (n < 0) return 1 / whole_power(a, -n);
  double out = 1;
  for (int k = static_cast<int>(n); k > 0; k /= 2, a *= a)
    if (k % 2 == 1) out *= a;
  return out;
}

/// The same bits whether b is known to be whole before or not.
inline double real_power(double a, double b) {
  return is_whole_power(b) ? whole_power(a, b) : std::pow(a, b);
}

/// 1, 0, or NaN where neither a < b nor a >= b.
inline double is_less(double a, double b) { return a < b ? 1 : a >= b ? 0 : kNaN; }
inline double is_equal(double a, double b) { return a == b ? 1 : a < b || a > b ? 0 : kNaN; }

/// The argument that `op` (min, max, select) chooses: 0, 1, 2; -1: none, by NaN. Of equals the
/// first.
inline int chosen(Op op, double a, double b) {
  if (op == Op::min) return a <= b ? 0 : a > b ? 1 : -1;
  if (op == Op::max) return a >= b ? 0 : a < b ? 1 : -1;
  return a == 0 ? 2 : a == a ? 1 : -1;
}

inline double choice(Op op, double a, double b, double c) {
  const int i = chosen(op, a, b);
  return i == 0 ? a : i == 1 ? b : i == 2 ? c : kNaN;
}

/// Value of an operation on its arguments, as many as it has. The quick functions are written out.
inline double evaluate(Op op, double a, double b, double c) {
  switch (op) {
    case Op::neg:
      return -a;
    case Op::abs:
      return std::abs(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::power:
      return whole_power(a, b);
    case Op::pow:
      return real_power(a, b);
    case Op::hypot:
      return std::hypot(a, b);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::less:
      return is_less(a, b);
    case Op::less_equal:
      return 1 - is_less(b, a);
    case Op::equal:
      return is_equal(a, b);
    case Op::different:
      return 1 - is_equal(a, b);
    case Op::both:
      return a * b;
    case Op::either:
      return a + b - a * b;
    case Op::min:
    case Op::max:
    case Op::select:
      return choice(op, a, b, c);
    default:
      return unary(op).value(a);
  }
}

}  // namespace trammel::expr

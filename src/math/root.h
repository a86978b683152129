#pragma once

#include <algorithm>
#include <cmath>

namespace trammel {

/// Root of f in [a, b], f(a) and f(b) of opposite sign (or zero), to `tol` in x: bisection guarded
/// by the secant through the bracket (ITP: Oliveira and Takahashi 2020, never slower than
/// bisection).
template <class F>
double find_root(F&& f, double a, double b, double fa, double fb, double tol) {
  if (fa == 0) return a;
  if (fb == 0) return b;
  const double k = 0.2 / (b - a);
  const int n_max = static_cast<int>(std::ceil(std::log2(std::max(2.0, (b - a) / (2 * tol))))) + 1;
  for (int j = 0; j < n_max + 2 && b - a > 2 * tol; ++j) {
    const double half = (a + b) / 2, r = tol * std::exp2(n_max - j) - (b - a) / 2;
    const double secant = (fb * a - fa * b) / (fb - fa), sigma = half > secant ? 1 : -1;
    const double delta = k * (b - a) * (b - a);
    const double t =
        delta <= std::abs(half - secant) ? secant + sigma * std::min(delta, tol) : half;
    const double x = std::abs(t - half) <= r ? t : half - sigma * r;
    const double fx = f(x);
    if (fx == 0) return x;
    if ((fx > 0) == (fb > 0)) {
      b = x;
      fb = fx;
    } else {
      a = x;
      fa = fx;
    }
  }
  return (a + b) / 2;
}

/// First root of f in [a, b], where f is below zero just after `a` and fb = f(b) > 0, to `tol`. At
/// `a` itself f is zero to rounding, and the root may be very near to it, so that a bracket is
/// looked for from b down. Returns a where f is above zero all the way.
template <class F>
double find_root_after(F&& f, double a, double b, double fb, double tol) {
  for (double way = (b - a) / 2; way > tol / 10; way /= 2) {
    const double value = f(a + way);
    if (value < 0) return find_root(f, a + way, b, value, fb, tol);
    b = a + way;
    fb = value;
  }
  return a;
}

}  // namespace trammel

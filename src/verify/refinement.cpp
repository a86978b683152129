#include "verify/refinement.h"

#include <cmath>
#include <numeric>

namespace trammel::verify {

namespace {

constexpr double kFiner[] = {1, 2.3, 5.1};
constexpr int kBisections = 60;

/// Returns the least number from n on that has no divisor in common with all before it.
long coprime_from(long n, long product) {
  while (std::gcd(n, product) > 1) ++n;
  return n;
}

}  // namespace

long steps_between(const Grid& grid, int level) {
  long out = grid.stride, product = 1;
  for (int i = 1; i <= level; ++i) {
    product *= out;
    out = coprime_from(std::lround(kFiner[i] * static_cast<double>(grid.stride)), product);
  }
  return out;
}

double order_of_differences(double e1, double e2, double h0, double h1, double h2) {
  const auto ratio = [&](double p) {
    if (std::abs(p) < 1e-6) return std::log(h0 / h1) / std::log(h1 / h2);
    return std::expm1(p * std::log(h0 / h1)) / -std::expm1(-p * std::log(h1 / h2));
  };
  double lo = -kMostOrder, hi = kMostOrder;  // the ratio rises with the order
  for (int i = 0; i < kBisections; ++i) {
    const double p = (lo + hi) / 2;
    (ratio(p) < e1 / e2 ? lo : hi) = p;
  }
  return (lo + hi) / 2;
}

double extrapolating(double h0, double h1, double order) {
  return 1 + 1 / (std::pow(h0 / h1, order) - 1);
}

}  // namespace trammel::verify

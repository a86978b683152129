#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/point.h"

/// Which points of two lists are the same.
namespace trammel::constraint {

/// Up to so many pairs that are near each other a step is looked at closely: it ends where they
/// meet and follows what stays in touch. A heap is solved as a whole, at a fraction of the cost.
inline constexpr std::size_t kFewPairs = 32;

/// The key of a point.
using Key = std::array<std::int64_t, 3>;
inline Key key_of(const contact::Point& p) { return {p.A, p.B, p.feature}; }

/// Calls f(i, k) for each of some points i that is the kth of n keys; both are sorted.
template <class KeyAt, class F>
void match(const std::vector<contact::Point>& points, std::size_t n, const KeyAt& key_at,
           const F& f) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < points.size() && k < n; ++i) {
    const Key wanted = key_of(points[i]);
    while (k < n && key_at(k) < wanted) ++k;
    if (k < n && key_at(k) == wanted) f(i, k);
  }
}

}  // namespace trammel::constraint

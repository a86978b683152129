#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/point.h"

/// Which points of two lists are the same.
namespace trammel::constraint {

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

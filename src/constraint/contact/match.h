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

/// The points of one pair in two lists: [i, i_end) of the one, [k, k_end) of the other.
struct PairOfBoth {
  std::size_t i, i_end, k, k_end;
};

/// Calls f(PairOfBoth) for each pair of the second list; of the first it may have no points. Both
/// are sorted.
template <class F>
void match_pairs(const std::vector<contact::Point>& points,
                 const std::vector<contact::Point>& others, const F& f) {
  const auto pair = [](const contact::Point& p) { return std::array{p.A, p.B}; };
  PairOfBoth both{0, 0, 0, 0};
  while (both.k_end < others.size()) {
    const std::array<int, 2> wanted = pair(others[both.k_end]);
    both.k = both.k_end;
    while (both.k_end < others.size() && pair(others[both.k_end]) == wanted) ++both.k_end;
    both.i = both.i_end;
    while (both.i < points.size() && pair(points[both.i]) < wanted) ++both.i;
    both.i_end = both.i;
    while (both.i_end < points.size() && pair(points[both.i_end]) == wanted) ++both.i_end;
    f(both);
  }
}

}  // namespace trammel::constraint

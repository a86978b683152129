#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "math/signal.h"

namespace trammel::sim {

/// Returns the first switch of a signal after `from`, not after `to`.
inline auto switches_of(const Signal& s) {
  return [&s](double from, double to) {
    return s.has_switches() ? s.next_switch(from, to, 1) : Switch{};
  };
}

/// Calls f(from, to) for each stretch of a step in which what has these switches is smooth: steps
/// are cut there.
template <class NextSwitch, class F>
void for_smooth(const NextSwitch& next_switch, double from, double to, F f) {
  constexpr int kMostPieces = 10'000;
  for (int k = 0; k < kMostPieces; ++k) {
    const Switch next = next_switch(from, to);
    if (!(next.t <= to)) return f(from, to);
    f(from, std::max(from, next.before));
    from = next.t;
  }
}

}  // namespace trammel::sim

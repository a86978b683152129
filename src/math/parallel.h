#pragma once

#include <atomic>
#include <vector>

/// The threads that share the work of a step. Results never depend on their number: pieces of work
/// write apart from each other, and what is summed is summed in an order of the problem's own
/// (docs/theory/threads.md).
namespace trammel::parallel {

/// Threads of the whole process from now on, >= 1; 0: as many as it may run on. 1 at the start. Not
/// while work is under way.
void set_threads(int n);
int threads();

namespace detail {
using Call = void (*)(const void* f, int piece);
void run(int pieces, Call call, const void* f);
using CallOfTurn = void (*)(const void* f, int turn, int piece);
void run_turns(const std::vector<int>& pieces, CallOfTurn call, const void* f);
}  // namespace detail

/// f(0), ..., f(n - 1), in any order and at once.
template <class F>
void for_each(int n, const F& f) {
  if (n < 2 || threads() < 2) {
    for (int i = 0; i < n; ++i) f(i);
    return;
  }
  detail::run(
      n, [](const void* g, int i) { (*static_cast<const F*>(g))(i); }, &f);
}

/// f(first, last) over pieces of [0, n): as a whole with one thread or below two grains, else
/// `grain` at a time. What f makes of an element must not depend on where its piece ends.
template <class F>
void for_pieces(int n, int grain, const F& f) {
  if (n < 2 * grain || threads() < 2) return f(0, n);
  for_each((n + grain - 1) / grain, [&](int piece) {
    const int first = piece * grain;
    f(first, n - first < grain ? n : first + grain);
  });
}

/// f(turn, first, last) over pieces of [0, size(turn)), `grain` at a time, for turn = 0, ..., turns -
/// 1: all of a turn before any of the next, by one call of the threads. For turns of some ten
/// microseconds, which a call for each would make half as long again.
template <class Size, class F>
void in_turns(int turns, int grain, const Size& size, const F& f) {
  bool shared = false;
  for (int t = 0; t < turns; ++t) shared = shared || size(t) >= 2 * grain;
  if (!shared || threads() < 2) {
    for (int t = 0; t < turns; ++t) f(t, 0, size(t));
    return;
  }
  std::vector<int> pieces(static_cast<std::size_t>(turns));
  for (int t = 0; t < turns; ++t)
    pieces[static_cast<std::size_t>(t)] = (size(t) + grain - 1) / grain;
  const auto piece = [&](int t, int i) {
    const int first = i * grain;
    f(t, first, size(t) - first < grain ? size(t) : first + grain);
  };
  detail::run_turns(
      pieces,
      [](const void* g, int t, int i) { (*static_cast<const decltype(piece)*>(g))(t, i); }, &piece);
}

/// Makes `most` at least x; NaN counts as nothing.
inline void raise(std::atomic<double>& most, double x) {
  double before = most.load(std::memory_order_relaxed);
  while (x > before && !most.compare_exchange_weak(before, x)) continue;
}

/// The greatest of `least` and what f(first, last) gives of the pieces; NaN counts as nothing.
template <class F>
double greatest(int n, int grain, double least, const F& f) {
  if (n < 2 * grain || threads() < 2) {
    const double x = f(0, n);
    return x > least ? x : least;
  }
  std::atomic<double> most = least;
  for_pieces(n, grain, [&](int first, int last) { raise(most, f(first, last)); });
  return most;
}

}  // namespace trammel::parallel

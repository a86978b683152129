#pragma once

#include "math/gauss.h"

namespace trammel::law {

/// The time over which a step applies a force: from t to t + h. What varies with the time acts with
/// its mean there, all else as it is at one instant. A step of two kicks of h/2 weighs the first by
/// the time that is left and the second by the time that has gone,
///
///   F1 = 2/h^2 int (t + h - s) F(s) ds,   F2 = 2/h^2 int (s - t) F(s) ds,
///
/// which brings a free body to its place and its velocity at t + h exactly. Both are F where it is
/// constant, and change places where the time is turned round.
struct Span {
  enum class Weight : unsigned char {
    none,   // no span: an instant
    whole,  // the mean
    first,  // F1
    second  // F2
  };
  double t = 0, h = 0;  // [s]
  Weight weight = Weight::none;

  bool is_instant() const { return weight == Weight::none; }
  /// The weight of a point at t + x h in the mean.
  double at(double x) const {
    return weight == Weight::first ? 2 * (1 - x) : weight == Weight::second ? 2 * x : 1;
  }
};

/// Returns the mean of f(t) over a span by Gauss' rule; without one f at t. Where f does not change
/// it is f to the bit.
template <class F>
auto mean_over(const Span& span, double t, const F& f) {
  using Value = decltype(f(t));
  if (span.is_instant()) return f(t);
  const auto value = [&](const GaussNode& node) { return f(span.t + node.x * span.h); };
  const Value first = value(kGaussKronrod[1]);
  Value out = first;
  for (std::size_t i = 3; i < kGaussKronrod.size(); i += 2) {
    const GaussNode& node = kGaussKronrod[i];
    const Value change = value(node) - first;
    out += node.gauss * span.at(node.x) * change;
  }
  return out;
}

}  // namespace trammel::law

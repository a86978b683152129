#pragma once

#include <string>
#include <vector>

#include "expr/tape.h"
#include "math/signal.h"

namespace trammel::expr {

/// When an expression switches that may contain the time: where a condition, a sign, a floor, the
/// choice of min or max, or a piece of a table in it changes, and where something by which it
/// divides vanishes. Only parts that depend on the time alone are watched.
///
/// Each is the zero of a function g(t), found in halves of the interval asked for: where g changes
/// its sign, or has an extremum that reaches or passes zero. Moments are found to the last bit, and
/// depend on nothing but the interval.
class SwitchesOf {
 public:
  SwitchesOf() = default;
  /// `inputs` are all that f contains, t among them.
  SwitchesOf(Expression f, std::span<const Expression> inputs, Expression t);

  bool empty() const { return watches_.empty(); }
  /// The first switch after `from`, not after `to`.
  Switch operator()(double from, double to) const;

 private:
  enum class Levels : unsigned char { zero, whole, breaks, poles_of_tan };
  struct Watch {
    Levels levels = Levels::zero;
    bool divides = false;  // something is divided by it
    static constexpr std::uint32_t kNone = ~0u;
    std::uint32_t a = 0, b = kNone;  // outputs of the tape: g = a - b
    std::vector<double> breaks{};
  };
  class Collector;
  class Search;
  bool grows(double at, double way) const;
  double value(double t, double& rate) const;

  std::vector<Watch> watches_;
  Tape parts_, whole_;
  std::size_t time_ = 0, inputs_ = 0;  // of whole_
};

}  // namespace trammel::expr

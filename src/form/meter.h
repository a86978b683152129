#pragma once

#include <functional>
#include <limits>

namespace trammel::form {

/// Counts what stepping costs and says when it is too much. Work is counted, not measured, so that
/// where it ends a run is the scene's doing and not that of a busy machine. A unit is about a
/// nanosecond of one core.
class Meter {
 public:
  struct Costs {  // [units]
    double step = 0, iteration = 0, factorisation = 0;
    double slope = 0;  // of a right-hand side
  } costs;
  double most = std::numeric_limits<double>::infinity();  // [units]
  /// A limit that somebody else keeps, as of the wall clock: asked now and then, also within steps;
  /// once it says true that is the end.
  std::function<bool()> over;

  void add(double units) {
    done_ += units;
    if (over && done_ >= ask_ && !cut_) {
      cut_ = over();
      ask_ = done_ + kAsk;
    }
  }
  double done() const { return done_; }
  bool cut() const { return cut_; }  // by that limit
  bool enough() const { return cut_ || done_ > most; }

 private:
  static constexpr double kAsk = 1e6;
  double done_ = 0, ask_ = 0;
  bool cut_ = false;
};

}  // namespace trammel::form

#pragma once

#include <algorithm>
#include <chrono>

namespace trammel::serve {

/// Token bucket (RFC 2697 calls it a single-rate meter): up to `burst` at once, `rate` a second in
/// the long run. What turns out not to count is given back.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;
  RateLimit(double rate, double burst, Clock::time_point now)
      : rate_(rate), burst_(burst), left_(burst), since_(now) {}

  /// Counts one at `now` and returns how long it has to wait [s]; 0: it may go on.
  double take(Clock::time_point now) {
    const double passed = std::chrono::duration<double>(now - since_).count();
    since_ = now;
    left_ = std::min(burst_, left_ + rate_ * passed) - 1;
    return left_ >= 0 ? 0 : -left_ / rate_;
  }
  void give_back() { left_ = std::min(burst_, left_ + 1); }

 private:
  double rate_, burst_, left_;
  Clock::time_point since_;
};

}  // namespace trammel::serve

#include "math/integrated.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace trammel {

namespace {

/// The integral of f over an interval up to b and that of (b - t) f, with the greatest |f| met.
struct Sums {
  double first = 0, second = 0, most = 0;
};

/// Gauss and Legendre, 8 points: exact for polynomials up to degree 15.
Sums gauss(const Signal& f, double a, double b, double until) {
  constexpr std::array<double, 4> kX{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                     0.9602898564975363};
  constexpr std::array<double, 4> kW{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};
  const double mid = (a + b) / 2, half = (b - a) / 2;
  Sums out;
  for (std::size_t i = 0; i < 4; ++i)
    for (const double x : {mid - half * kX[i], mid + half * kX[i]}) {
      const double y = f.value(x);
      out.first += half * kW[i] * y;
      out.second += half * kW[i] * y * (until - x);
      out.most = std::max(out.most, std::abs(y));
    }
  return out;
}

Sums operator+(const Sums& a, const Sums& b) {
  return {a.first + b.first, a.second + b.second, std::max(a.most, b.most)};
}

/// Halves the panel until both integrals agree, with an error far below what they differ by. The
/// first alone may agree by chance where f is odd about the middle, as over whole cycles.
Sums adaptive(const Signal& f, double a, double b, double until, const Sums& whole, int depth) {
  constexpr int kDeepest = 12;
  constexpr double kAgree = 1e-12;
  const double mid = (a + b) / 2;
  const Sums left = gauss(f, a, mid, until), right = gauss(f, mid, b, until), both = left + right;
  const double off = std::max(std::abs(both.first - whole.first),
                              std::abs(both.second - whole.second) / (until - a));
  if (!(off > kAgree * (b - a) * both.most) || depth == kDeepest) return both;
  return adaptive(f, a, mid, until, left, depth + 1) + adaptive(f, mid, b, until, right, depth + 1);
}

Sums between(const Signal& f, double a, double b) {
  Sums out;
  for (double from = a; from < b;) {
    const Switch next = f.next_switch(from, b, 1);
    const double to = std::min(next.before, b);
    if (to > from) out = out + adaptive(f, from, to, b, gauss(f, from, to, b), 0);
    from = std::max(next.t, to);
  }
  return out;
}

/// The integral and the double integral from 0 to t, kept at the ends of panels of equal length so
/// that they are the same bits whatever was asked for before.
class Integral {
 public:
  explicit Integral(Signal f) : f_(std::move(f)) {}

  std::array<double, 2> at(double t) {
    if (!(t > 0)) {
      const Sums back = between(f_, t, 0);  // int_t^0 (0 - s) f ds; from 0 down to t:
      return {-back.first, -back.second - t * back.first};
    }
    const auto k = static_cast<std::size_t>(t / kPanel);
    const double from = static_cast<double>(k) * kPanel;
    return carried(ends_until(k), between(f_, from, t), t - from);
  }

 private:
  using Pair = std::array<double, 2>;
  static constexpr double kPanel = 0.125;  // s

  static Pair carried(const Pair& from, const Sums& over, double h) {
    return {from[0] + over.first, from[1] + h * from[0] + over.second};
  }
  Pair ends_until(std::size_t k) {
    const std::lock_guard lock(mutex_);
    while (ends_.size() <= k) {
      const double from = static_cast<double>(ends_.size() - 1) * kPanel;
      ends_.push_back(carried(ends_.back(), between(f_, from, from + kPanel), kPanel));
    }
    return ends_[k];
  }

  Signal f_;
  std::mutex mutex_;
  std::vector<Pair> ends_{{0, 0}};  // at 0, kPanel, 2 kPanel, ...
};

}  // namespace

Drive integrated(const Drive& drive) {
  const Signal& f = drive.signal;
  if (drive.level == Drive::Level::displacement || !f.is_function() || f.is_live()) return drive;
  const bool once = drive.level == Drive::Level::velocity;
  const auto sums = std::make_shared<Integral>(f);
  const auto motion = [f, once, sums, x0 = drive.x0, v0 = drive.v0](double t) -> Jet {
    const Jet now = f.jet(t);
    const auto [first, second] = sums->at(t);
    if (once) return {x0 + first, now.x, now.v};
    return {x0 + v0 * t + second, v0 + first, now.x};
  };
  Switches switches;
  if (f.has_switches())
    switches = [f](double from, double to) { return f.next_switch(from, to, 1); };
  return {Drive::Level::displacement, Signal::function(motion, std::move(switches))};
}

}  // namespace trammel

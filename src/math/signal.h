#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trammel {

/// Value, rate and acceleration of a quantity in time.
struct Jet {
  double x = 0, v = 0, a = 0;
};

/// A time at which something jumps or kinks: what holds until then is asked for up to `before`, a
/// few units of rounding earlier, what follows from `t` on.
struct Switch {
  double before = std::numeric_limits<double>::infinity();
  double t = std::numeric_limits<double>::infinity();
  bool pole = false;  // it grows there without bound
};
/// The first of a function's switches after `from` and not after `to`; none: at infinity.
using Switches = std::function<Switch(double from, double to)>;

/// A step that ends here still follows what holds until t.
double just_before(double t);

/// A number that comes in from outside while a simulation runs. It is held from `since` on.
struct LiveValue {
  double x = 0, since = 0;       // and since when [s]
  double first = 0, second = 0;  // its integral and double integral from time 0 to `since`

  /// It is x from t on; before, it stays what it was.
  void set(double value, double t);
  /// From time 0 to t, which is not before `since`.
  double integral(double t) const { return first + x * (t - since); }
  double double_integral(double t) const {
    return second + (t - since) * (first + x * (t - since) / 2);
  }
};
using LiveValues = std::vector<LiveValue>;
constexpr std::size_t kMostLive = 16;  // that one signal or force reads

/// A number that varies with time: a constant, a linear spline (clamped outside its knots), a
/// function of the caller's, or live: what comes in from outside by name, or a function of it. Two
/// knots at one time make a step; the later value holds from there on.
class Signal {
 public:
  /// A function of the time and of live values.
  using LiveFunction = std::function<Jet(double t, std::span<const double> live)>;

  Signal(double constant = 0) : constant_(constant) {}
  /// Knots t [s] (not falling) and values; at least one. Throws std::invalid_argument.
  static Signal spline(std::vector<double> t, std::vector<double> x);
  /// fn(t) gives value, rate and acceleration; smooth between its switches. Throws
  /// std::invalid_argument: there is none.
  static Signal function(std::function<Jet(double)> fn, Switches switches = {});
  /// The live value of that name: 0 until it is bound to one.
  static Signal live(std::string name);
  /// fn(t, values) of the live values of these names. Throws std::invalid_argument: there is no
  /// function, no name, or more than kMostLive of them.
  static Signal live(std::vector<std::string> names, LiveFunction fn, Switches switches = {});

  bool is_constant() const { return !fn_ && !knots_ && !live_; }
  bool is_function() const { return fn_ || (live_ && live_->fn); }  // has no integrals
  bool is_live() const { return live_ != nullptr; }
  /// True where it changes with the time by itself. A live value as it is does not: it is held.
  bool varies() const { return knots_ || is_function(); }
  /// The names of the live values that it reads.
  std::span<const std::string> live_names() const;
  /// The same signal, reading those of `values` from now on that stand at the places `at`, one a
  /// name. It shares their ownership.
  Signal bound(std::shared_ptr<const LiveValues> values, std::vector<std::size_t> at) const;
  /// A number at every knot; a function: at time 0.
  bool finite() const;
  double value(double t) const;
  /// Value and rates; on a knot those of the interval that begins there.
  Jet jet(double t) const;
  /// Integral and double integral from time 0 to t, exact; not of functions.
  double integral(double t) const;
  double double_integral(double t) const;
  /// The first knot time after t at which the value (order 0) or its rate (order 1) jumps; inf:
  /// none.
  double next_jump(double t, int order) const;
  /// The first time after `from` and not after `to` at which the value (order 0) or also its rate
  /// (order 1) jumps. Of functions: all their switches.
  Switch next_switch(double from, double to, int order) const;
  /// There is such a time, at least within a function.
  bool has_switches() const { return knots_ || switches_; }

 private:
  struct Knots {
    std::vector<double> t, x, first, second;  // and integrals from t[0] to each knot
  };
  struct Live {
    std::vector<std::string> names;
    LiveFunction fn;                           // empty: the one value itself
    std::shared_ptr<const LiveValues> values;  // null: not bound
    std::vector<std::size_t> at;               // among them, of each name
  };
  Jet live_jet(double t) const;
  const LiveValue& live_value() const;
  std::size_t interval(double t) const;  // index of the last knot at or before t
  double integral_from_first(double t, bool twice) const;

  double constant_;
  std::shared_ptr<const Knots> knots_;
  std::shared_ptr<const std::function<Jet(double)>> fn_;
  std::shared_ptr<const Switches> switches_;  // of fn_ and of live functions
  std::shared_ptr<const Live> live_;
};

/// The motion that a driven coordinate follows: x(t) with exact rates, from a signal for the
/// displacement, the velocity or the acceleration. A function has no integrals of its own: see
/// integrated.h.
struct Drive {
  enum class Level : unsigned char { displacement, velocity, acceleration };
  Level level = Level::displacement;
  Signal signal;
  double x0 = 0, v0 = 0;  // at t = 0, for velocity and acceleration signals

  Jet at(double t) const;
  /// Next time after t at which x'(t) jumps: the velocity must be projected there.
  double next_jump(double t) const;
};

}  // namespace trammel

#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "law/constraint_spec.h"
#include "law/span.h"

/// Laws: constraints on rows and forces along them. A law never names a body, a joint or a
/// formulation; it answers two questions, side by side in one file per law:
///   constraint  for multiplier solvers: admissible set of the force, target and its rates;
///   force       f(x, v, at) with f_x and f_v, for whoever applies or integrates forces. Its
///               incremental potential (energy formulation) is phi' = -f,
///               phi'' = -(f_x + f_v dv/dx).
namespace trammel::law {

constexpr double kRequired = std::numeric_limits<double>::quiet_NaN();  // fallback: there is none

/// A scalar force and its derivatives; positive pushes the coordinate up.
struct Force {
  double f = 0, f_x = 0, f_v = 0;
};

/// When a law is asked for its force: the time, and the coordinates of joints that functions follow
/// (Model::followed) as they are then. A time alone will do where no function follows any. With a
/// span the force asked for is the mean over it of what varies with the time.
struct Instant {
  Instant(double time, const double* coordinates = nullptr, const double* their_rates = nullptr,
          const Span& over = {})
      : t(time), y(coordinates), y_rate(their_rates), span(over) {}
  operator double() const { return t; }
  /// The same at another time, alone.
  Instant at(double time) const { return {time, y, y_rate}; }

  double t;              // [s]
  const double* y;       // [m, rad]; null: they are not known
  const double* y_rate;  // [m/s, rad/s]; null: zero, as at rest
  Span span;
};

/// Where a live number comes from: an input (math/signal.h), or a coordinate that functions follow.
struct LivePlace {
  enum class Of : unsigned char { input, coordinate, rate } of = Of::input;
  std::size_t at = 0;  // among the inputs, or the coordinates followed
};

struct ForceFunction : std::function<Force(double x, double v, const Instant& at)> {
  using function::function;
  Switches switches = {};  // at fixed times, whatever x and v
  bool of_time = true;     // it may change with the time, whatever x and v
  /// Of one that reads inputs, or coordinates of other joints, as well: their names, at most
  /// kMostLive ("throttle", "right.travel", "right.travel.rate"), and the force that follows from
  /// their values.
  std::vector<std::string> live = {};
  std::function<Force(double x, double v, double t, std::span<const double> live)> of_live = {};
  std::vector<LivePlace> from = {};  // where the values of `live` are, once a model is built
  /// The same, reading the values from there; the inputs are those of `values`.
  std::shared_ptr<const ForceFunction> bound(std::shared_ptr<const LiveValues> values,
                                             std::vector<LivePlace> from) const;
  /// True where it follows coordinates of joints.
  bool follows() const;
};

struct Type;

/// How v follows from x over a step of an energy formulation: v = v_n + dv_dx (x - x_n).
/// phi is zero at x_n + ahead; a force that changes fast with v is best taken from a v near by.
struct Scheme {
  double x_n = 0, v_n = 0, dv_dx = 0, t = 0;
  double ahead = 0;
};

/// One law on one coordinate, or on several (Type::rows). Numbers live in the parameters (`--set`
/// varies them), in the order of Type::parameters from `first_param`; what varies in time in
/// `drive` and `force`, user functions in `function`.
struct Law {
  const Type* type = nullptr;
  int first_param = 0;
  Drive drive;
  std::shared_ptr<const ForceFunction> function;
  Signal force = {};  // [N, N m]
};

/// The dimension of a parameter, given that of the coordinate x (metre or radian); a length is one
/// whatever x is.
enum class Quantity : unsigned char { x, force, force_per_x, force_per_v, speed, ratio, length };

struct Parameter {
  std::string_view name;
  Quantity quantity;
  double fallback;  // NaN: required
  double lo, hi;    // allowed range, ends included
  std::string_view doc;
};

/// Holds what a user gave of a law.
struct Given {
  std::string_view law, coordinate;  // names
  std::function<bool(std::string_view key)> has;
};
/// Holds what is wrong with a law's numbers, and at which key; empty: as a whole.
struct Fault {
  std::string key, text;
};
/// Returns what is wrong with a lock on a coordinate.
std::vector<Fault> lock_faults(const ConstraintSpec& lock, std::string_view coordinate,
                               bool erp_given);

/// The key of the function that a type takes, and what it is.
struct FunctionKey {
  std::string_view name, doc;
};

/// A kind of law: an entry of the list in laws.cpp.
struct Type {
  std::string_view name, doc;
  std::span<const Parameter> parameters;
  bool takes_drive = false;    // needs a displacement, velocity or acceleration signal
  bool velocity_only = false;  // ... of the velocity kind
  bool takes_force = false;    // needs a signal of its force
  bool conservative = false;   // has a potential energy (see energy)
  ConstraintSpec (*constraint)(const Law&, const double* p, double t) = nullptr;
  Force (*force)(const Law&, const double* p, double x, double v, const Instant& at) = nullptr;
  double (*energy)(const Law&, const double* p, double x) = nullptr;  // stored energy [J], or null
  /// phi of the force answer in closed form [J], or null: quadrature will do (see potential).
  double (*potential)(const Law&, const double* p, double x, const Scheme&) = nullptr;
  FunctionKey function = {};  // it may have a function of the user's; without a name: it may not
  bool works = true;          // has an account of its own in the energy balance
  /// Returns what is wrong with the numbers together, each within its range; null: nothing can be.
  std::vector<Fault> (*faults)(const Law&, const double* p, const Given&) = nullptr;
  /// Rows that the law acts on. `constraint` is that of the first, `further` that of each other
  /// one.
  int rows = 1;
  ConstraintSpec (*further)(const Law&, const double* p, double t) = nullptr;
  /// Puts into the constraint at t what it owes to where the coordinate is and how fast it moves;
  /// null: nothing.
  void (*follow)(const Law&, const double* p, double x, double v, const Instant& at,
                 ConstraintSpec&) = nullptr;
  /// Its friction is by the reaction of a joint (ConstraintSpec::mu): its own, or LawOnRow::load.
  bool follows_load = false;
};

std::span<const Type* const> types();
const Type* find_type(std::string_view name);

/// True where the constraint of a law hangs on the coordinate and its rate.
inline bool follows(const Law& law) {
  return law.type->follow && (law.type->follows_load || law.function);
}

/// True where a force of the law is given as a function of the time.
inline bool follows_time(const Law& law) {
  return law.force.varies() || (law.function && law.function->of_time);
}
/// Returns the force of its function alone, the mean over the span.
inline double function_force(const Law& law, double x, double v, const Instant& at) {
  if (!law.function->of_time) return (*law.function)(x, v, at).f;
  return mean_over(at.span, at.t, [&](double t) { return (*law.function)(x, v, at.at(t)).f; });
}
/// Returns the force of a law, the mean over the span, with its slopes.
Force force(const Law& law, const double* p, double x, double v, const Instant& at);

/// Incremental potential of the force answer over the step: phi(x) with phi(x_n) = 0, phi', phi''.
struct Potential {
  double phi = 0, d = 0, dd = 0;
};
Potential potential(const Law& law, const double* p, double x, const Scheme& scheme);

}  // namespace trammel::law

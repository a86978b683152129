#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "body/pool.h"
#include "law/span.h"
#include "math/signal.h"
#include "units/dimension.h"

/// Loads: forces and torques on objects that belong to no joint. A load is a covector on a material
/// point and on the object's rotation; the body kind pulls it back. The types of loads are a list
/// (loads.cpp), one file each, and nobody else asks which type a load is.
namespace trammel::law {

enum class Axes : unsigned char { world, body };

struct LoadType;

/// What functions of a load may be of: a letter, its dimension and what it is.
struct LoadLetter {
  std::string_view name;
  units::Dimension dimension;
  std::string_view doc;
};
inline constexpr std::array<LoadLetter, 13> kLoadLetters{
    {{"x", units::kLength, "where the point is in the world"},
     {"y", units::kLength, ""},
     {"z", units::kLength, ""},
     {"vx", units::kSpeed, "how fast the point moves, along the axes of the load"},
     {"vy", units::kSpeed, ""},
     {"vz", units::kSpeed, ""},
     {"wx", units::kAngularSpeed, "how fast the body turns, likewise"},
     {"wy", units::kAngularSpeed, ""},
     {"wz", units::kAngularSpeed, ""},
     {"roll", units::kAngle, "how the body is turned in the world"},
     {"pitch", units::kAngle, ""},
     {"yaw", units::kAngle, ""},
     {"t", units::kTime, "the time"}}};
constexpr std::size_t kLoadVelocity = 3;  // the first of the velocity
using LoadArguments = std::array<double, kLoadLetters.size()>;
struct LoadFunction : std::function<double(const LoadArguments&)> {
  using function::function;
  Switches switches;    // at fixed times, whatever the rest
  bool of_time = true;  // it may change with the time, whatever the rest
};

struct Load {
  const LoadType* type = nullptr;
  int object = 0;
  Axes axes = Axes::world;
  Vec3 point = Vec3::Zero();      // in the object's axes, from its origin [m]
  std::array<Signal, 3> value{};  // along `axes`, of types that take signals
  int first_param = 0;            // in the parameters, in the order of LoadType::numbers
  Mat3 R_WL = Mat3::Identity();   // of world axes: turned by that
  Vec3 p_WL = Vec3::Zero();       // where places are counted from [m]
  /// Components of a force and of a torque along `axes`, of types that take functions; or null.
  std::array<std::shared_ptr<const LoadFunction>, 6> function{};
  bool needs_rates() const;
  /// True where it is given as a function of the time.
  bool follows_time() const;
};

/// A covector on an object: force on a point r (world, from the object's origin) and torque.
struct Wrench {
  Vec3 f = Vec3::Zero(), r = Vec3::Zero(), torque = Vec3::Zero();
};

/// A number that a load takes, in SI units.
struct LoadNumber {
  std::string_view name;
  units::Dimension dimension;
  double fallback;  // NaN: it is required
  double lo, hi;    // finite numbers between these are allowed, ends included
  std::string_view doc;
  std::string_view rule;  // what is said of a number that is not allowed
};

/// Three signals along the load's axes, such as the components of a force.
struct LoadSignals {
  std::string_view key;          // in scenes; empty: the type takes none, and no axes
  units::Dimension dimension{};  // of each of them
};

/// A kind of load: an entry of the list in loads.cpp.
struct LoadType {
  std::string_view name, doc;
  LoadSignals signals;
  std::span<const LoadNumber> numbers;
  bool at_point = false;     // it acts at a point of the body, not on the body as a whole
  bool needs_rates = false;  // it depends on how the body moves
  /// Its force and torque, world axes; r is filled in by whoever calls (law::wrench).
  Wrench (*wrench)(const Load&, const double* p, const body::Transform&, const body::Rate&,
                   double t) = nullptr;
  /// The most that its force grows with the speed of its point, d|f|/d|v| [N s/m]; null: not at
  /// all.
  double (*steepest)(const Load&, const double* p, const body::Transform&, const body::Rate&,
                     double t) = nullptr;
  bool takes_functions = false;  // of its motion, by `axes`
};

std::span<const LoadType* const> load_types();
const LoadType* find_load_type(std::string_view name);

inline bool Load::needs_rates() const { return type->needs_rates; }

/// The three signals of a load at time t, in world axes.
Vec3 signals(const Load& load, const body::Transform& at, double t);
/// The velocity of the point at which it acts [m/s].
inline Vec3 velocity(const Load& load, const body::Rate& rate) {
  return rate.v + rate.A * load.point;
}

/// With a span it is the mean over it of what varies with the time.
Wrench wrench(const Load& load, const double* params, const body::Transform& at,
              const body::Rate& rate, double t, const Span& over = {});

/// The most that a load grows with the speed [N s/m].
double steepest(const Load& load, const double* params, const body::Transform& at,
                const body::Rate& rate, double t);

}  // namespace trammel::law

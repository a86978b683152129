#include "units/dimension.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numbers>
#include <span>
#include <string_view>

namespace trammel::units {

namespace {

// A unit to print a value in, from this magnitude on. The first of a list is the smallest.
struct Scale {
  double unit;
  std::string_view symbol;
};

struct Named {
  Dimension dimension;
  std::string_view name, symbol;
  std::span<const Scale> scales = {};
};

constexpr Scale kLengths[] = {{1e-6, "um"}, {1e-3, "mm"}, {1, "m"}, {1e3, "km"}};
constexpr Scale kMasses[] = {{1e-3, "gram"}, {1, "kg"}, {1e3, "t"}};
constexpr Scale kTimes[] = {{1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
constexpr Scale kAngles[] = {{std::numbers::pi / 180, "deg"}};
constexpr Scale kSpeeds[] = {{1e-6, "um/s"}, {1e-3, "mm/s"}, {1, "m/s"}};
constexpr Scale kForces[] = {{1e-3, "mN"}, {1, "N"}, {1e3, "kN"}, {1e6, "MN"}};
constexpr Scale kTorques[] = {{1e-3, "mN m"}, {1, "N m"}, {1e3, "kN m"}, {1e6, "MN m"}};
constexpr Scale kEnergies[] = {{1e-3, "mJ"}, {1, "J"}, {1e3, "kJ"}, {1e6, "MJ"}, {1e9, "GJ"}};
constexpr Scale kPowers[] = {{1e-3, "mW"}, {1, "W"}, {1e3, "kW"}, {1e6, "MW"}, {1e9, "GW"}};
constexpr Scale kPressures[] = {{1, "Pa"}, {1e3, "kPa"}, {1e6, "MPa"}, {1e9, "GPa"}};
constexpr Scale kStiffnesses[] = {{1, "N/m"}, {1e3, "kN/m"}, {1e6, "MN/m"}, {1e9, "GN/m"}};
constexpr Scale kDampings[] = {{1, "N s/m"}, {1e3, "kN s/m"}, {1e6, "MN s/m"}};
constexpr Scale kTurnings[] = {{1, "N m/rad"}, {1e3, "kN m/rad"}, {1e6, "MN m/rad"}};
constexpr Scale kTurnDampings[] = {{1, "N m s/rad"}, {1e3, "kN m s/rad"}, {1e6, "MN m s/rad"}};
constexpr Scale kFrequencies[] = {{1e-3, "mHz"}, {1, "Hz"}, {1e3, "kHz"}, {1e6, "MHz"}};

constexpr Named kNamed[] = {
    {kRatio, "a plain number", ""},
    {kLength, "a length", "m", kLengths},
    {kMass, "a mass", "kg", kMasses},
    {kTime, "a time", "s", kTimes},
    {kAngle, "an angle", "rad", kAngles},
    {kTemperature, "a temperature", "K"},
    {kArea, "an area", "m^2"},
    {kVolume, "a volume", "m^3"},
    {kSpeed, "a speed", "m/s", kSpeeds},
    {kAcceleration, "an acceleration", "m/s^2"},
    {kJerk, "a jerk", "m/s^3"},
    {kAngularSpeed, "an angular speed", "rad/s"},
    {kAngularAcceleration, "an angular acceleration", "rad/s^2"},
    {kFrequency, "a frequency", "Hz", kFrequencies},
    {kForce, "a force", "N", kForces},
    {kTorque, "a torque", "N m", kTorques},
    {kEnergy, "an energy", "J", kEnergies},
    {kPower, "a power", "W", kPowers},
    {kPressure, "a pressure", "Pa", kPressures},
    {kMomentum, "a momentum", "N s"},
    {kAngularMomentum, "an angular momentum", "N m s"},
    {kStiffness, "a stiffness", "N/m", kStiffnesses},
    {kDamping, "a damping", "N s/m", kDampings},
    {kRotationalStiffness, "a rotational stiffness", "N m/rad", kTurnings},
    {kRotationalDamping, "a rotational damping", "N m s/rad", kTurnDampings},
    {kInertia, "an inertia", "kg m^2"},
    {kDensity, "a density", "kg/m^3"},
    {kLineDensity, "a mass per length", "kg/m"},
    {kCurvature, "a curvature", "1/m"},
    {kSharpness, "a change of curvature", "1/m^2"},
    {kTwistRate, "a twist", "rad/m"},
};

const Named* find(const Dimension& d) {
  for (const Named& named : kNamed)
    if (named.dimension == d && named.dimension.energy == d.energy) return &named;
  return nullptr;
}

// Base units with exponents of one sign, e.g. "kg m^2".
std::string product(const Dimension& d, int sign, int& count) {
  const std::pair<int, std::string_view> bases[] = {
      {d.kg, "kg"}, {d.m, "m"}, {d.s, "s"}, {d.rad, "rad"}, {d.K, "K"}};
  std::string out;
  for (const auto& [exponent, base] : bases) {
    const int n = exponent * sign;
    if (n <= 0) continue;
    out += fmt::format("{}{}{}", count++ ? " " : "", base, n > 1 ? fmt::format("^{}", n) : "");
  }
  return out;
}

std::string composed(const Dimension& d) {
  int above = 0, below = 0;
  const std::string numerator = product(d, 1, above), denominator = product(d, -1, below);
  if (below == 0) return numerator;
  return (above ? numerator : "1") + "/" + (below > 1 ? "(" + denominator + ")" : denominator);
}

}  // namespace

std::string symbol(const Dimension& d) {
  const Named* named = find(d);
  return named ? std::string(named->symbol) : composed(d);
}

std::string name(const Dimension& d) {
  const Named* named = find(d);
  return named ? std::string(named->name) : "a quantity in " + composed(d);
}

std::string format_quantity(double si, const Dimension& d) {
  const Named* named = find(d);
  const Scale plain[] = {{1, named ? named->symbol : ""}};
  const auto scales = named && !named->scales.empty() ? named->scales : std::span(plain);
  const Scale* best = &scales.front();
  for (const Scale& scale : scales)
    if (std::abs(si) >= scale.unit * (1 - 5e-7)) best = &scale;  // as rounded to six digits
  if (si == 0 || !std::isfinite(si))
    for (const Scale& scale : scales)
      if (scale.unit == 1) best = &scale;
  const std::string unit = named ? std::string(best->symbol) : composed(d);
  return fmt::format("{:.6g}{}{}", si / best->unit + 0.0, unit.empty() ? "" : " ", unit);
}

}  // namespace trammel::units

#pragma once

#include <string>

namespace trammel::units {

/// The dimension of a number: exponents of metre, kilogram, second, radian and kelvin. The angle is
/// a dimension of its own, so that 5 deg is no length and no plain number; all zero is a plain
/// number. Torque is N m and inertia kg m^2, as everybody writes them, without the angle; stiffness
/// and damping about an axis are per angle (N m/rad, N m s/rad).
struct Dimension {
  int m = 0, kg = 0, s = 0, rad = 0, K = 0;
  bool energy = false;  // tells J from N m in print; not part of the comparison

  friend constexpr bool operator==(const Dimension& a, const Dimension& b) {
    return a.m == b.m && a.kg == b.kg && a.s == b.s && a.rad == b.rad && a.K == b.K;
  }
  friend constexpr Dimension operator*(const Dimension& a, const Dimension& b) {
    return {a.m + b.m, a.kg + b.kg, a.s + b.s, a.rad + b.rad, a.K + b.K};
  }
  constexpr Dimension pow(int n) const { return {m * n, kg * n, s * n, rad * n, K * n}; }
  friend constexpr Dimension operator/(const Dimension& a, const Dimension& b) {
    return a * b.pow(-1);
  }
};

inline constexpr Dimension kRatio{};
inline constexpr Dimension kLength{.m = 1};
inline constexpr Dimension kMass{.kg = 1};
inline constexpr Dimension kTime{.s = 1};
inline constexpr Dimension kAngle{.rad = 1};
inline constexpr Dimension kTemperature{.K = 1};
inline constexpr Dimension kArea = kLength.pow(2);
inline constexpr Dimension kVolume = kLength.pow(3);
inline constexpr Dimension kSpeed = kLength / kTime;
inline constexpr Dimension kAcceleration = kSpeed / kTime;
inline constexpr Dimension kJerk = kAcceleration / kTime;
inline constexpr Dimension kAngularSpeed = kAngle / kTime;
inline constexpr Dimension kAngularAcceleration = kAngularSpeed / kTime;
inline constexpr Dimension kFrequency = kTime.pow(-1);
inline constexpr Dimension kForce = kMass * kAcceleration;
inline constexpr Dimension kTorque = kForce * kLength;
inline constexpr Dimension kEnergy{.m = 2, .kg = 1, .s = -2, .energy = true};
inline constexpr Dimension kPower = kEnergy / kTime;
inline constexpr Dimension kPressure = kForce / kArea;
inline constexpr Dimension kMomentum = kForce * kTime;
inline constexpr Dimension kAngularMomentum = kTorque * kTime;
inline constexpr Dimension kStiffness = kForce / kLength;
inline constexpr Dimension kDamping = kForce / kSpeed;
inline constexpr Dimension kRotationalStiffness = kTorque / kAngle;
inline constexpr Dimension kRotationalDamping = kTorque / kAngularSpeed;
inline constexpr Dimension kInertia = kMass * kArea;
inline constexpr Dimension kDensity = kMass / kVolume;
inline constexpr Dimension kLineDensity = kMass / kLength;  // also drag by the square of the speed
inline constexpr Dimension kCurvature = kLength.pow(-1);    // accepts rad/m too
inline constexpr Dimension kSharpness = kLength.pow(-2);    // change of curvature by length
inline constexpr Dimension kTwistRate = kAngle / kLength;

/// The unit a value in SI has: "m", "N m/rad", "kg^2/s" for one without a name, "" for a number.
std::string symbol(const Dimension& d);

/// With its article, for messages: "a length", "an angle", "a plain number", "a quantity in
/// kg^2/s".
std::string name(const Dimension& d);

/// A value in SI for reading: six digits, a prefix that keeps it between 1 and 1000, angles in
/// degrees, heavy masses in tonnes: "25 m/s", "5 MN/m", "40 t". Readable by parse_quantity.
std::string format_quantity(double si, const Dimension& d);

}  // namespace trammel::units

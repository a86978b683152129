#include "units/quantity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace trammel::units::quantity_test {
namespace {

constexpr double kPi = std::numbers::pi;

struct Case {
  const char* text;
  Dimension dimension;
  double si;
};

// Exact: both parts of a unit's factor are whole numbers, so the result is correctly rounded.
TEST(Quantity, ConvertsExactly) {
  const Case cases[] = {
      {"1435 mm", kLength, 1.435},
      {"0.1 km", kLength, 100},
      {"12 um", kLength, 12e-6},
      {"12 µm", kLength, 12e-6},
      {"12 μm", kLength, 12e-6},
      {"1 in", kLength, 0.0254},
      {"3 ft", kLength, 0.9144},
      {"1 yd", kLength, 0.9144},
      {"1 mi", kLength, 1609.344},
      {"  -5m ", kLength, -5},
      {"+.5 cm", kLength, 0.005},
      {"4.5 t", kMass, 4500},
      {"1 lb", kMass, 0.45359237},
      {"250 gram", kMass, 0.25},
      {"1.5 h", kTime, 5400},
      {"20 ms", kTime, 0.02},
      {"90 km/h", kSpeed, 25},
      {"60 mph", kSpeed, 26.8224},
      {"36 kn", kSpeed, 18.52},
      {"1 g0", kAcceleration, 9.80665},
      {"2 m/s^2", kAcceleration, 2},
      {"2 m/s2", kAcceleration, 2},
      {"2 m/s²", kAcceleration, 2},
      {"2 m s**-2", kAcceleration, 2},
      {"2 m/s/s", kAcceleration, 2},
      {"7 daN", kForce, 70},
      {"5 N m", kTorque, 5},
      {"5 N*m", kTorque, 5},
      {"5 N.m", kTorque, 5},
      {"5 N·m", kTorque, 5},
      {"5 kN⋅m", kTorque, 5000},
      {"5 kNm", kTorque, 5000},
      {"5 J", kTorque, 5},
      {"5 MN/m", kStiffness, 5e6},
      {"5 N/mm", kStiffness, 5000},
      {"5 kN s/m", kDamping, 5000},
      {"5 kN/(m/s)", kDamping, 5000},
      {"5 N m/rad", kRotationalStiffness, 5},
      {"5 N m/(rad/s)", kRotationalDamping, 5},
      {"5 N m s/rad", kRotationalDamping, 5},
      {"3 kg m^2", kInertia, 3},
      {"3 kg*m2", kInertia, 3},
      {"3 t m²", kInertia, 3000},
      {"7.8 t/m^3", kDensity, 7800},
      {"210 GPa", kPressure, 210e9},
      {"5 bar", kPressure, 5e5},
      {"2 kWh", kEnergy, 7.2e6},
      {"2 kW h", kEnergy, 7.2e6},
      {"3 MW", kPower, 3e6},
      {"50 Hz", kFrequency, 50},
      {"50 1/s", kFrequency, 50},
      {"0.01 1/m", kCurvature, 0.01},
      {"0.01 /m", kCurvature, 0.01},
      {"0.01 1/km", kCurvature, 1e-5},
      {"0.01 rad/m", kCurvature, 0.01},
      {"25 permille", kRatio, 0.025},
      {"25 ‰", kRatio, 0.025},
      {"3.5%", kRatio, 0.035},
      {"0.25", kRatio, 0.25},
      {"5 mm/m", kRatio, 0.005},
      {"1 rad", kAngle, 1},
      {"3 mrad", kAngle, 0.003},
      {"20 degC", kTemperature, 293.15},
      {"20 °C", kTemperature, 293.15},
      {"300 K", kTemperature, 300},
  };
  for (const Case& c : cases) {
    const Quantity q = parse_quantity(c.text, c.dimension);
    EXPECT_TRUE(q) << c.text << ": " << q.error;
    EXPECT_EQ(q.si, c.si) << c.text;
  }
}

TEST(Quantity, ConvertsAngles) {
  const Case cases[] = {
      {"5 deg", kAngle, 5 * kPi / 180},
      {"5°", kAngle, 5 * kPi / 180},
      {"100 gon", kAngle, kPi / 2},
      {"0.5 rev", kAngle, kPi},
      {"60 rpm", kAngularSpeed, 2 * kPi},
      {"2 rev/s", kAngularSpeed, 4 * kPi},
      {"90 deg/s", kAngularSpeed, kPi / 2},
      {"90 °/s", kAngularSpeed, kPi / 2},
      {"1 N m/deg", kRotationalStiffness, 180 / kPi},
      {"1 deg/m", kCurvature, kPi / 180},
      {"1 deg/m", kTwistRate, kPi / 180},
  };
  for (const Case& c : cases) {
    const Quantity q = parse_quantity(c.text, c.dimension);
    EXPECT_TRUE(q) << c.text << ": " << q.error;
    EXPECT_DOUBLE_EQ(q.si, c.si) << c.text;  // rounding
  }
}

struct Bad {
  const char* text;
  Dimension dimension;
  std::size_t column;
  const char* error;  // a part of it
};

TEST(Quantity, RefusesWithReasonAndColumn) {
  const Bad cases[] = {
      {"5 kg", kLength, 2, "'5 kg' is a mass, a length [m] is needed"},
      {"5 deg", kLength, 2, "'5 deg' is an angle, a length [m] is needed"},
      {"5 deg", kRatio, 2, "'5 deg' is an angle, a plain number is needed"},
      {"5 J", kLength, 2, "is an energy, a length"},
      {"5 N m", kRotationalStiffness, 2, "a torque, a rotational stiffness [N m/rad] is needed"},
      {"2 Hz", kAngularSpeed, 2, "write rev/s, rpm or rad/s"},
      {"60 rpm", kFrequency, 3, "an angular speed, a frequency [Hz] is needed"},
      {"5 kg^2/s", kLength, 2, "is a quantity in kg^2/s, a length"},
      {"5", kLength, 1, "'5' has no unit, a length [m] is needed"},
      {"", kLength, 0, "the text is empty, a length [m] is needed"},
      {"m", kLength, 0, "does not begin with a number"},
      {"- m", kLength, 1, "does not begin with a number"},
      {"--5 m", kLength, 1, "does not begin with a number"},
      {"-", kLength, 0, "does not begin with a number"},
      {".m", kLength, 0, "does not begin with a number"},
      {"−5 m", kLength, 0, "write the minus sign as '-'"},
      {"1,5 m", kLength, 1, "decimal point"},
      {"40 000 kg", kMass, 2, "without separators"},
      {"40 100 kg", kMass, 2, "without separators"},
      {"40_000 kg", kMass, 2, "without separators"},
      {"nan m", kLength, 0, "not a finite number"},
      {"-inf m", kLength, 1, "not a finite number"},
      {"1e999 m", kLength, 0, "out of range"},
      {"1e307 km", kLength, 6, "out of range"},
      {"1e-323 um", kLength, 7, "out of range"},
      {"-300 degC", kTemperature, 5, "below absolute zero"},
      {"5 m + 3 m", kLength, 4, "a unit is needed, not '+'"},
      {"5 m/s; rm", kSpeed, 5, "unexpected ';'"},
      {"5 m)", kLength, 3, "unexpected ')'"},
      {"5 (m", kLength, 4, "a ')' is missing"},
      {"5 m/", kLength, 4, "a unit is missing at the end"},
      {"5 1", kLength, 2, "a unit is needed, not '1'"},
      {"5 m^x", kLength, 4, "a whole number is needed as power"},
      {"5 m^0.5", kLength, 5, "a whole number is needed as power"},
      {"5 m^99", kLength, 5, "the power is too high"},
      {"5 (m^9)^9", kLength, 9, "the power is too high"},
      {"5 (((%^12)^12)^12)^12", kRatio, 17, "out of range"},
      {"5 N/m s", kDamping, 6, "two readings"},
      {"5 N/m*s", kDamping, 5, "two readings"},
      {"5 g", kMass, 2, "may be the gram or gravity"},
      {"5 ton", kMass, 2, "write 't' for 1000 kg"},
      {"5 kt", kSpeed, 2, "write 'kn'"},
      {"5 hp", kPower, 2, "write 'kW'"},
      {"5 kmh", kSpeed, 2, "write 'km/h'"},
      {"5 mpa", kPressure, 2, "unknown unit 'mpa'; did you mean 'MPa'?"},
      {"5 nm", kTorque, 2, "did you mean 'Nm'?"},
      {"5 kN/furlong", kStiffness, 5, "unknown unit 'furlong'"},
      {"5 W/degC", kPower, 8, "degC has an offset"},
      {"5 degC m", kPower, 7, "degC has an offset"},
      {"5 m\xff", kLength, 3, "unexpected byte 0xff"},
      {"5 \xe2\x80", kLength, 2, "not byte 0xe2"},
  };
  for (const Bad& c : cases) {
    const Quantity q = parse_quantity(c.text, c.dimension);
    EXPECT_NE(q.error.find(c.error), std::string::npos) << c.text << ": " << q.error;
    EXPECT_EQ(q.column, c.column) << c.text << ": " << q.error;
    EXPECT_EQ(q.si, 0) << c.text;
  }
}

TEST(Quantity, RefusesBombs) {
  EXPECT_FALSE(parse_quantity("5 " + std::string(100000, '('), kLength));
  EXPECT_FALSE(parse_quantity("5 " + std::string(150, '(') + "m" + std::string(80, ')'), kLength));
  EXPECT_FALSE(parse_quantity(std::string(100000, '1'), kRatio));
  EXPECT_FALSE(parse_quantity("5 " + std::string(150, 'm'), kLength));
}

// Whatever the text, there is a finite value or an error with a column inside the text.
TEST(Quantity, SurvivesRandomText) {
  std::mt19937 random(7);
  const std::string_view parts[] = {"5",  "1", "e9", ".",    "-", "m",  "kg",  "s",  "deg",
                                    "g0", "%", "(",  ")",    "/", "*",  "^",   "**", " ",
                                    "·",  "²", "°",  "\xff", "C", "1/", "degC"};
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (auto n = random() % 9; n > 0; --n) text += parts[random() % std::size(parts)];
    const Quantity q = parse_quantity(text, kLength);
    ASSERT_TRUE(std::isfinite(q.si)) << text;
    ASSERT_LE(q.column, text.size()) << text;
  }
}

TEST(Unit, EveryNameIsReadAndNamedOnce) {
  const auto names = unit_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_TRUE(parse_unit(names[i])) << names[i];
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(names[i], names[j]);
  }
}

TEST(Unit, SymbolsReadBackAsTheirDimension) {
  const Dimension all[] = {kLength,
                           kMass,
                           kTime,
                           kAngle,
                           kTemperature,
                           kArea,
                           kVolume,
                           kSpeed,
                           kAcceleration,
                           kJerk,
                           kAngularSpeed,
                           kAngularAcceleration,
                           kFrequency,
                           kForce,
                           kTorque,
                           kEnergy,
                           kPower,
                           kPressure,
                           kMomentum,
                           kDamping,
                           kStiffness,
                           kAngularMomentum,
                           kDensity,
                           kRotationalStiffness,
                           kInertia,
                           kCurvature,
                           kSharpness,
                           kLineDensity,
                           kTwistRate,
                           kRotationalDamping,
                           kForce * kForce,
                           kMass.pow(2) / kTime / kTemperature,
                           (kMass * kAngle).pow(-2)};
  for (const Dimension& d : all) {
    const ParsedUnit parsed = parse_unit(symbol(d));
    EXPECT_TRUE(parsed) << symbol(d) << parsed.error;
    EXPECT_EQ(parsed.unit.dimension, d) << symbol(d);
    EXPECT_EQ(parsed.unit.numerator / parsed.unit.denominator, 1) << symbol(d);
    for (double x : {1.0, -999.9999999, 0.1234567, 12345.0, 1e-9, 3e11}) {
      const std::string text = format_quantity(x, d);
      const Quantity q = parse_quantity(text, d);
      EXPECT_TRUE(q) << text << q.error;
      EXPECT_NEAR(q.si, x, 5.1e-6 * std::abs(x)) << text;  // six digits
    }
  }
}

TEST(Format, PicksAPrefix) {
  EXPECT_EQ(format_quantity(25, kSpeed), "25 m/s");
  EXPECT_EQ(format_quantity(5e6, kStiffness), "5 MN/m");
  EXPECT_EQ(format_quantity(40000, kMass), "40 t");
  EXPECT_EQ(format_quantity(-0.001435, kLength), "-1.435 mm");
  EXPECT_EQ(format_quantity(999.9999999, kForce), "1 kN");
  EXPECT_EQ(format_quantity(kPi / 2, kAngle), "90 deg");
  EXPECT_EQ(format_quantity(-0.0, kTime), "0 s");
  EXPECT_EQ(format_quantity(5e3, kTorque), "5 kN m");
  EXPECT_EQ(format_quantity(5e3, kEnergy), "5 kJ");
  EXPECT_EQ(format_quantity(0.25, kRatio), "0.25");
  EXPECT_EQ(format_quantity(2, kMass.pow(2) / kTime), "2 kg^2/s");
  EXPECT_EQ(format_quantity(NAN, kForce), "nan N");
}

}  // namespace
}  // namespace trammel::units::quantity_test

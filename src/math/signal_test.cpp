#include "math/signal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace trammel::signal_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// A ramp, a hold, a step at t = 3, a ramp down.
Signal ramps() { return Signal::spline({1, 2, 3, 3, 5}, {2, 4, 4, 1, -3}); }

TEST(Signal, ConstantHasNoRateAndNoJump) {
  const Signal s = 4;
  EXPECT_TRUE(s.is_constant());
  EXPECT_EQ(s.value(-7), 4);
  EXPECT_EQ(s.jet(3).v, 0);
  EXPECT_EQ(s.integral(-2), -8);
  EXPECT_EQ(s.double_integral(3), 18);
  EXPECT_EQ(s.next_jump(0, 0), kInf);
  EXPECT_EQ(s.next_jump(0, 1), kInf);
  EXPECT_EQ(Signal().value(1), 0);
}

TEST(Signal, SaysWhetherItIsAFunctionAndFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto function = [](double at_zero) {
    return Signal::function([at_zero](double) { return Jet{at_zero, 0, 0}; });
  };
  EXPECT_FALSE(Signal(4).is_function());
  EXPECT_FALSE(ramps().is_function());
  EXPECT_TRUE(function(1).is_function());
  for (const Signal& s : {Signal(4), ramps(), function(1)}) EXPECT_TRUE(s.finite());
  for (const Signal& s : {Signal(nan), Signal(kInf), Signal::spline({0, 1, 2}, {0, nan, 0}),
                          Signal::spline({0, 1, kInf}, {0, 1, 2}), function(nan)})
    EXPECT_FALSE(s.finite());
}

TEST(Signal, WhatIsNoSplineIsRefused) {
  using List = std::vector<double>;
  const std::pair<List, List> wrong[] = {{{}, {}},      {{0}, {}},        {{}, {1}},
                                         {{0, 1}, {2}}, {{1, 0}, {2, 3}}, {{0, 2, 1}, {0, 0, 0}}};
  for (const auto& [t, x] : wrong) EXPECT_THROW(Signal::spline(t, x), std::invalid_argument);
  EXPECT_THROW(Signal::function(nullptr), std::invalid_argument);
  EXPECT_NO_THROW(Signal::spline({1, 1}, {2, 3}));
}

TEST(Signal, SplineIsLinearBetweenItsKnotsAndClampedOutside) {
  const Signal s = ramps();
  EXPECT_FALSE(s.is_constant());
  struct {
    double t, x, v;
  } const expected[] = {{-9, 2, 0},    {0.99, 2, 0}, {1, 2, 2},   {1.25, 2.5, 2}, {2, 4, 0},
                        {2.999, 4, 0}, {3, 1, -2},   {4, -1, -2}, {5, -3, 0},     {99, -3, 0}};
  for (const auto& e : expected) {
    SCOPED_TRACE(e.t);
    EXPECT_EQ(s.value(e.t), e.x);
    EXPECT_EQ(s.jet(e.t).x, e.x);
    EXPECT_EQ(s.jet(e.t).v, e.v);
    EXPECT_EQ(s.jet(e.t).a, 0);
  }
}

TEST(Signal, OneKnotIsAConstantInTime) {
  const Signal s = Signal::spline({2}, {5});
  for (const double t : {-1.0, 2.0, 3.0}) {
    EXPECT_EQ(s.value(t), 5);
    EXPECT_NEAR(s.integral(t), 5 * t, 1e-14);
    EXPECT_NEAR(s.double_integral(t), 2.5 * t * t, 1e-14);
  }
}

TEST(Signal, JumpsAreFoundInOrder) {
  const auto all = [](const Signal& s, int order) {
    std::vector<double> out;
    for (double t = -1; (t = s.next_jump(t, order)) < kInf;) out.push_back(t);
    return out;
  };
  EXPECT_EQ(all(ramps(), 0), (std::vector<double>{3}));
  EXPECT_EQ(all(ramps(), 1), (std::vector<double>{1, 2, 3, 5}));
  // a knot where nothing changes, a first knot that steps, a step to the same value
  EXPECT_EQ(all(Signal::spline({0, 1, 2, 2}, {0, 1, 2, 2}), 0), (std::vector<double>{}));
  EXPECT_EQ(all(Signal::spline({0, 1, 2, 2}, {0, 1, 2, 2}), 1), (std::vector<double>{0, 2}));
  EXPECT_EQ(all(Signal::spline({0, 0, 1}, {5, 0, 0}), 0), (std::vector<double>{0}));
  EXPECT_EQ(all(Signal::spline({0, 0, 1}, {5, 0, 0}), 1), (std::vector<double>{0}));
}

// Integrals against sums over many small intervals: the trapezium is exact on linear pieces, and
// the double integral of it is out by h^2/12 of the slopes.
TEST(Signal, IntegralsMatchSums) {
  const Signal s = ramps();
  constexpr double kStep = 1 / 1024.0;  // hits every knot
  for (const double sign : {1.0, -1.0}) {
    double first = 0, second = 0;
    for (int k = 0; k < 8 * 1024; ++k) {
      const double t = sign * k * kStep, mid = t + sign * kStep / 2, next = t + sign * kStep;
      const double gained = sign * kStep * s.value(mid);
      second += sign * kStep * (first + gained / 2);
      first += gained;
      if (k % 500 != 499) continue;
      EXPECT_NEAR(s.integral(next), first, 1e-12);
      EXPECT_NEAR(s.double_integral(next), second, 3 * kStep * kStep);
    }
  }
}

TEST(Signal, FunctionGivesItsOwnRates) {
  const Signal s = Signal::function([](double t) {
    return Jet{std::sin(2 * t), 2 * std::cos(2 * t), -4 * std::sin(2 * t)};
  });
  EXPECT_FALSE(s.is_constant());
  EXPECT_EQ(s.value(0.3), std::sin(0.6));
  EXPECT_EQ(s.jet(0.3).v, 2 * std::cos(0.6));
  EXPECT_EQ(s.jet(0.3).a, -4 * std::sin(0.6));
  EXPECT_EQ(s.next_jump(0, 1), kInf);
}

/// x' and x'' of a drive against central differences, between its knots; truncation 1e-7 of a
/// cubic.
void expect_rates(const Drive& drive, std::initializer_list<double> times) {
  constexpr double kStep = 1e-3;
  for (const double t : times) {
    SCOPED_TRACE(t);
    const Jet at = drive.at(t), before = drive.at(t - kStep), after = drive.at(t + kStep);
    EXPECT_NEAR(at.v, (after.x - before.x) / (2 * kStep), 2e-6);
    EXPECT_NEAR(at.a, (after.v - before.v) / (2 * kStep), 2e-6);
  }
}

TEST(Drive, RatesFollowFromTheSignalOfEveryLevel) {
  for (const auto level :
       {Drive::Level::displacement, Drive::Level::velocity, Drive::Level::acceleration}) {
    const Drive drive{level, ramps(), 0.5, -0.25};
    SCOPED_TRACE(static_cast<int>(level));
    expect_rates(drive, {-2, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 7});
  }
}

TEST(Drive, StartsWhereItIsToldTo) {
  EXPECT_EQ((Drive{Drive::Level::velocity, ramps(), 0.5, 9}.at(0).x), 0.5);
  EXPECT_EQ((Drive{Drive::Level::velocity, ramps(), 0.5, 9}.at(0).v), 2);  // the signal's
  EXPECT_EQ((Drive{Drive::Level::acceleration, ramps(), 0.5, -0.25}.at(0).x), 0.5);
  EXPECT_EQ((Drive{Drive::Level::acceleration, ramps(), 0.5, -0.25}.at(0).v), -0.25);
  EXPECT_EQ((Drive{Drive::Level::displacement, ramps()}.at(99).x), -3);  // held past its last knot
}

TEST(Drive, JumpsOfItsVelocity) {
  const auto first = [](Drive::Level level, double t) {
    return Drive{level, ramps()}.next_jump(t);
  };
  EXPECT_EQ(first(Drive::Level::displacement, 0), 1);
  EXPECT_EQ(first(Drive::Level::velocity, 0), 3);
  EXPECT_EQ(first(Drive::Level::velocity, 3), kInf);
  EXPECT_EQ(first(Drive::Level::acceleration, 0), kInf);
}

}  // namespace
}  // namespace trammel::signal_test

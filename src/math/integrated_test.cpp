#include "math/integrated.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace trammel {
namespace {

using Level = Drive::Level;

Signal sine(double w) {
  return Signal::function([w](double t) {
    return Jet{std::sin(w * t), w * std::cos(w * t), -w * w * std::sin(w * t)};
  });
}

TEST(Integrated, IsTheIntegralAndTheDoubleIntegralToRounding) {
  for (const double w : {0.3, 7., 200.}) {
    const Drive once = integrated({Level::velocity, sine(w), 2}),
                twice = integrated({Level::acceleration, sine(w), 2, 3});
    for (const double t : {0., 0.01, 0.125, 1., 1.7, 60.3}) {
      SCOPED_TRACE(t);
      EXPECT_NEAR(once.at(t).x, 2 + (1 - std::cos(w * t)) / w, 1e-13);
      EXPECT_EQ(once.at(t).v, std::sin(w * t));
      EXPECT_EQ(once.at(t).a, w * std::cos(w * t));
      EXPECT_NEAR(twice.at(t).x, 2 + 3 * t + t / w - std::sin(w * t) / (w * w), 1e-12);
      EXPECT_NEAR(twice.at(t).v, 3 + (1 - std::cos(w * t)) / w, 1e-13);
    }
    EXPECT_NEAR(once.at(-0.3).x, 2 + (1 - std::cos(0.3 * w)) / w, 1e-13);
    EXPECT_NEAR(twice.at(-0.3).x, 2 - 0.9 - 0.3 / w + std::sin(w * 0.3) / (w * w), 1e-13);
  }
}

TEST(Integrated, GoesFromSwitchToSwitch) {
  const double at = 0.3;
  const auto step = Signal::function(
      [at](double t) {
        return Jet{t < at ? 1. : -1., 0, 0};
      },
      [at](double from, double to) {
        return from < at && at <= to ? Switch{just_before(at), at, false} : Switch{};
      });
  const Drive x = integrated({Level::velocity, step});
  EXPECT_NEAR(x.at(1).x, 0.3 - 0.7, 1e-15);
  EXPECT_EQ(x.signal.next_switch(0, 1, 1).t, at);
  EXPECT_EQ(x.at(just_before(at)).v, 1);
  EXPECT_EQ(x.at(at).v, -1);
}

TEST(Integrated, HasTheSameBitsInWhateverOrderItIsAsked) {
  const std::vector<double> times{0.1, 3.3, 0.7, 9.99, 2.5};
  const Drive one = integrated({Level::velocity, sine(5)});
  std::vector<double> forth, back;
  for (const double t : times) forth.push_back(one.at(t).x);
  const Drive other = integrated({Level::velocity, sine(5)});
  for (auto t = times.rbegin(); t != times.rend(); ++t) back.insert(back.begin(), other.at(*t).x);
  EXPECT_EQ(forth, back);
}

TEST(Integrated, LeavesOtherDrivesAlone) {
  EXPECT_EQ(integrated({Level::velocity, 3.}).level, Level::velocity);
  EXPECT_EQ(integrated({Level::acceleration, Signal::live("a")}).level, Level::acceleration);
}

}  // namespace
}  // namespace trammel

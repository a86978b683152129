// Mechanisms with all lengths, masses and times multiplied move as they do in metres, kilograms and
// seconds: no threshold is a length, a mass or a time of its own.
#include <fmt/core.h>

#include <cmath>
#include <string>
#include <vector>

#include "scales_scenes.h"

namespace trammel::acceptance::scales_test {
namespace {

using namespace scales;

/// A motion without units: places and axes of all bodies, and how many events there were.
struct Motion {
  std::vector<double> numbers;
  std::string events, failure;
};

Motion motion(const Scene& scene, Formulation by, const Units& u) {
  form::Settings form;
  form.formulation = by;
  form.joint_stiffness *= u.stiffness();
  sim::Simulation sim(built(scene.make(u).builder),
                      settings(scene.duration * u.s, 2e-3 * u.s, form));
  Motion out;
  while (!sim.finished()) {
    const bool ok = sim.advance();
    for (const auto& e : sim.take_events())
      out.events += fmt::format("{} {}; ", static_cast<int>(e.kind), e.subject);
    if (!ok) {
      out.failure = sim.failure();
      break;
    }
    for (const model::Object& o : sim.model().objects) {
      if (o.block < 0) continue;
      const auto& at = sim.formulation().now().T_WO[object(sim, o.name)];
      for (int k = 0; k < 3; ++k) out.numbers.push_back(at.p[k] / u.m);
      for (int k = 0; k < 9; ++k) out.numbers.push_back(at.A(k / 3, k % 3));
    }
  }
  return out;
}

double apart(const Motion& a, const Motion& b) {
  if (a.numbers.size() != b.numbers.size()) return law::kInf;
  double worst = 0;
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    worst = std::max(worst, std::abs(a.numbers[i] - b.numbers[i]));
  return worst;
}

const char* letter(Formulation f) { return f == kV ? "V" : f == kA ? "A" : "E"; }

/// A few times the accuracy of the acceleration formulation's steps. Impulses differ by rounding.
constexpr double kSame = 3e-9;

/// Runs every scene in units of `u` and compares it with itself in SI.
void expect_same(const Units& u) {
  for (const Scene& scene : scenes())
    for (const Formulation by : scene.by) {
      SCOPED_TRACE(
          fmt::format("{} {}: {:g} m, {:g} kg, {:g} s", letter(by), scene.name, u.m, u.kg, u.s));
      const Motion here = motion(scene, by, {}), there = motion(scene, by, u);
      EXPECT_EQ(here.failure, "");
      EXPECT_EQ(here.events, there.events);
      EXPECT_EQ(there.failure, "");
      EXPECT_LE(apart(here, there), kSame);
    }
}

const double kPower = std::ldexp(1, 30);  // of two: hardly anything is rounded otherwise

TEST(Scales, NanometresMoveAsMetres) { expect_same({.m = 1 / kPower}); }
TEST(Scales, GigametresMoveAsMetres) { expect_same({.m = kPower}); }
TEST(Scales, NanogramsMoveAsKilograms) { expect_same({.kg = 1 / kPower}); }
TEST(Scales, GigasecondsPassAsSeconds) { expect_same({.s = kPower}); }
TEST(Scales, SmallLightAndQuick) { expect_same({.m = 3.7e-7, .kg = 5.3e-9, .s = 1.9e-4}); }

/// The barrier of the energy formulation is as wide as it is stated, and what starts within it is
/// refused.
TEST(Scales, WhatIsSmallerThanTheBarrierIsRefused) {
  form::Settings form;
  form.formulation = kE;
  const Units small{.m = 1e-9};
  model::BodySpec body = brick(small, "a", {0.2, 0.2, 0.1}, 1, {0, 0, 0.2});
  std::string said;
  try {
    sim::Simulation sim(built(touching_floor(small, body, 0.3, 0).builder),
                        settings(1e-3, 1e-3, form));
  } catch (const std::exception& refusal) {
    said = refusal.what();
  }
  EXPECT_NE(said.find("less than 1 mm apart"), std::string::npos) << said;
}

class FullScales : public testing::TestWithParam<Units> {};
TEST_P(FullScales, MoveAlike) { expect_same(GetParam()); }
INSTANTIATE_TEST_SUITE_P(Factors, FullScales,
                         testing::Values(Units{1e-9, 1, 1}, Units{1e-6, 1, 1}, Units{7e-4, 1, 1},
                                         Units{3e3, 1, 1}, Units{1e6, 1, 1}, Units{1e9, 1, 1},
                                         Units{1, 1e-9, 1}, Units{1, 3e-4, 1}, Units{1, 1e9, 1},
                                         Units{1, 1, 1e-9}, Units{1, 1, 7e-5}, Units{1, 1, 1e9},
                                         Units{1e-9, 1e-9, 1e-9}, Units{1e9, 1e9, 1e9},
                                         Units{1e-9, 1e9, 1e-9}));

}  // namespace
}  // namespace trammel::acceptance::scales_test

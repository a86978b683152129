#include "sim/judgement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "sim/simulation.h"

namespace trammel::sim::judgement_test {

TEST(Climb, KnowsWhenALimitWasPassed) {
  Climb c;
  for (int i = 1; i <= 1000; ++i) c.see(std::exp(0.01 * i), 0.1 * i);
  EXPECT_DOUBLE_EQ(c.worst, std::exp(10));
  EXPECT_DOUBLE_EQ(c.t_worst, 100);
  EXPECT_LT(c.value.size(), 50u);  // ln(e^10)/ln(1.25)
  // to within a quarter of the value: here 2.3 s
  for (const double limit : {2., 30., 4000.}) {
    EXPECT_GE(c.first_beyond(limit), 10 * std::log(limit) - 1e-9);
    EXPECT_LE(c.first_beyond(limit), 10 * std::log(1.25 * limit) + 0.1);
  }
  c.see(1, 200);
  EXPECT_DOUBLE_EQ(c.t_worst, 100);
}

// The trapezoidal rule turns an oscillator by 2 atan(h w/2) a step.
TEST(Swing, TellsThePhaseOfAnOscillation) {
  for (const double phase : {0.1, 0.9, 1.1, 3., 20.}) {
    Swing s;
    const double turn = 2 * std::atan(phase / 2), k = 1e4, a = 0.02;
    for (int i = 0; i < 5000; ++i) s.see(-k * a * std::cos(turn * i), -k, i);
    // n values have n - 1 changes: the nearer to half a turn, the more that counts
    EXPECT_NEAR(s.phase(), phase, (2e-3 + phase * phase / (4 * 5000)) * phase);
    EXPECT_NEAR(s.amplitude(), a, 1e-3 * a);
    EXPECT_NEAR(s.energy(), 0.5 * k * a * a, 2e-3 * 0.5 * k * a * a);
    EXPECT_EQ(s.t_first == kNever, phase < 1);
  }
}

// A force that changes slowly has none, however great it is, nor has one that was seen but shortly.
TEST(Swing, SlowForcesDoNotSwing) {
  Swing ramp, steady, brief;
  for (int i = 0; i < 1000; ++i) ramp.see(1e6 + 3. * i, -1e7, i);
  for (int i = 0; i < 1000; ++i) steady.see(5, -1e7, i);
  for (int i = 0; i < 10; ++i) brief.see(i % 2, -1, i);
  EXPECT_LT(ramp.phase(), 0.1);
  EXPECT_EQ(steady.phase(), 0);
  EXPECT_EQ(brief.phase(), 0);
}

/// Scenes refuse them; a model that is built knows no formulation.
TEST(Judgement, SaysWhichNumbersHaveNoEffect) {
  model::Builder b;
  model::BodySpec body;
  body.name = "block";
  body.mass = 1;
  body.inertia = {1, 1, 1, 0, 0, 0};
  b.add_body(body);
  model::JointSpec slide;
  slide.name = "slide";
  slide.type = "prismatic";
  slide.b = "block";
  slide.frame_a = slide.frame_b = Pose{};
  b.add_joint(slide);
  model::LawSpec rub;
  rub.name = "rub";
  rub.type = "friction";
  rub.joint = "slide";
  rub.numbers = {{"force", 1}, {"smoothing", 0.1}};
  b.add_law(rub);
  const auto result = b.build();
  const auto& built = std::get<model::Built>(result);
  Settings s;
  const auto said = [&] {
    const std::vector<Warning> all = Simulation(built, s).warnings();
    return all.empty() ? "" : std::string(name_of(all[0].kind)) + " " + all[0].subject;
  };
  EXPECT_EQ(said(), "unused number rub");
  s.form.formulation = form::Settings::Formulation::acceleration;
  EXPECT_EQ(said(), "unused number rub");
  s.form.formulation = form::Settings::Formulation::energy;
  EXPECT_EQ(said(), "");
}

}  // namespace trammel::sim::judgement_test

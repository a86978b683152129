#include "sim/judgement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
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

namespace {

model::BodySpec solid(const char* name, const Vec3& moments, double mass = 1) {
  model::BodySpec s;
  s.name = name;
  s.mass = mass;
  s.inertia = {moments.x(), moments.y(), moments.z(), 0, 0, 0};
  return s;
}

model::JointSpec slide(const char* name, const char* a, const char* b) {
  model::JointSpec s;
  s.name = name;
  s.type = "prismatic";
  s.a = a;
  s.b = b;
  s.at = Pose{};
  return s;
}

model::LawSpec law_on(const char* name, const char* type, const char* joint,
                      std::map<std::string, double> numbers) {
  model::LawSpec s;
  s.name = name;
  s.type = type;
  s.joint = joint;
  s.numbers = std::move(numbers);
  return s;
}

model::Built built(const model::Builder& builder) {
  auto result = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result))
    for (const Problem& p : *problems) ADD_FAILURE() << p.path << ": " << p.text;
  return std::get<model::Built>(std::move(result));
}

void run(Simulation& simulation) {
  while (!simulation.finished() && simulation.advance()) continue;
  EXPECT_EQ(simulation.failure(), "");
}

}  // namespace

/// Two oscillators of which each has a spring of its own, the second with the ground at side B:
/// what springs store is among the energies of their own mechanism.
TEST(Judgement, FindsTheSpringsOfEachMechanism) {
  model::Builder b;
  b.add_body(solid("left", {1, 1, 1}, 2));
  b.add_body(solid("right", {1, 1, 1}, 3));
  b.add_joint(slide("first", "ground", "left"));
  b.add_joint(slide("second", "right", "ground"));
  b.add_law(law_on("soft", "spring", "first", {{"stiffness", 20}, {"rest", 0.3}}));
  b.add_law(law_on("stiff", "spring", "second", {{"stiffness", 50}, {"rest", 0.2}}));
  Settings s;
  s.duration = 2;
  s.step = 1e-3;
  Simulation simulation(built(b), s);
  run(simulation);
  for (const Warning& w : simulation.warnings()) ADD_FAILURE() << sentence(w);
}

/// A stone on a string of 1 m.
model::Built whirling(double spin) {
  model::Builder b;
  b.gravity.setZero();
  model::BodySpec stone = solid("stone", {1e-3, 1e-3, 1e-3});
  stone.X_WB.p = {1, 0, 0};
  stone.v = {0, spin, 0};
  stone.w = {0, 0, spin};
  b.add_body(stone);
  model::JointSpec string = slide("string", "ground", "stone");
  string.type = "spherical";
  b.add_joint(string);
  return built(b);
}

/// By bdf1 a body that whirls about a hinge has its moment taken where it is at a step's end: it is
/// off by the square of what it turns by in a step.
TEST(Summary, TellsByHowMuchMomentaMissWhatCameIn) {
  const auto off = [](double step) {
    Settings s;
    s.duration = 0.5;
    s.step = step;
    s.form.formulation = form::Settings::Formulation::energy;
    s.form.difference = form::Settings::Difference::bdf1;
    Simulation simulation(whirling(3), s);
    run(simulation);
    return simulation.summary().momentum_residual_rel;
  };
  const double coarse = off(0.02), fine = off(0.01);
  EXPECT_NEAR(coarse, 0.06 * 0.06, 0.06 * 0.06 / 2);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

/// A block on two slides of which one would do.
TEST(Judgement, SaysWhichLoadIsNotDetermined) {
  model::Builder b;
  b.add_body(solid("block", {1, 1, 1}));
  b.add_joint(slide("slide", "ground", "block"));
  b.add_law(law_on("rub", "load-friction", "slide", {{"mu", 0.3}}));
  Settings s;
  s.duration = 0.01;
  Simulation alone(built(b), s);
  run(alone);
  EXPECT_TRUE(alone.warnings().empty());
  b.add_joint(slide("spare", "ground", "block"));
  Simulation shared(built(b), s);
  run(shared);
  const std::vector<Warning> all = shared.warnings();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].kind, WarningKind::undetermined_load);
  EXPECT_EQ(all[0].subject, "rub");
  EXPECT_FALSE(all[0].grave);
  EXPECT_EQ(all[0].value, 1);  // one law, which is as many as say so
  EXPECT_EQ(all[0].limit, 1);
}

}  // namespace trammel::sim::judgement_test

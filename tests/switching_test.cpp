// Signals and formulas that jump or kink: each side acts up to the very moment, in every
// formulation.
#include <fmt/core.h>

#include <functional>
#include <numbers>
#include <utility>

#include "io/scene.h"
#include "support.h"

namespace trammel::acceptance::switching_test {
namespace {

/// A slider of 64 kg along x with more of the scene, its settings of a formulation.
Simulation simulation(const std::string& settings, const std::string& more) {
  const std::string text = fmt::format(
      "format = 1\n[simulation]\nduration = 1\ngravity = 0\n{}\n[[body]]\nname = "
      "\"m\"\nmass = 64\nsphere = 0.2\n[[joint]]\nname = \"j\"\ntype = \"prismatic\"\nb = "
      "\"m\"\nat = [0, 0, 0]\n{}\n",
      settings, more);
  auto loaded = io::load_scene_text(text, "test.toml");
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    std::string all;
    for (const io::SceneProblem& p : *problems) all += to_text(p) + "\n";
    throw std::runtime_error(all);
  }
  auto& [scene, built] = std::get<io::LoadedScene>(loaded);
  return {std::move(built), scene.settings};
}

std::string load(const std::string& force) {
  return "[[load]]\nname = \"F\"\ntype = \"force\"\nbody = \"m\"\nforce = [" + force + ", 0, 0]";
}
std::string spring(const std::string& function) {
  return "[[law]]\nname = \"f\"\ntype = \"spring\"\njoint = \"j\"\nfunction = \"" + function + "\"";
}
std::string driven(const std::string& signal) {
  return "[[law]]\nname = \"f\"\ntype = \"driven\"\njoint = \"j\"\ndisplacement = " + signal;
}

struct Method {
  const char *name, *settings;
  bool energy = false;
};
void PrintTo(const Method& m, std::ostream* out) { *out << m.name; }
// steps that meet no knot, that meet some, and that do not divide the second
const Method kMethods[] = {
    {"Impulses", "step = 0.007"},
    {"ImpulsesOnTheGrid", "step = 0.01"},
    {"Composed", "step = 0.007\norder = 4"},
    {"ForcesRk4", "step = 0.007\nformulation = \"acceleration\"\nmethod = \"rk4\""},
    {"ForcesDp8", "step = 0.05\nformulation = \"acceleration\""},
    {"Bdf1", "step = 0.007\nformulation = \"energy\"\ndifference = \"bdf1\"", true},
    {"Bdf2", "step = 0.007\nformulation = \"energy\"", true},
    {"Midpoint", "step = 0.007\nformulation = \"energy\"\ndifference = \"midpoint\"", true}};

/// Many kinks in a step, and what only looks like them: no time between them is lost. Steps may be
/// off by 1e-9 m/s each, and there are 30 000; one half wave in a second is 4e-4 m/s.
TEST(FastSwitches, LoseNoTimeBetween) {
  const double pi = std::numbers::pi;
  for (const int frequency : {300, 500, 750})
    for (const auto& [force, mean] : {std::pair("64 [N]*cos(tau*{} [Hz]*t)^2", 0.5),
                                      {"64 [N]*abs(cos(tau*{} [Hz]*t))", 2 / pi}}) {
      const std::string formula = fmt::format(fmt::runtime(force), frequency);
      Simulation sim = simulation("step = 0.01\nformulation = \"acceleration\"",
                                  load("{formula = \"" + formula + "\"}"));
      while (!sim.finished() && sim.advance()) continue;
      EXPECT_TRUE(sim.finished()) << formula << ": " << sim.failure();
      EXPECT_NEAR(velocity(sim, "m").first.x(), mean, 5e-5) << formula;
    }
}

class Switching : public testing::TestWithParam<Method> {};

struct Stepped {
  std::string force;  // 1000 N until a moment, -5000 N after it
  double moment;
};

TEST_P(Switching, ConstantForcesMakeTheirImpulseExactly) {
  const Stepped cases[] = {
      {load("{time = [0, 0.5, 0.5], value = [1000, 1000, -5000]}"), 0.5},
      {load("{time = [0, 0.33337, 0.33337], value = [1000, 1000, -5000]}"), 0.33337},
      {load("{formula = \"if(t < 0.5 [s], 1000 [N], -5000 [N])\"}"), 0.5},
      {load("{formula = \"if(t <= 0.33337 [s], 1000 [N], -5000 [N])\"}"), 0.33337},
      {load("{formula = \"1000 [N]*(1 - 6*floor(3*t/1 [s])/2*step(0.999 [s] - t))\"}"), -1},
      {spring("if(t > 0.33337 [s], -5000 [N], 1000 [N])"), 0.33337}};
  for (const Stepped& c : cases) {
    Simulation sim = simulation(GetParam().settings, c.force);
    run(sim);
    const double end = sim.state().t;
    EXPECT_NEAR(end, 1, 0.0071);
    // 1000, -2000, -5000 N a third of a second each, then 1000 N
    const double impulse = c.moment < 0
                               ? (1000. - 2000) / 3 - 5000 * (0.999 - 2. / 3) + 1000 * (end - 0.999)
                               : 1000 * c.moment - 5000 * (end - c.moment);
    EXPECT_NEAR(sim.state().P[0], impulse, 1e-9) << c.force;
    EXPECT_LE(sim.summary().energy_residual, GetParam().energy ? 10 : 1e-6);
  }
}

/// Straight between kinks: the mean of both ends of a step is exact, and so are Runge-Kutta
/// methods.
TEST_P(Switching, StraightForcesMakeTheirImpulseExactly) {
  if (GetParam().energy) return;  // at the step's end or in its middle: truncation
  const std::pair<std::string, std::function<double(double)>> cases[] = {
      {load("{time = [0, 0.12345, 0.5, 0.5, 0.81], value = [0, 900, -300, 500, 0]}"),
       [](double) { return 450 * 0.12345 + 300 * (0.5 - 0.12345) + 250 * 0.31; }},
      {load("{formula = \"900 [N/s]*abs(0.54321 [s] - t)\"}"),
       [](double T) { return 450 * (0.54321 * 0.54321 + (T - 0.54321) * (T - 0.54321)); }},
      {load("{formula = \"900 [N/s]*clamp(t, 0.2 [s], 0.77777 [s])\"}"),
       [](double T) {
         return 900 * (0.04 + (0.77777 * 0.77777 - 0.04) / 2 + 0.77777 * (T - 0.77777));
       }},
      {spring("900 [N/s]*min(t, 0.77777 [s])"),
       [](double T) { return 900 * (0.77777 * 0.77777 / 2 + 0.77777 * (T - 0.77777)); }}};
  for (const auto& [force, impulse] : cases) {
    Simulation sim = simulation(GetParam().settings, force);
    run(sim);
    EXPECT_NEAR(sim.state().P[0], impulse(sim.state().t), 1e-9) << force;
  }
}

TEST_P(Switching, AForceThatStepsCarriesAsFar) {  // off the grid; piecewise a parabola
  if (GetParam().energy) return;                  // a new start costs h^2 a/2
  Simulation sim = simulation(GetParam().settings,
                              load("{formula = \"if(t < 0.33337 [s], 1000 [N], -5000 [N])\"}"));
  run(sim);
  const double T = sim.state().t, a = 1000. / 64, b = -5000. / 64, s = 0.33337;
  const double x = a * s * s / 2 + a * s * (T - s) + b * (T - s) * (T - s) / 2;
  EXPECT_NEAR(pose(sim, "m").p.x(), x, 1e-11);
}

TEST_P(Switching, ADriveThatKinksIsFollowed) {
  Simulation sim =
      simulation(std::string(GetParam().settings) + "\n",
                 driven("{formula = \"0.3 [m/s]*abs(t - 0.4321 [s]) - 0.12963 [m]\"}"));
  double off = 0, rate = 0;
  run(sim, [&] {
    const double t = sim.state().t;
    off = std::max(off, std::abs(pose(sim, "m").p.x() - (0.3 * std::abs(t - 0.4321) - 0.12963)));
    if (t > 0.6) rate = std::max(rate, std::abs(velocity(sim, "m").first.x() - 0.3));
  });
  EXPECT_LE(off, GetParam().energy ? 1e-3 : 1e-10);  // springs of the energy formulation
  EXPECT_LE(rate, GetParam().energy ? 1 : 1e-10);
}

/// 20 N on 64 kg for a second, whatever holds at the start itself.
TEST_P(Switching, OfAJumpAtTheStartTheSideAfterItActs) {
  for (const std::string& force : {load("{formula = \"if(t > 0 [s], 20 [N], 0 [N])\"}"),
                                   load("{formula = \"20 [N]*sign(t)\"}"),
                                   load("{formula = \"if(t + 1 [s] > 1 [s], 20 [N], -1000 [N])\"}"),
                                   load("{formula = \"if(t < 0 [s], 1000 [N], 20 [N])\"}"),
                                   spring("if(t > 0 [s], 20 [N], 0 [N])")}) {
    Simulation sim = simulation(GetParam().settings, force);
    EXPECT_EQ(sim.state().t, 0);
    run(sim);
    EXPECT_NEAR(sim.state().P[0], 20 * sim.state().t, 1e-9) << force;
  }
}

TEST_P(Switching, WhatCannotBeFollowedStopsTheRunAndIsNamed) {
  const std::tuple<std::string, const char*, const char*> cases[] = {
      {driven("{formula = \"0.1 [m]*floor(2*t/1 [s] + 0.3)\"}"), "joint 'j'", "t = 0.35 s"},
      {load("{formula = \"1 [N s]/(0.1 [s] - t)\"}"), "the load 'F' has a pole", "t = 0.1 s"},
      {spring("1 [N s^2]/(0.12345 [s] - t)^2"), "the force of law 'f' has a pole", "t = 0.12345 s"},
  };
  for (const auto& [text, name, when] : cases) {
    Simulation sim = simulation(GetParam().settings, text);
    while (sim.advance() && !sim.finished()) {
    }
    EXPECT_NE(sim.failure().find(name), std::string::npos) << sim.failure();
    EXPECT_NE(sim.failure().find(when), std::string::npos) << sim.failure();
  }
}

/// A wheel of 2 kg m^2 on an axle along x under a torque: as forces on a slider.
TEST_P(Switching, TorquesMakeTheirImpulseExactly) {
  const auto torque = [](const std::string& value) {
    return "[[body]]\nname = \"w\"\nmass = 1\ninertia = [2, 1, 1]\n[[joint]]\nname = \"axle\"\n"
           "type = \"revolute\"\nb = \"w\"\nframe_a = {}\nframe_b = {}\n[[load]]\nname = \"T\"\n"
           "type = \"torque\"\nbody = \"w\"\ntorque = [" +
           value + ", 0, 0]";
  };
  for (const std::string& value :
       {torque("{time = [0, 0.33337, 0.33337], value = [1, 1, -5]}"),
        torque("{formula = \"if(t < 0.33337 [s], 1 [N m], -5 [N m])\"}")}) {
    Simulation sim = simulation(GetParam().settings, value);
    run(sim);
    const double T = sim.state().t, s = 0.33337, L = s - 5 * (T - s);
    EXPECT_NEAR(sim.state().P[9], L, 1e-9) << value;
    const double turned = (s * s / 2 + s * (T - s) - 2.5 * (T - s) * (T - s)) / 2;
    if (!GetParam().energy) {  // a new start costs h^2 a/2
      EXPECT_NEAR(coordinate(sim, "axle", "angle"), turned, 1e-10) << value;
    }
  }
}

/// 1 kg that a damper of 2 N s/m alone holds back from a base whose speed jumps from -0.3 to 0.3
/// m/s.
TEST_P(Switching, OfABodyThatIsPrescribedTheKinkIsMet) {
  Simulation sim = simulation(
      GetParam().settings,
      "[[body]]\nname = \"base\"\nkind = \"prescribed\"\ndisplacement = [{formula = \"0.3 "
      "[m/s]*abs(t - 0.4321 [s]) - 0.12963 [m]\"}, 0, 0]\n[[body]]\nname = \"n\"\nmass = 1\nsphere "
      "= 0.1\n[[joint]]\nname = \"k\"\ntype = \"prismatic\"\na = \"base\"\nb = \"n\"\nframe_a = "
      "{}\nframe_b = {}\n[[law]]\nname = \"d\"\ntype = \"spring\"\njoint = \"k\"\ndamping = 2\n");
  double off = 0;
  run(sim, [&] {
    const double t = sim.state().t, s = 0.4321, at = -0.3 * (1 - std::exp(-2 * std::min(t, s)));
    const double v = t < s ? at : 0.3 + (at - 0.3) * std::exp(-2 * (t - s));
    off = std::max(off, std::abs(velocity(sim, "n").first.x() - v));
  });
  EXPECT_LE(off, GetParam().energy ? 2e-3 : 1e-5);  // truncation; missed by half a step: 4e-3
}

INSTANTIATE_TEST_SUITE_P(All, Switching, testing::ValuesIn(kMethods),
                         [](const auto& test) { return test.param.name; });

/// A bogie's frame that pitches over its pivot: at 90 deg its yaw has no meaning, and a
/// spring on it would gain what turns it by pi. By a product of axes it goes round.
std::pair<std::string, double> pitching(const std::string& settings, const std::string& roll) {
  auto loaded = io::load_scene_text(
      fmt::format("format = 1\n[simulation]\nduration = 2\ngravity = 0\n{}\n[[body]]\nname = "
                  "\"bogie\"\nmass = 4700\ninertia = [3000, 4900, 6600]\nangular_velocity = "
                  "[0.001, 2, 0.002]\n[[joint]]\nname = \"pivot\"\nrows = [\"Ax.D\", \"Ay.D\", "
                  "\"Az.D\"]\ncoordinates = [\"yaw = {}\"]\nb = \"bogie\"\nframe_a = "
                  "{{}}\nframe_b = {{}}\n[[law]]\nname = \"turns\"\ntype = \"spring\"\njoint "
                  "= \"pivot\"\ncoordinate = \"yaw\"\nstiffness = 4500\n",
                  settings, roll),
      "test.toml");
  auto& [scene, built] = std::get<io::LoadedScene>(loaded);
  Simulation sim(std::move(built), scene.settings);
  while (sim.advance() && !sim.finished()) {
  }
  return {sim.failure(), sim.summary().energy_residual};
}

TEST(LostAngle, StopsTheRunWhereItHasNoMeaning) {
  const auto [why, residual] = pitching("step = 0.02", "atan2(Ay.Bx, Ax.Bx)");
  EXPECT_NE(why.find("the angle 'yaw' of joint 'pivot' turns by"), std::string::npos) << why;
  const auto [none, small] = pitching("step = 0.02", "Ay.Bx");
  EXPECT_EQ(none, "");
  EXPECT_LE(small, 100);  // of 9800 J
}

}  // namespace
}  // namespace trammel::acceptance::switching_test

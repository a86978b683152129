// Parameters of laws and bodies that are changed without a rebuild: as in a model built with them,
// in every formulation that takes it, or refused with the reason.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "io/scene.h"
#include "model/handles.h"
#include "sim/dynamics.h"
#include "sim/size.h"
#include "sim/trial.h"

namespace trammel::io::scene_vary_test {
namespace {

LoadedScene loaded(const std::string& text) {
  auto result = load_scene_text("format = 1\n" + text, "x.toml");
  if (auto* problems = std::get_if<SceneProblems>(&result)) {
    std::string all;
    for (const SceneProblem& p : *problems) all += to_text(p) + "\n";
    throw std::runtime_error(all + text);
  }
  return std::move(std::get<LoadedScene>(result));
}

constexpr const char* kRun = "[simulation]\nduration = 1\nstep = 0.005\n";

/// A block on a slope, pressed from the side, and a wheel on its axle.
std::string slope(const std::string& body, const std::string& law) {
  return kRun + fmt::format("[[body]]\nname = \"b\"\n{}", body) +
         "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nb = \"b\"\nat = [0, 0, 0]\n"
         "orientation = {axis = [0, 1, 0], angle = 0.6}\n"
         "[[body]]\nname = \"wheel\"\nmass = 3\ninertia = [0.1, 0.1, 0.1]\nposition = [5, 0, 0]\n"
         "[[joint]]\nname = \"axle\"\ntype = \"revolute\"\nb = \"wheel\"\nat = [5, 0, 0]\n"
         "rate = 20\n"
         "[[load]]\nname = \"press\"\ntype = \"force\"\nbody = \"b\"\npoint = [0, 0.1, 0.2]\n"
         "force = [0, 2, 3]\n" +
         law;
}
std::string on(const char* type, const char* joint, const std::string& numbers) {
  return fmt::format("[[law]]\nname = \"law\"\ntype = \"{}\"\njoint = \"{}\"\n{}", type, joint,
                     numbers);
}
std::string box(double mass) { return fmt::format("mass = {}\nbox = [0.3, 0.2, 0.1]\n", mass); }

struct Case {
  std::string before, after, param;
  double value;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  const auto add = [&](const char* type, const char* joint, const char* number, double from,
                       double to, const std::string& more) {
    const auto with = [&](double x) {
      return slope(box(2), on(type, joint, fmt::format("{} = {}\n{}", number, x, more)));
    };
    out.push_back({with(from), with(to), fmt::format("law.law.{}", number), to});
  };
  add("load-friction", "slide", "mu", 0.1, 0.2, "");
  add("load-friction", "slide", "static_mu", 0.3, 0.9, "mu = 0.2\n");
  add("load-friction", "slide", "stribeck_speed", 0, 2, "mu = 0.2\nstatic_mu = 0.5\n");
  add("load-friction", "slide", "length", 0.06, 0.02, "mu = 0.1\n");
  add("load-friction", "axle", "radius", 0.01, 0.03, "mu = 0.3\n");
  add("friction", "slide", "force", 1, 4, "");
  add("motor", "axle", "force_max", 1, 3,
      "velocity = 40\nforce_limit = \"30 W/max(abs(v), 1 rad/s)\"\n");
  add("motor", "slide", "force_min", -1, -5,
      "velocity = -1\nforce_limit = \"4 N + abs(v)*1 N*s/m\"\n");
  const std::string push = on("actuator", "slide", "force = {formula = \"3 N*sin(5*t)\"}\n");
  out.push_back({slope(box(2), push), slope(box(3), push), "body.b.mass", 3});
  return out;
}

double apart(const model::State& a, const model::State& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) most = std::max(most, std::abs(a.q[i] - b.q[i]));
  return most;
}

TEST(VariedScene, MovesAsOneThatIsBuiltWithTheParameter) {
  using Formulation = form::Settings::Formulation;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.after);
    const LoadedScene before = loaded(c.before), after = loaded(c.after);
    std::vector<double> inertia;
    for (const Formulation f :
         {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
      sim::Settings settings = before.scene.settings;
      settings.form.formulation = f;
      if (!sim::refused(after.built, settings).empty()) {
        EXPECT_EQ(f, Formulation::energy);
        continue;
      }
      sim::Trial plain(before.built, settings), set(before.built, settings),
          built(after.built, settings);
      set.set(c.param, c.value);
      if (c.param == "body.b.mass")  // of a box of more density
        for (const char* name : {"body.b.Ixx", "body.b.Iyy", "body.b.Izz"})
          set.set(name, built.get(name));
      plain.advance(100);
      ASSERT_TRUE(set.advance(100) && built.advance(100));
      EXPECT_GT(apart(plain.state(), built.state()), 1e-4);
      EXPECT_LT(apart(set.state(), built.state()), 1e-11);
    }
  }
}

TEST(VariedScene, WhatWouldBeAnotherModelIsRefused) {
  const auto why = [](const std::string& law, const char* param, double value) {
    const LoadedScene scene = loaded(slope(box(2), law));
    sim::Trial trial(scene.built, scene.scene.settings);
    try {
      trial.set(param, value);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  const std::string slide = on("load-friction", "slide", "mu = 0.1\n"),
                    axle = on("load-friction", "axle", "mu = 0.1\nradius = 0.1\n");
  const char* another = "whether there is such a length is known when the model is built";
  EXPECT_NE(why(axle, "law.law.radius", 0).find(another), std::string::npos);
  EXPECT_NE(why(slide, "law.law.length", 1).find(another), std::string::npos);
  EXPECT_NE(why(on("load-friction", "slide", "mu = 0.1\nstatic_mu = 0.2\n"), "law.law.mu", 0.3)
                .find("static_mu 0.2 is below mu 0.3"),
            std::string::npos);
  EXPECT_NE(why(slide, "law.law.stribeck_speed", 1).find("which is not given"), std::string::npos);
  EXPECT_NE(why(slide, "law.law.mu", -1).find("outside"), std::string::npos);
  EXPECT_EQ(why(slide, "law.law.mu", 5), "taken");
}

/// A bob on a slide that swings on a rod with inertia.
std::string swing(double bob, const std::string& inertia) {
  return kRun +
         fmt::format(
             "[[system]]\nname = \"s\"\npotential = \"20 [N/m]*x^2\"\n"
             "[[system.coordinate]]\nname = \"a\"\nunit = \"rad\"\nvalue = 1\nrate = 2\n"
             "[[system.coordinate]]\nname = \"x\"\nunit = \"m\"\nvalue = 0.3\n"
             "[[system.object]]\nname = \"rod\"\ncom = [0, 0, -0.5]\nmass = 2\ninertia = {}\n"
             "turns = [{{axis = [0, 1, 0], angle = \"a\"}}]\n"
             "[[system.object]]\nname = \"bob\"\non = \"rod\"\nposition = [0, 0, \"x - 1 "
             "[m]\"]\nmass = {}\n",
             inertia, bob);
}

TEST(VariedScene, ObjectsOfSystemsHaveTheirMassesAndMoments) {
  using Formulation = form::Settings::Formulation;
  const std::string all = "[0.2, 0.2, 0.1]";
  for (const auto& [after, param, value] : {std::tuple(swing(3, all), "body.s.bob.mass", 3.),
                                            {swing(1, "[0.2, 0.25, 0.1]"), "body.s.rod.Iyy", 0.25}})
    for (const Formulation f :
         {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
      const LoadedScene before = loaded(swing(1, all)), other = loaded(after);
      sim::Settings settings = before.scene.settings;
      settings.form.formulation = f;
      sim::Trial plain(before.built, settings), set(before.built, settings),
          built(other.built, settings);
      set.set(param, value);
      EXPECT_EQ(set.get(param), value);
      ASSERT_TRUE(plain.advance(100) && set.advance(100) && built.advance(100));
      EXPECT_GT(apart(plain.state(), built.state()), 1e-4);
      EXPECT_LT(apart(set.state(), built.state()), 1e-11);  // rounding
    }
}

TEST(VariedScene, ObjectsOfSystemsStayBodies) {
  const auto why = [](const char* param, double value) {
    const LoadedScene scene = loaded(swing(1, "[0.2, 0.2, 0.1]"));
    sim::Trial trial(scene.built, scene.scene.settings);
    try {
      trial.set(param, value);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(why("body.s.bob.mass", 0).find("body.s.bob.mass: 0 kg: the mass is positive"), 0u);
  EXPECT_EQ(why("body.s.rod.Iyy", 0.4).find("body.s.rod.Ixx: no body has these moments"), 0u);
  EXPECT_EQ(why("body.s.rod.mass", 5), "taken");
  EXPECT_NE(why("body.s.bob.Ixx", 1), "taken");  // a point's are none of its parameters
}

/// What takes no part in the equations of motion is named; actuators of other coordinates act.
TEST(VariedScene, EquationsOfMotionNameFrictionAndMotorsThatTheyLeaveOut) {
  const auto left_out = [](const std::string& law, const char* y) {
    const LoadedScene scene = loaded(slope(box(2), law) +
                                     "[[joint]]\nname = \"tie\"\ntype = \"prismatic\"\n"
                                     "a = \"b\"\nb = \"rider\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\n"
                                     "[[body]]\nname = \"rider\"\nmass = 1\nbox = [1, 1, 1]\n"
                                     "[[coupling]]\nname = \"cord\"\ntype = \"pulley\"\n"
                                     "of = [\"slide.travel\", \"tie.travel\"]\n");
    const model::Model& m = *scene.built.model;
    const sim::Dynamics d(
        scene.built, {model::coordinate_named(m, y), model::coordinate_named(m, "axle.angle")});
    return d.left_out();
  };
  const std::string rub = on("load-friction", "slide", "mu = 0.1\n"),
                    drive = on("motor", "slide", "velocity = 1\nforce_limit = \"3 N\"\n");
  const std::vector<std::string> named{"law"}, none;
  EXPECT_EQ(left_out(rub, "tie.travel"), named);
  EXPECT_EQ(left_out(drive, "tie.travel"), named);
  EXPECT_EQ(left_out(rub, "slide.travel"), none);
  EXPECT_EQ(left_out(on("actuator", "slide", "force = 3\n"), "tie.travel"), none);
}

}  // namespace
}  // namespace trammel::io::scene_vary_test

// Kinds of warnings, each in one scene, and the same with the remedy that the warning names: it
// must be gone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "cli/test_warnings.h"

namespace trammel::cli::remedies_test {
namespace {

using namespace test;

struct Case {
  std::string kind;
  std::string step;
  std::function<std::string(const std::string& step)> scene;
  std::string remedied = {};  // where the remedy is not a step: the scene with it
};

std::string links(const char* duration, const std::string& step, const char* more) {
  return simulation(duration, step, more) + R"(
[[body]]
name = "upper"
mass = 1
sphere = 0.1
position = [1, 0, 0]
[[body]]
name = "lower"
mass = 1
sphere = 0.1
position = [2, 0, 0]
[[joint]]
name = "top"
type = "revolute"
b = "upper"
at = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "elbow"
type = "revolute"
a = "upper"
b = "lower"
at = [1, 0, 0]
axis = [0, 1, 0]
)";
}

std::string rotor(const std::string& step) {
  return simulation("0.1 s", step) + R"(
[[body]]
name = "rotor"
mass = 1
sphere = 0.1
angular_velocity = [1100, 0, 0]
[[joint]]
name = "bearing"
type = "revolute"
b = "rotor"
at = [0, 0, 0]
axis = [1, 0, 0]
)";
}

std::string flattened(const std::string& step) {
  const auto bar = [](const char* name, double length, double z, const char* motion) {
    return fmt::format(
        "[[body]]\nname = \"{}\"\nmass = 1\nbox = [0.1, 0.1, {}]\nposition = [0, 0, {}]\n{}\n",
        name, length, z, motion);
  };
  const auto hinge = [](const char* name, const char* a, const char* b, double z) {
    return fmt::format(
        "[[joint]]\nname = \"{}\"\ntype = \"revolute\"\na = \"{}\"\nb = \"{}\"\nat = [0, 0, {}]\n"
        "axis = [0, 1, 0]\n",
        name, a, b, z);
  };
  return simulation("5 s", step) +
         bar("crank", 1, -0.5, "velocity = [-0.25, 0, 0]\nangular_velocity = [0, 0.5, 0]") +
         bar("coupler", 2, -2, "velocity = [-0.5, 0, 0]") +
         bar("rocker", 1, -2.5, "velocity = [-0.25, 0, 0]\nangular_velocity = [0, 0.5, 0]") +
         hinge("first", "ground", "crank", 0) + hinge("second", "crank", "coupler", -1) +
         hinge("third", "coupler", "rocker", -3) + hinge("fourth", "ground", "rocker", -2);
}

std::string top(const std::string& step) {
  return simulation("0.5 s", step, "formulation = \"acceleration\"\nmethod = \"rk4\"") + R"(
[[body]]
name = "top"
mass = 1
inertia = [0.001, 0.001, 0.002]
com = [0, 0, 0.1]
orientation = { axis = [0, 1, 0], angle = 0.5235987755982988 }
angular_velocity = [449.7633234399857, 0, 779.55950868163]
velocity = [0, 0.02732905512701933, 0]
[[joint]]
name = "tip"
type = "spherical"
b = "top"
at = [0, 0, 0]
)";
}

std::string pendulum(const char* velocities) {
  return fmt::format(
      "{}[[body]]\nname = \"bob\"\nmass = 2\nsphere = 0.05\nposition = [1, 0, 0]\n{}\n[[joint]]\n"
      "name = \"pivot\"\ntype = \"revolute\"\nb = \"bob\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\n",
      simulation("0.1 s", "1 ms", "gravity = 0"), velocities);
}

std::string hanging(const char* more) {
  return simulation("0.1 s", "1 ms", more) +
         "[[body]]\nname = \"w\"\nmass = \"40 t\"\nsphere = 1\n[[joint]]\nname = \"hook\"\n"
         "type = \"fixed\"\nb = \"w\"\nat = [0, 0, 1]\nstrength = \"600 kN\"\n";
}

/// A car on a bend of 30 degrees: of lines that meet at three kinks, or an arc.
std::string bend(const char* members, const char* more = "") {
  return simulation("2 s", "1 ms", more) + fmt::format(R"(
[[track]]
name = "line"
max_kink = "11 deg"
chain = [{}]
[[body]]
name = "car"
mass = 500
box = [2, 1, 1]
on_track = {{track = "line", s = 2, speed = 15}}
[[joint]]
name = "wheels"
type = "point-on-track"
b = "car"
track = "line"
)",
                                                       members);
}
constexpr const char* kKinks =
    "{line = 10, axis = [1, 0, 0]}, "
    "{line = 5, position = [10, 0, 0], axis = [0.984807753012208, 0.17364817766693, 0]}, "
    "{line = 5, position = [14.92403876506104, 0.86824088833465, 0], "
    "axis = [0.939692620785908, 0.34202014332567, 0]}, "
    "{line = 40, position = [19.62250186899058, 2.578341604963, 0], "
    "axis = [0.866025403784439, 0.5, 0]}";

const std::vector<Case>& cases() {
  static const std::vector<Case> kAll{
      {"energy residual", "100 ms", [](const std::string& h) { return links("10 s", h, ""); }},
      {"numerical damping", "10 ms",
       [](const std::string& h) {
         return links("5 s", h, "formulation = \"energy\"\ndifference = \"bdf1\"");
       },
       links("5 s", "2 ms", "formulation = \"energy\"\ndifference = \"bdf2\"")},
      {"numerical gain", "5 ms",
       [](const std::string& h) {
         return links("8 s", h, "formulation = \"energy\"\ndifference = \"midpoint\"");
       },
       links("8 s", "5 ms", "formulation = \"acceleration\"")},
      {"momentum residual", "1 ms", top},
      {"fallback steps", "50 ms", flattened},
      {"large turns", "1 ms", rotor},
      {"unresolved vibration", "10 ms",
       [](const std::string& h) {
         return simulation("1 s", h) +
                slider("type = \"spring\"\nstiffness = 1e5", "velocity = [1, 0, 0]");
       }},
      {"unresolved drive", "10 ms",
       [](const std::string& h) {
         return simulation("1 s", h, "gravity = 0") +
                slider("type = \"driven\"\ndisplacement = {formula = \"0.01*cos(633*t) - 0.01\"}");
       }},
      {"late impacts", "8 ms",
       [](const std::string& h) {
         return simulation("48 ms", h, "gravity = 0") +
                slider("type = \"limit\"\nfrom = -1e-3\nto = 1e-3\nrestitution = 0.98",
                       "velocity = [40, 0, 0]");
       }},
      {"start velocities", "",
       [](const std::string&) { return pendulum("angular_velocity = [0, 1, 0]"); },
       pendulum("velocity = [0, 0, -1]\nangular_velocity = [0, 1, 0]")},
      {"energy lost at kinks", "", [](const std::string&) { return bend(kKinks); },
       bend("{line = 10, axis = [1, 0, 0]}, {turn = \"30 deg\", radius = 20}, {line = 40}")},
      {"break of a soft joint", "",
       [](const std::string&) { return hanging("formulation = \"energy\""); },
       hanging("formulation = \"energy\"\njoint_stiffness = \"inf\"")},
  };
  return kAll;
}

/// The step that the remedy asks for, a little shorter: "use a step below 400 us, or ...".
std::string step_of(const std::string& remedy) {
  const std::string below = "use a step below ";
  const std::size_t from = remedy.find(below);
  if (from == std::string::npos) return "";
  const std::size_t begin = from + below.size(), to = remedy.find_first_of(",;", begin);
  const std::string step = remedy.substr(begin, to == std::string::npos ? to : to - begin);
  const std::size_t space = step.find(' ');
  return fmt::format("{:.6g}{}", 0.98 * std::stod(step), step.substr(space));
}

TEST(Remedies, HelpAgainstWhatTheyAreFor) {
  for (const Case& c : cases()) {
    const sim::Warning w = only(c.kind, warnings(c.scene(c.step)));
    const std::string step = step_of(w.remedy);
    if (c.remedied.empty()) {
      ASSERT_NE(step, "") << c.kind << ": " << w.remedy;
    }
    const std::string scene = c.remedied.empty() ? c.scene(step) : c.remedied;
    for (const sim::Warning& left : warnings(scene))
      EXPECT_NE(name_of(left.kind), c.kind) << "step " << step << ": " << sim::sentence(left);
  }
}

/// All warnings that the tests of this program look at, in a process of its own.
TEST(SlowRemedies, OfAllWarningsOfTheTestsHelp) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command =
      fmt::format("{}=1 {} --gtest_filter='Warnings*' --gtest_brief=1", kTryRemedies, self);
  EXPECT_EQ(std::system(command.c_str()), 0);
}

// Three kinks of 10 degrees take 1 - cos^6 10 degrees of the energy, in every formulation; stops
// may take all of it.
TEST(Remedies, AreWantedAtKinksAndNotAtStops) {
  const double kinetic = 0.5 * 500 * 15 * 15,
               lost = kinetic * (1 - std::pow(std::cos(std::numbers::pi / 18), 6));
  for (const char* how : {"velocity", "acceleration", "energy"}) {
    const sim::Warning w =
        only("energy lost at kinks",
             warnings(bend(kKinks, fmt::format("formulation = \"{}\"", how).c_str())));
    if (how == std::string("energy"))  // which takes the rest in the steps after it
      EXPECT_LT(w.value, lost);
    else
      EXPECT_NEAR(w.value, lost, 1e-6 * lost) << how;
    EXPECT_NEAR(w.limit, 0.01 * kinetic, 1e-4 * kinetic) << how;
    EXPECT_EQ(w.subject, "line");
    EXPECT_TRUE(has(w.text, "'wheels' in 3 impacts")) << w.text;
  }
  for (const sim::Warning& w :
       warnings(simulation("0.2 s", "1 ms") +
                slider("type = \"limit\"\nto = \"0.1 m\"", "velocity = [2, 0, 0]")))
    EXPECT_NE(w.kind, sim::WarningKind::energy_lost_at_kinks);
}

// A cam's follower that is pressed on: within what rows are met to nothing is thrown back, in steps
// of any length.
TEST(Remedies, WhatStaysOnItsStopIsNotThrownBack) {
  const auto cam = [](const char* step) {
    return simulation("0.3 s", step) + R"(
[[body]]
name = "cam"
mass = 1
cylinder = {radius = 0.03, length = 0.02, axis = [0, 1, 0]}
[[body]]
name = "follower"
mass = 0.2
box = [0.015, 0.015, 0.08]
position = [0, 0, 0.07]
[[joint]]
name = "shaft"
type = "revolute"
b = "cam"
at = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "guide"
type = "prismatic"
b = "follower"
at = [0, 0, 0.07]
axis = [0, 0, 1]
[[coupling]]
name = "profile"
type = "cam"
of = ["guide.travel", "shaft.angle"]
points = [[0, 0], [0.7854, 0.001], [1.5708, 0.004], [2.3562, 0.007], [3.14159265, 0.008], [3.927, 0.007], [4.7124, 0.004], [5.4978, 0.001], [6.2831853, 0]]
periodic = true
[[law]]
name = "push"
type = "locked"
joint = "profile"
unilateral = true
restitution = 0.2
[[law]]
name = "motor"
type = "driven"
joint = "shaft"
velocity = {time = [0, "0.5 s"], value = [0, "1500 rpm"]}
[[law]]
name = "spring"
type = "spring"
joint = "guide"
stiffness = "2 kN/m"
preload = "-20 N"
)";
  };
  for (const char* step : {"1 ms", "0.1 ms", "0.02 ms"})
    EXPECT_EQ(kinds(warnings(cam(step))), "") << step;
}

}  // namespace
}  // namespace trammel::cli::remedies_test

// Laws between two points, and bushings: as joints and laws written out, and against analytic
// answers, in every formulation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "io/scene.h"
#include "sim/present.h"
#include "sim/simulation.h"

namespace trammel::io::scene_elements_test {
namespace {

std::string all_of(const SceneProblems& problems) {
  std::string out;
  for (const SceneProblem& p : problems) out += to_text(p) + "\n";
  return out;
}

LoadedScene loaded(const std::string& text) {
  auto result = load_scene_text("format = 1\n" + text, "x.toml");
  if (auto* problems = std::get_if<SceneProblems>(&result))
    throw std::runtime_error(all_of(*problems) + text);
  return std::move(std::get<LoadedScene>(result));
}

const std::string kBob = "[[body]]\nname = \"bob\"\nmass = 2\nsphere = 0.1\nposition = [1, 0, 0]\n";

std::string run(const std::string& formulation, double gravity = 0, double seconds = 1) {
  const std::string exact =
      formulation == "energy" ? "joint_stiffness = \"inf\"\ndifference = \"bdf2\"\n" : "";
  return fmt::format(
      "[simulation]\nformulation = \"{}\"\ngravity = {}\nduration = {}\nstep = 5e-4\n{}",
      formulation, gravity, seconds, exact);
}

/// What a channel is at the end.
double last(const std::string& text, const char* dataset, const char* item) {
  const LoadedScene s = loaded(text);
  sim::Simulation simulation(s.built, s.scene.settings);
  while (!simulation.finished() && simulation.advance()) {
  }
  EXPECT_EQ(simulation.failure(), "");
  return sim::Present(simulation).of(dataset, item)[0];
}
double coordinate(const std::string& text, const char* item) {
  return last(text, "/joints/coordinates", item);
}

class InEveryFormulation : public testing::TestWithParam<const char*> {
 protected:
  /// Truncation: bdf2 has the greater share of it.
  static double within(double tolerance) {
    return (std::string(GetParam()) == "energy" ? 12 : 1) * tolerance;
  }
};

TEST_P(InEveryFormulation, ASpringBetweenPointsSwings) {
  const std::string spring =
      "[[law]]\nname = \"shock\"\ntype = \"spring\"\nb = \"bob\"\nstiffness = 200\nrest = 0.7\n";
  const double w = std::sqrt(200 / 2.), want = 0.7 + 0.3 * std::cos(w);
  // truncation: w^3 h^2 t / 24 of the amplitude
  EXPECT_NEAR(coordinate(run(GetParam()) + kBob + spring, "shock.length"), want, within(2e-5));
  EXPECT_NEAR(
      coordinate(run(GetParam()) + kBob + spring + "at_a = [0, 0, 0]\npoint_b = [0, 0, 0]\n",
                 "shock.length"),
      want, within(2e-5));
  EXPECT_NEAR(last(run(GetParam()) + kBob + spring, "/laws/force", "shock"),
              -200 * 0.3 * std::cos(w), 0.4);  // mean over the last step
}

TEST_P(InEveryFormulation, ARopeHoldsOnlyWhereItIsTaut) {
  // thrown up from half its length, it falls back and hangs
  const std::string rope =
      "[[body]]\nname = \"bob\"\nmass = 2\nsphere = 0.1\nposition = [0, 0, -0.5]\n[[law]]\nname = "
      "\"rope\"\ntype = \"limit\"\nb = \"bob\"\nto = 1\n";
  EXPECT_NEAR(coordinate(run(GetParam(), 9.81, 0.2) + rope, "rope.length"), 0.5 + 9.81 * 0.02,
              within(1e-6));
  EXPECT_NEAR(coordinate(run(GetParam(), 9.81, 2) + rope, "rope.length"), 1, within(1e-5));
}

TEST_P(InEveryFormulation, AnActuatorHasTheLengthThatItIsGiven) {
  EXPECT_NEAR(coordinate(run(GetParam()) + kBob +
                             "[[law]]\nname = \"ram\"\ntype = \"driven\"\nb = "
                             "\"bob\"\ndisplacement = {formula = \"1 m + 0.2 m*sin(3*t)\"}\n",
                         "ram.length"),
              1 + 0.2 * std::sin(3), 1e-9);
}

TEST_P(InEveryFormulation, AnActuatorPushesAsItIsGiven) {
  const std::string ram =
      "[[law]]\nname = \"ram\"\ntype = \"actuator\"\nb = \"bob\"\nforce = {formula = \"6 [N]*t/1 "
      "s\"}\n";
  // m x'' = 6 t: x = 1 + t^3 / 2, and all of the work is kinetic energy
  EXPECT_NEAR(coordinate(run(GetParam()) + kBob + ram, "ram.length"), 1.5, within(1e-6));
  EXPECT_NEAR(last(run(GetParam()) + kBob + ram, "/ledger/work", "ram"), 0.5 * 2 * 1.5 * 1.5,
              within(1e-5));
}

TEST_P(InEveryFormulation, AnActuatorSwitchesWhereItIsTold) {
  const std::string ram =
      "[[law]]\nname = \"ram\"\ntype = \"actuator\"\nb = \"bob\"\nforce = {time = [0.30013, "
      "0.30013], value = [0, 4]}\n";
  EXPECT_NEAR(coordinate(run(GetParam()) + kBob + ram, "ram.length"),
              1 + (1 - 0.30013) * (1 - 0.30013), within(1e-6));
}

TEST_P(InEveryFormulation, ABushingHasItsStiffnesses) {
  const std::string bushing =
      "[[bushing]]\nname = \"mount\"\nb = \"bob\"\nat = [1, 0, 0]\nstiffness = [100, 200, "
      "300]\ndamping = [0, 4, 0]\nangular_stiffness = [0.5, 0, 0]\n";
  const std::string text = run(GetParam()) + kBob +
                           "velocity = [0.1, 0.2, 0.3]\nangular_velocity = [0.2, 0, 0]\n" + bushing;
  const auto swing = [](double v, double k, double m, double c) {
    const double d = c / (2 * m), w = std::sqrt(k / m - d * d);
    return v / w * std::exp(-d) * std::sin(w);
  };
  EXPECT_NEAR(coordinate(text, "mount.x"), swing(0.1, 100, 2, 0), within(2e-6));
  EXPECT_NEAR(coordinate(text, "mount.y"), swing(0.2, 200, 2, 4), within(1e-5));
  EXPECT_NEAR(coordinate(text, "mount.z"), swing(0.3, 300, 2, 0), within(1e-5));
  EXPECT_NEAR(coordinate(text, "mount.roll"), swing(0.2, 0.5, 0.4 * 2 * 0.01, 0), within(1e-5));
}

INSTANTIATE_TEST_SUITE_P(Elements, InEveryFormulation,
                         testing::Values("velocity", "acceleration", "energy"));

TEST(Elements, ReachFromBodyToBodyInParts) {
  const std::string body =
      "[[part.body]]\nname = \"{}\"\nmass = 1\nsphere = 0.1\nposition = [{}, 0, 0]\n";
  const std::string text =
      "[[part]]\nname = \"p\"\nposition = [0, 0, 5]\norientation = {axis = [0, 0, 1], angle = \"90 "
      "deg\"}\n" +
      fmt::format(fmt::runtime(body), "x", 1) + fmt::format(fmt::runtime(body), "y", 3) +
      "[[part.law]]\nname = \"s\"\ntype = \"spring\"\na = \"x\"\nb = \"y\"\nat_a = [1, 0.5, "
      "0]\npoint_b = [0, 0.5, 0]\nstiffness = 1\n[[part.law]]\nname = \"g\"\ntype = "
      "\"spring\"\npoint_a = [1, 0, 2]\nb = \"x\"\nstiffness = 1\n"
      "[[law]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"p.s\"\nto = 3\n";
  const LoadedScene s = loaded(text);
  sim::Simulation simulation(s.built, s.scene.settings);
  EXPECT_NEAR(sim::Present(simulation).coordinate("p.s.length"), 2, 1e-15);
  EXPECT_NEAR(sim::Present(simulation).coordinate("p.g.length"), 2, 1e-15);
}

TEST(Elements, DirectionsAreThoseOfTheirPartAndCountFromTheEndThatIsGiven) {
  const std::string part =
      "[[part]]\nname = \"p\"\nposition = [0, 0, 5]\norientation = {axis = [0, 0, 1], angle = \"90 "
      "deg\"}\n[[part.body]]\nname = \"x\"\nmass = 1\nsphere = 0.1\nposition = [1, 0, 0]\n"
      "velocity = [3, 0, 0]\norientation = {axis = [1, 0, 0], angle = \"40 deg\"}\n"
      "[[part.law]]\nname = \"s\"\ntype = \"spring\"\nb = \"x\"\ndirection = [2, 0, 0]\nstiffness "
      "= 1\n";
  const std::pair<const char*, double> ends[] = {
      {"", 0},
      {"at_b = [1, 0, 0]\n", 0},
      {"at_a = [1, 0, 0.5]\n", 0},
      {"point_b = [0, 0.05, 0]\n", 0},
      {"at_a = [0.2, 7, 0]\npoint_b = [0.05, 0, 0]\n", 0.85},
      {"at_a = [0, 0, 0]\nat_b = [-1, 2, 3]\n", -1},
      {"at_a = [0, 0, 0]\nat_b = [2, 0, 0]\nturns_with = \"b\"\n", 2}};
  for (const auto& [keys, length] : ends) {
    SCOPED_TRACE(keys);
    const LoadedScene s = loaded(part + keys);
    sim::Simulation simulation(s.built, s.scene.settings);
    EXPECT_NEAR(sim::Present(simulation).coordinate("p.s.length"), length, 1e-14);  // rounding
    EXPECT_NEAR(sim::Present(simulation).rate("p.s.length"), 3, 1e-14);
  }
}

TEST(Elements, MistakesAreToldWithTheirPlace) {
  const std::string law = "[[law]]\nname = \"l\"\ntype = \"spring\"\n";
  const std::pair<std::string, const char*> list[] = {
      {law, "7:1: law.l: one of joint, b is needed"},
      {law + "b = \"bob\"\njoint = \"x\"\n", "'joint' and 'b' exclude each other"},
      {law + "b = \"bab\"\n", "there is no body 'bab'; did you mean 'bob'?"},
      {law + "a = \"bob\"\n", "'a' goes with b"},
      {law + "b = \"bob\"\ncoordinate = \"x\"\n", "'coordinate' and 'b' exclude each other"},
      {law + "b = \"bob\"\npoint_a = [1, 0, 0]\nat_a = [0, 0, 0]\n",
       "'point_a' and 'at_a' exclude each other"},
      {law + "joint = \"x\"\nat_b = [0, 0, 0]\n", "'at_b' goes with b"},
      {law + "joint = \"x\"\ndirection = [1, 0, 0]\n", "'direction' goes with b"},
      {law + "b = \"bob\"\nturns_with = \"b\"\n", "'turns_with' goes with direction"},
      {law + "b = \"bob\"\ndirection = [0, 0, 0]\n", "direction"},
      {law + "b = \"bob\"\ndirection = [1, 0, 0]\nturns_with = \"world\"\n", "'world'"},
      {law + "a = \"bob\"\nb = \"bob\"\n", "bob"},
      {law + "stiffness = 1\nb = \"bob\"\nat_a = [1, 0, 0]\n", "its points coincide"},
      {law + "b = \"bob\"\nstiffness = \"1 N m/rad\"\n", "'1 N m/rad' is"},
      {"[[law]]\nname = \"l\"\ntype = \"actuator\"\nb = \"bob\"\n",
       "7:1: law.l: 'force' is missing"},
      {"[[law]]\nname = \"l\"\ntype = \"actuator\"\nb = \"bob\"\nforce = \"5 N m\"\n",
       "11:9: law.l.force: '5 N m' is"},
      {"[[law]]\nname = \"l\"\ntype = \"actuator\"\nb = \"bob\"\nforce = {formula = \"5*x\"}\n",
       "'x'"},
      {"[[law]]\nname = \"l\"\ntype = \"actuator\"\nb = \"bob\"\nforce = 5\nstiffness = 3\n",
       "12:1: law.l.stiffness: 'stiffness' does not go with actuator"},
      {"[[law]]\nname = \"l\"\ntype = \"actuater\"\nb = \"bob\"\nforce = 5\n",
       "9:8: law.l.type: 'actuater' is no type of law; did you mean 'actuator'?"},
      {"[[bushing]]\nname = \"m\"\nb = \"bob\"\nstiffness = [1, 1, 1]\n",
       "joint 'm' needs a place"},
      {"[[bushing]]\nname = \"m\"\nb = \"bob\"\nat = [1, 0, 0]\nstiffness = 5\n",
       "found the number 5, a list of 3 x"},
      {"[[bushing]]\nname = \"m\"\nb = \"bob\"\nat = [1, 0, 0]\nstifness = [1, 1, 1]\n",
       "unknown key 'stifness'; did you mean 'stiffness'?"},
  };
  for (const auto& [text, says] : list) {
    auto result = load_scene_text("format = 1\n" + kBob + text, "x.toml");
    const auto* problems = std::get_if<SceneProblems>(&result);
    const std::string said = problems ? all_of(*problems) : "nothing";
    EXPECT_NE(said.find(says), std::string::npos) << says << "\n" << said << text;
  }
}

}  // namespace
}  // namespace trammel::io::scene_elements_test

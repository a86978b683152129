// Systems in scenes: where their objects are, and what names them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <numbers>
#include <stdexcept>

#include "io/scene.h"
#include "math/rotation.h"
#include "sim/present.h"
#include "sim/simulation.h"

namespace trammel::io::scene_system_test {
namespace {

constexpr double kRounding = 1e-14;

LoadedScene loaded(const std::string& text, std::vector<Override> set = {}) {
  auto result = load_scene_text("format = 1\n" + text, "x.toml", set);
  if (auto* problems = std::get_if<SceneProblems>(&result)) {
    std::string all = text;
    for (const SceneProblem& p : *problems) all += "\n" + to_text(p);
    throw std::runtime_error(all);
  }
  return std::move(std::get<LoadedScene>(result));
}

/// The frame of a pool's object at the start.
Pose frame(const std::string& text, const std::string& name, std::vector<Override> set = {}) {
  const auto scene = parse_scene("format = 1\n" + text, "x.toml", set);
  if (!std::holds_alternative<Scene>(scene)) loaded(text, set);
  for (const model::PoolSpec& pool : std::get<Scene>(scene).builder.pools())
    for (std::size_t i = 0; i < pool.objects.size(); ++i)
      if (pool.objects[i] == name) return pool.start()[i];
  throw std::runtime_error("no object " + name);
}

std::string whole_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

double last(const std::string& text, const char* dataset, const char* item,
            std::vector<Override> set = {}) {
  const LoadedScene s = loaded(text, set);
  sim::Simulation simulation(s.built, s.scene.settings);
  while (!simulation.finished() && simulation.advance()) {
  }
  EXPECT_EQ(simulation.failure(), "");
  return sim::Present(simulation).of(dataset, item)[0];
}

const std::string kRun = R"(
[simulation]
formulation = "acceleration"
duration = "1 s"
step = "1 ms"
gravity = 0
)";

const std::string kAngles = R"(
[[system]]
name = "s"
[[system.coordinate]]
name = "a"
unit = "rad"
value = "0.3 rad"
[[system.coordinate]]
name = "b"
unit = "rad"
value = "0.4 rad"
[[system.coordinate]]
name = "c"
unit = "rad"
value = "0.5 rad"
)";

Mat3 turn(double angle, const Vec3& axis) { return exp_matrix(angle * axis); }

TEST(SceneSystem, PlacesObjectsByTurnsLetsAndOneOnTheOther) {
  const std::string objects = R"(
[[system.object]]
name = "base"
position = ["down", "10 cm", "L/2"]
euler = ["a", "b", "c"]
mass = 1
inertia = [1, 2, 2.5]
[[system.object]]
name = "tip"
on = "base"
position = [0, 0, "2*L"]
turns = [{axis = [0, 2, 0], angle = "a"}, {axis = [1, 0, 0], angle = "twice - b"}]
orientation = {angle = "90 deg", axis = [0, 0, 1]}
)";
  std::string all = "[parameters]\nL = \"2 m\"\n" + kAngles;
  const std::string head = "name = \"s\"\n";
  all.replace(all.find(head), head.size(),
              head + "let = {down = \"-half*cos(a)\", half = \"L/2\", twice = \"2*c\"}\n");
  const Pose base = frame(all + objects, "s.base"), tip = frame(all + objects, "s.tip");
  const Vec3 z = Vec3::UnitZ(), x = Vec3::UnitX(), y = Vec3::UnitY();
  const Mat3 R = turn(0.3, z) * turn(0.4, x) * turn(0.5, z);
  EXPECT_LT((base.p - Vec3(-std::cos(0.3), 0.1, 1)).norm(), kRounding);
  EXPECT_LT((base.R - R).norm(), kRounding);
  EXPECT_LT((tip.p - (base.p + R * Vec3(0, 0, 4))).norm(), 4 * kRounding);
  EXPECT_LT((tip.R - R * turn(0.3, y) * turn(0.6, x) * turn(std::numbers::pi / 2, z)).norm(),
            kRounding);
}

const std::string kCart = R"(
[[system]]
name = "cart"
potential = "k/2*x^2"
[[system.coordinate]]
name = "x"
unit = "m"
value = "30 cm"
rate = "1 m/s"
[[system.object]]
name = "box"
position = ["x", 0, 0]
mass = "2 kg"
)";

/// A part that is turned and moved takes its systems along.
TEST(SceneSystem, StandsInTheAxesOfItsPart) {
  std::string text =
      "[[part]]\nname = \"p\"\nposition = [1, 2, 3]\norientation = {angle = \"90 "
      "deg\", axis = [0, 0, 1]}\n[part.parameters]\nk = \"8 N/m\"\n" +
      kCart;
  for (std::size_t at = 0; (at = text.find("[[system", at)) != text.npos; at += 12)
    text.replace(at, 8, "[[part.system");
  const Pose box = frame(text, "p.cart.box");
  EXPECT_LT((box.p - Vec3(1, 2.3, 3)).norm(), kRounding);
  EXPECT_LT((box.R - turn(std::numbers::pi / 2, Vec3::UnitZ())).norm(), kRounding);
}

/// On a track of the scene, and on one that a part which stands somewhere else gives it.
TEST(SceneSystem, StandsOnATrack) {
  const std::string line = "[[track]]\nname = \"line\"\nplan = [{arc = 30, radius = 10}]\n";
  std::string cart = kCart;
  const std::string place = "position = [\"x\", 0, 0]\n";
  cart.replace(cart.find(place), place.size(),
               "on_track = {track = \"line\", s = \"10*x\"}\nposition = [0, 0, \"1 m\"]\n");
  const std::string parameter = "[parameters]\nk = \"8 N/m\"\n";
  const Pose box = frame(parameter + line + cart, "cart.box");
  const double turned = 0.3;  // 3 m along
  const Pose right{Vec3(10 * std::sin(turned), 10 - 10 * std::cos(turned), 1),
                   turn(turned, Vec3::UnitZ())};
  EXPECT_LT((box.p - right.p).norm(), kRounding * 10);
  EXPECT_LT((box.R - right.R).norm(), kRounding);
  for (std::size_t at = 0; (at = cart.find("[[system", at)) != cart.npos; at += 12)
    cart.replace(at, 8, "[[part.system");
  const Pose moved = frame(parameter + line +
                               "[[part]]\nname = \"p\"\nposition = [1, 2, 3]\norientation = "
                               "{angle = \"90 deg\", axis = [1, 0, 0]}\n" +
                               cart,
                           "p.cart.box");
  const Mat3 R = turn(std::numbers::pi / 2, Vec3::UnitX());
  EXPECT_LT((moved.p - (Vec3(1, 2, 3) + R * right.p)).norm(), kRounding * 10);
  EXPECT_LT((moved.R - R * right.R).norm(), kRounding);
}

/// x = 0.3 cos 2t + 0.5 sin 2t: to the truncation of the step.
TEST(SceneSystem, MovesUnderItsPotential) {
  const std::string text = kRun + "[parameters]\nk = \"8 N/m\"\n" + kCart;
  const double x = 0.3 * std::cos(2.) + 0.5 * std::sin(2.);
  EXPECT_NEAR(last(text, "/joints/coordinates", "cart.x.travel"), x, 1e-9);
  EXPECT_NEAR(last(text, "/bodies/position", "cart.box"), x, 1e-9);
}

/// Laws act on coordinates, formulas follow them by their short names, --set reaches them.
TEST(SceneSystem, HasCoordinatesThatLawsAndFormulasName) {
  std::string other = kCart;  // its force is that of the first one, wherever it is itself
  other.replace(other.find("\"cart\""), 6, "\"other\"");
  other.replace(other.find("k/2"), 3, "0 [N/m]");
  const std::string text = kRun + "[parameters]\nk = \"8 N/m\"\n" + kCart + other +
                           "[[law]]\nname = \"f\"\ntype = \"spring\"\njoint = \"other.x\"\n"
                           "function = \"-8 [N/m]*cart.x - 2 [N s/m]*cart.x.rate + 2 [N "
                           "s/m]*cart.x.travel.rate\"\n";
  const double x = 0.3 * std::cos(2.) + 0.5 * std::sin(2.);
  EXPECT_NEAR(last(text, "/joints/coordinates", "other.x.travel"), x, 1e-9);
  const std::vector<Override> set{{"system.other.coordinate.x.value", "60 cm"}};
  EXPECT_NEAR(last(text, "/joints/coordinates", "other.x.travel", set), x + 0.3, 1e-9);
}

/// Two equal systems of a repetition, one with another parameter.
TEST(SceneSystem, IsRepeated) {
  std::string cart = kCart;
  cart.replace(cart.find("\"cart\""), 6, "\"cart{i}\"");
  for (std::size_t at = 0; (at = cart.find("[[system", at)) != cart.npos; at += 12)
    cart.replace(at, 8, "[[repeat.system");
  const std::string text = kRun +
                           "[parameters]\nk1 = \"8 N/m\"\n[[repeat]]\ncount = 2\n"
                           "[repeat.parameters]\nk = \"k1*(1 + 3*i)\"\n" +
                           cart;
  EXPECT_NEAR(last(text, "/bodies/position", "cart1.box"), 0.3 * std::cos(4.) + 0.25 * std::sin(4.),
              1e-8);
}

/// The scenes of the manual's page load.
TEST(SceneSystem, PageOfTheManualHasScenesThatLoad) {
  const std::string text = whole_text(TRAMMEL_SOURCE_DIR "/docs/systems.md"), begin = "```toml\n";
  int scenes = 0;
  for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos; ++scenes) {
    at += begin.size();
    const auto read = load_scene_text(text.substr(at, text.find("```", at) - at), "x.toml");
    const auto* problems = std::get_if<SceneProblems>(&read);
    EXPECT_EQ(problems, nullptr) << (problems ? to_text(problems->front()) : "");
  }
  EXPECT_GE(scenes, 1);
}

/// The angles from the vertical at 1 s and 2 s, to the truncation of steps of 1 ms.
TEST(SceneSystem, DoublePendulumIsWhereItWas) {
  auto read = load_scene(TRAMMEL_SOURCE_DIR "/scenes/systems/double_pendulum.toml",
                         std::vector<Override>{{"simulation.duration", "2 s"}});
  ASSERT_TRUE(std::holds_alternative<LoadedScene>(read));
  const LoadedScene& s = std::get<LoadedScene>(read);
  sim::Simulation simulation(s.built, s.scene.settings);
  const auto is = [&](double t, double a, double b) {
    while (simulation.state().t < t - 1e-9 && simulation.advance()) {
    }
    EXPECT_NEAR(sim::Present(simulation).of("/joints/coordinates", "double.theta1.angle")[0], a,
                1e-9);
    EXPECT_NEAR(sim::Present(simulation).of("/joints/coordinates", "double.theta2.angle")[0], b,
                1e-9);
  };
  is(1, -0.6250876998064, -1.0345850856800);
  is(2, -0.4829715342518, -1.3240487123024);
}

}  // namespace
}  // namespace trammel::io::scene_system_test

// What slides over shapes that adjoin goes on; what passes without touching is not touched.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "contact_support.h"
#include "io/scene.h"

namespace trammel::acceptance::contact_seams_test {
namespace {

const std::string kBoth[] = {"velocity", "acceleration"};

io::LoadedScene scene(const std::string& formulation, double duration, const std::string& rest) {
  const std::string text = "format = 1\n[simulation]\nduration = " + std::to_string(duration) +
                           "\nstep = 1e-3\nformulation = \"" + formulation + "\"\n" + rest;
  auto result = io::load_scene_text(text, "seams.toml");
  auto* it = std::get_if<io::LoadedScene>(&result);
  if (!it) throw std::runtime_error(to_text(std::get<io::SceneProblems>(result).front()));
  return std::move(*it);
}

std::string obstacle(const std::string& name, const std::string& shape, const std::string& at) {
  return "[[obstacle]]\nname = \"" + name + "\"\n" + shape + "\nposition = " + at + "\n";
}

std::string slider(const std::string& shape, const std::string& at, const std::string& velocity) {
  return "[[body]]\nname = \"slider\"\nmass = 2\ncontact = \"solids\"\n" + shape +
         "\nposition = " + at + "\nvelocity = " + velocity + "\n";
}

const std::string kFloor = obstacle("left", "box = [1, 1, 0.2]", "[-0.5, 0, -0.1]") +
                           obstacle("right", "box = [1, 1, 0.3]", "[0.5, 0.1, -0.15]");

void expect_goes_on(const std::string& rest, double duration, const Vec3& speed) {
  for (const std::string& formulation : kBoth) {
    const io::LoadedScene it = scene(formulation, duration, rest);
    Simulation sim(it.built, it.scene.settings);
    run(sim);
    EXPECT_LT((velocity(sim, "slider").first - speed).norm(), 1e-8) << formulation << rest;
    EXPECT_LT(velocity(sim, "slider").second.norm(), 1e-7) << formulation << rest;
  }
}

TEST(ContactSeams, NothingCatchesWhereTwoBoxesAdjoin) {
  for (const std::string shape :
       {"box = [0.2, 0.2, 0.2]", "cylinder = {radius = 0.1, length = 0.2}"})
    for (const std::string speed : {"0.7", "5"})
      expect_goes_on(kFloor + slider(shape, "[-0.35, 0.03, 0.1]", "[" + speed + ", 0, 0]"),
                     speed == "5" ? 0.1 : 0.7, Vec3(std::stod(speed), 0, 0));
}

/// Wherever in a step it comes to the seam: shortly before it the edge beyond is next to straight
/// below.
TEST(ContactSeams, ABallIsNotLiftedWhereTwoBoxesAdjoin) {
  for (int k = 0; k < 60; ++k) {
    const std::string from = fmt::format("[{:.17g}, 0.03, 0.1]", -0.03 + 5e-5 * k);
    const io::LoadedScene it =
        scene("velocity", 0.02, kFloor + slider("sphere = 0.1", from, "[3, 0, 0]"));
    Simulation sim(it.built, it.scene.settings);
    run(sim, [&] { EXPECT_LT(std::abs(velocity(sim, "slider").first.z()), 1e-8) << from; });
    EXPECT_NEAR(velocity(sim, "slider").first.x(), 3, 1e-8) << from;
  }
}

TEST(ContactSeams, NothingCatchesOnABoxLetIntoTheGround) {
  const std::string ground = "[[obstacle]]\nname = \"ground\"\nhalf_space = [0, 0, 1]\n" +
                             obstacle("slab", "box = [0.3, 1, 0.2]", "[0.2, 0, -0.1]");
  expect_goes_on(ground + slider("box = [0.2, 0.2, 0.2]", "[-0.2, 0, 0.1]", "[1, 0.1, 0]"), 0.9,
                 Vec3(1, 0.1, 0));
}

TEST(ContactSeams, ABodyOfPartsSlidesOverAnEdge) {
  const std::string sled =
      "[[body]]\nname = \"slider\"\nmass = 2\nposition = [-0.5, 0.03, 0.05]\nvelocity = [1, 0, 0]\n"
      "inertia = [0.02, 0.02, 0.03]\n[[body.contact]]\nbox = [0.2, 0.2, 0.1]\nposition = [-0.1, 0, "
      "0]\n"
      "[[body.contact]]\nbox = [0.2, 0.3, 0.1]\nposition = [0.1, 0, 0]\n";
  expect_goes_on(obstacle("table", "box = [1, 1, 0.2]", "[-0.5, 0, -0.1]") + sled, 0.45,
                 Vec3(1, 0, 0));
}

/// A step of a hundredth of a millimetre is one: the slider stops at it.
TEST(ContactSeams, AStepUpStops) {
  const std::string floor = obstacle("left", "box = [1, 1, 0.2]", "[-0.5, 0, -0.10001]") +
                            obstacle("right", "box = [1, 1, 0.3]", "[0.5, 0, -0.15]");
  const io::LoadedScene it = scene(
      "velocity", 0.5, floor + slider("box = [0.2, 0.2, 0.2]", "[-0.3, 0, 0.09999]", "[1, 0, 0]"));
  Simulation sim(it.built, it.scene.settings);
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_LT(velocity(sim, "slider").first.x(), 0.8);
}

/// A wall on a floor stops a wedge whose edge runs along the corner between them.
TEST(ContactSeams, AWallThatStandsOnAFloorStops) {
  const std::string wall = "[[obstacle]]\nname = \"ground\"\nhalf_space = [0, 0, 1]\n" +
                           obstacle("wall", "box = [0.2, 2, 1]", "[0.6, 0, 0.5]");
  const std::string wedge =
      "hull = {vertices = [[0.2, -0.1, 0], [0.2, 0.1, 0], [-0.1, -0.1, 0], [-0.1, 0.1, 0], "
      "[-0.1, -0.1, 0.2], [-0.1, 0.1, 0.2]], faces = [[0, 1, 5, 4], [0, 2, 3, 1], [2, 4, 5, 3], "
      "[0, 4, 2], [1, 3, 5]]}";
  const std::string body =
      "[[body]]\nname = \"slider\"\nmass = 2\ninertia = [0.02, 0.02, 0.03]\n"
      "com = [0, 0, 0.06]\nvelocity = [1, 0, 0]\n[[body.contact]]\n" +
      wedge + "\n";
  const io::LoadedScene it = scene("velocity", 1, wall + body);
  Simulation sim(it.built, it.scene.settings);
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_LT(std::abs(velocity(sim, "slider").first.x()), 0.5);  // how it leaves is not determined
  EXPECT_LT(pose(sim, "slider").p.x(), 0.31);
}

/// The tip of a rotor clears the floor by less than it sinks towards it on a straight line in a
/// step.
TEST(ContactSeams, ARotorThatClearsTheFloorGoesOn) {
  for (const double w : {100., 157., 310.})
    for (const double clear : {1e-5, 2e-4}) {
      const std::string rotor =
          "[[obstacle]]\nname = \"floor\"\nhalf_space = [0, 0, 1]\nposition = [0, 0, " +
          std::to_string(-0.105 - clear) +
          "]\n[[body]]\nname = \"rotor\"\nmass = 1\ncontact = [{sphere = 0.005, position = "
          "[0, 0, -0.05]}]\ninertia = [0.001, 0.001, 0.001]\nposition = [0, 0, -0.05]\n"
          "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nb = \"rotor\"\naxis = [0, 1, 0]\n"
          "at = [0, 0, 0]\nrate = " +
          std::to_string(w) + "\n";
      const io::LoadedScene it = scene("velocity", 0.5, "gravity = [0, 0, 0]\n" + rotor);
      Simulation sim(it.built, it.scene.settings);
      run(sim);
      EXPECT_NEAR(velocity(sim, "rotor").second.norm(), w, 1e-6 * w) << clear;
    }
}

TEST(ContactSeams, ABallThatPassesAnotherGoesOn) {
  const std::string balls =
      "gravity = [0, 0, 0]\n" + obstacle("post", "sphere = 0.05", "[0, 0, 0]");
  for (const std::string by : {"0.1001", "0.101"})
    for (const std::string from : {"-0.5", "-0.5123", "-0.5071"})
      expect_goes_on(balls + slider("sphere = 0.05", "[" + from + ", " + by + ", 0]", "[20, 0, 0]"),
                     0.05, Vec3(20, 0, 0));
}

/// The end of a belt does not push; belts run along their surfaces alone.
TEST(ContactSeams, ABeltPushesNothingAlongItsNormal) {
  const std::string belt =
      "gravity = [0, 0, 0]\n" +
      obstacle("belt", "box = [1, 1, 0.2]\nsurface_velocity = [1, 0, 0]", "[-0.5, 0, 0]");
  expect_goes_on(belt + slider("sphere = 0.1", "[0.1, 0, 0]", "[0, 0, 0]"), 0.2, Vec3::Zero());
}

/// A roller's surface runs under what lies on it, and does not sink away, however fast it turns.
TEST(ContactSeams, WhatARollerDrivesStaysOnIt) {
  for (const char* w : {"100", "1000", "4000"}) {
    const std::string roller =
        "[[contact]]\nfriction = 0.3\n[parameters]\nw = \"" + std::string(w) +
        " rad/s\"\n[[body]]\nname = \"roller\"\nkind = \"prescribed\"\n"
        "turns = [{axis = [0, 1, 0], angle = {velocity = \"w\"}}]\n"
        "[[body.contact]]\ncylinder = {radius = 0.1, length = 0.5, axis = [0, 1, 0]}\n" +
        slider("box = [4, 0.1, 0.1]", "[0, 0, 0.15]", "[0, 0, 0]") +
        "[[joint]]\nname = \"guide\"\ntype = \"prismatic\"\nb = \"slider\"\naxis = [0, 0, 1]\n"
        "at = [0, 0, 0.15]\n";
    const io::LoadedScene it = scene("velocity", 0.2, roller);
    Simulation sim(it.built, it.scene.settings);
    run(sim, [&] { EXPECT_NEAR(pose(sim, "slider").p.z(), 0.15, 1e-9) << w; });
  }
}

/// What joints hold still while it rubs on a prescribed roller: friction cannot change that slip,
/// and works all the same, 0.3 of the weight at the roller's face.
TEST(ContactSeams, ARollerRubsWhatJointsHold) {
  for (const double w : {1., 100., 4000.}) {
    const std::string roller =
        "[[contact]]\nfriction = 0.3\n[parameters]\nw = \"" + std::to_string(w) +
        " rad/s\"\n[[body]]\nname = \"roller\"\nkind = \"prescribed\"\n"
        "turns = [{axis = [0, 1, 0], angle = {velocity = \"w\"}}]\n"
        "[[body.contact]]\ncylinder = {radius = 0.1, length = 0.5, axis = [0, 1, 0]}\n"
        "[[body]]\nname = \"pad\"\nmass = 1\nsphere = 0.1\ncontact = \"solids\"\n"
        "position = [0, 0, 0.2]\n[[joint]]\nname = \"guide\"\ntype = \"prismatic\"\n"
        "b = \"pad\"\naxis = [0, 0, 1]\nat = [0, 0, 0.2]\n";
    const io::LoadedScene it = scene("velocity", 0.1, roller);
    Simulation sim(it.built, it.scene.settings);
    run(sim);
    const double work = -0.3 * 9.81 * 0.1 * w * 0.1;
    EXPECT_NEAR(sim.state().ledger[model::kContacts], work, 1e-9 * -work) << w;
    EXPECT_LT(sim.summary().momentum_residual_rel, 1e-12) << w;
  }
}

TEST(ContactSeams, WhatSticksToATurningTableStaysThere) {
  const std::string table =
      "[[contact]]\nfriction = 0.3\n[parameters]\nw = \"2.4 rad/s\"\n"
      "[[body]]\nname = \"table\"\nkind = \"prescribed\"\n"
      "turns = [{axis = [0, 0, 1], angle = {velocity = \"w\"}}]\n"
      "[[body.contact]]\ncylinder = {radius = 1.5, length = 0.1}\nposition = [0, 0, -0.05]\n"
      "[[body]]\nname = \"slider\"\nmass = 0.2\nbox = [0.02, 0.02, 0.01]\ncontact = \"solids\"\n"
      "position = [0.5, 0, 0.005]\nvelocity = [0, 1.2, 0]\nangular_velocity = [0, 0, 2.4]\n";
  for (const std::string& formulation : kBoth) {
    const io::LoadedScene it = scene(formulation, 3, table);
    Simulation sim(it.built, it.scene.settings);
    run(sim);
    // 0.5 m at 2.4 rad/s: 98 % of what friction holds
    EXPECT_LT(
        (pose(sim, "slider").p - Vec3(0.5 * std::cos(7.2), 0.5 * std::sin(7.2), 0.005)).norm(),
        1e-7)
        << formulation;
  }
}

/// Logs: 0.5 is more friction than tan 15 degrees, which holds the third.
TEST(ContactSeams, LogsLieOnEachOther) {
  std::string pile =
      "[[contact]]\nfriction = 0.5\n[[obstacle]]\nname = \"ground\"\n"
      "half_space = [0, 0, 1]\n";
  const char* at[] = {"[-0.1, 0, 0.1]", "[0.1, 0, 0.1]", "[0, 0, 0.27320508075688775]"};
  for (int i = 0; i < 3; ++i)
    pile += "[[body]]\nname = \"log" + std::to_string(i) +
            "\"\nmass = 20\ncylinder = {radius = 0.1, length = 1, axis = [0, 1, 0]}\n"
            "contact = \"solids\"\nposition = " +
            at[i] + "\n";
  for (const std::string& formulation : kBoth) {
    const io::LoadedScene it = scene(formulation, 1, pile);
    Simulation sim(it.built, it.scene.settings);
    run(sim);
    EXPECT_NEAR(pose(sim, "log2").p.z(), 0.27320508075688775, 1e-8) << formulation;
    EXPECT_TRUE(sim.warnings().empty());
  }
}

/// A crate on two belts that run against each other turns on the spot.
TEST(ContactSeams, LoadsThatPointsShareAreSharedEvenly) {
  std::string belts = "[[contact]]\nfriction = 0.3\n";
  for (const int side : {-1, 1})
    belts +=
        obstacle("belt" + std::to_string(side + 1),
                 "box = [4, 0.3, 0.2]\nsurface_velocity = [" + std::to_string(side) + ", 0, 0]",
                 "[0, " + std::to_string(0.15 * side) + ", -0.1]");
  const io::LoadedScene it =
      scene("velocity", 0.2, belts + slider("box = [0.4, 0.4, 0.02]", "[0, 0, 0.01]", "[0, 0, 0]"));
  Simulation sim(it.built, it.scene.settings);
  run(sim);
  EXPECT_LT(pose(sim, "slider").p.head<2>().norm(), 1e-2);
  EXPECT_LT(velocity(sim, "slider").second.z(), -1);
}

}  // namespace
}  // namespace trammel::acceptance::contact_seams_test

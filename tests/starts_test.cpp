// Starts given by coordinates, and in static equilibrium: in scenes, in all formulations.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "io/scene.h"
#include "sim/present.h"
#include "support.h"

namespace trammel::acceptance::starts_test {
namespace {

const char* const kFormulations[] = {
    "formulation = \"velocity\"\nstep = 1e-3", "formulation = \"acceleration\"\nstep = 1e-2",
    "formulation = \"energy\"\njoint_stiffness = \"inf\"\nstep = 5e-4"};

io::LoadedScene loaded(const std::string& settings, const std::string& scene,
                       const std::vector<io::Override>& overrides = {}) {
  auto result = io::load_scene_text(
      "format = 1\n[simulation]\nduration = 1\n" + settings + "\n" + scene, "test.toml", overrides);
  if (const auto* problems = std::get_if<io::SceneProblems>(&result)) {
    std::string all;
    for (const io::SceneProblem& p : *problems) all += to_text(p) + "\n";
    throw std::runtime_error(all);
  }
  return std::get<io::LoadedScene>(std::move(result));
}
std::string problems(const std::string& settings, const std::string& scene) {
  try {
    loaded(settings, scene);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "no problem";
}

std::string bar(const char* name, double length) {
  return fmt::format(
      "[[body]]\nname = \"{}\"\nmass = 1\nbox = [{}, 0.02, 0.02]\ncom = [{}, 0, 0]\n", name, length,
      length / 2);
}
std::string hinge(const char* name, const char* a, double on_a, const char* b, double on_b,
                  const char* more = "") {
  return fmt::format(
      "[[joint]]\nname = \"{}\"\ntype = \"revolute\"\na = \"{}\"\nb = \"{}\"\n"
      "frame_a = {{position = [{}, 0, 0], axis = [0, 0, 1]}}\n"
      "frame_b = {{position = [{}, 0, 0], axis = [0, 0, 1]}}\n{}\n",
      name, a, b, on_a, on_b, more);
}
/// A crank of 0.1 m, a rod of 0.35 m, a piston along x; nothing is placed.
std::string slider_crank(const char* start) {
  return bar("crank", 0.1) + bar("rod", 0.35) + bar("piston", 0.05) +
         hinge("main", "ground", 0, "crank", 0, start) + hinge("big", "crank", 0.1, "rod", 0) +
         hinge("small", "rod", 0.35, "piston", 0) +
         "[[joint]]\nname = \"bore\"\ntype = \"prismatic\"\nb = \"piston\"\n"
         "frame_a = {}\nframe_b = {}\n";
}

/// All formulations begin at one state, and agree where the crank is a moment later.
TEST(Starts, AreTheSameInAllFormulations) {
  std::vector<double> first, later;
  for (const char* formulation : kFormulations) {
    io::LoadedScene s = loaded(std::string("gravity = 0\n") + formulation,
                               slider_crank("start = \"40 deg\"\nrate = \"5 rev/s\""));
    sim::Simulation sim(s.built, s.scene.settings);
    if (first.empty()) first = sim.state().q;
    ASSERT_EQ(sim.state().q.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(sim.state().q[i], first[i]);
    const double r = 0.1, l = 0.35, a = 40 * M_PI / 180, w = 10 * M_PI;
    const double root = std::sqrt(l * l - std::pow(r * std::sin(a), 2));
    EXPECT_NEAR(sim.state().P[12], -r * w * std::sin(a) * (1 + r * std::cos(a) / root), 1e-10);
    while (sim.state().t < 0.1 - 1e-9) ASSERT_TRUE(sim.advance()) << sim.failure();
    if (later.empty()) later = sim.state().q;
    for (std::size_t i = 0; i < later.size();
         ++i)  // truncation: of order h^2, 7e-4 by energy, 2e-4 by impulses
      EXPECT_NEAR(sim.state().q[i], later[i], 2e-3);
  }
}

/// An arm on a hinge whose tip is at a distance d from a point beside the hinge: the angle follows
/// by the law of cosines, its rate from the distance's.
TEST(Starts, OfADistanceGiveTheAngle) {
  const double d = 1.1, rate = 0.3;
  const std::string arm =
      bar("arm", 1) + hinge("pivot", "ground", 0, "arm", 0) +
      "[[law]]\nname = \"shock\"\ntype = \"spring\"\nb = \"arm\"\nstiffness = 10\n"
      "point_a = [0, 1, 0]\npoint_b = [1, 0, 0]\n";
  const auto start = [&](const std::string& more) {
    const io::LoadedScene s = loaded("gravity = 0\n", arm + more);
    sim::Simulation sim(s.built, s.scene.settings);
    sim::Present now(sim);
    return std::pair(now.coordinate("pivot.angle"), now.rate("pivot.angle"));
  };
  const auto [angle, speed] = start(fmt::format("start_length = {}\nstart_rate = {}\n", d, rate));
  const double sine = 1 - d * d / 2;  // d^2 = 2 - 2 sin(angle)
  EXPECT_NEAR(angle, std::asin(sine), 1e-10);
  EXPECT_NEAR(speed, -d * rate / std::cos(angle), 1e-10);
}

/// The frames of a bushing start apart by what is given.
TEST(Starts, OfABushingPlaceItsBody) {
  const io::LoadedScene s =
      loaded("gravity = 0\n", bar("arm", 1) +
                                  "[[bushing]]\nname = \"mount\"\nb = \"arm\"\n"
                                  "frame_a = {}\nframe_b = {}\n"
                                  "stiffness = [1, 1, 1]\n"
                                  "start = {x = \"2 mm\", yaw = \"10 deg\"}\n"
                                  "rate = {y = \"3 m/s\"}\n");
  sim::Simulation sim(s.built, s.scene.settings);
  sim::Present now(sim);
  EXPECT_NEAR(now.coordinate("mount.x"), 2e-3, 1e-12);
  EXPECT_NEAR(now.coordinate("mount.yaw"), M_PI / 18, 1e-12);
  EXPECT_NEAR(now.rate("mount.y"), 3, 1e-12);
}

/// A stop from 0 to 270 deg and a closer that is free of force at 0 count one angle alike,
/// whichever comes first: the door that starts at its stop is pulled shut.
TEST(Starts, LawsOnOneAngleCountTheSameTurns) {
  const std::string door =
      "[[body]]\nname = \"door\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
      "orientation = {axis = [0, 0, 1], angle = \"250 deg\"}\n"
      "[[joint]]\nname = \"h\"\ntype = \"revolute\"\nb = \"door\"\nframe_a = {axis = [0, 0, 1]}\n"
      "frame_b = {axis = [0, 0, 1]}\n";
  const std::string closer =
      "[[law]]\nname = \"closer\"\ntype = \"spring\"\njoint = \"h\"\nstiffness = 5\n";
  const std::string stop =
      "[[law]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"h\"\nfrom = 0\nto = \"270 deg\"\n";
  const std::string drive =
      "[[law]]\nname = \"drive\"\ntype = \"driven\"\njoint = \"h\"\ndisplacement = \"-470 deg\"\n";
  const double deg = M_PI / 180;
  for (const char* formulation : kFormulations)
    for (const auto& [laws, angle] :
         {std::pair(stop + closer, 250.), {closer + stop, 250.}, {closer + drive, -470.}}) {
      const io::LoadedScene s = loaded(std::string("gravity = 0\n") + formulation, door + laws);
      sim::Simulation sim(s.built, s.scene.settings);
      EXPECT_NEAR(sim::Present(sim).coordinate("h.angle"), angle * deg, 1e-9);
      // the force of the first frame, a step's truncation off
      EXPECT_NEAR(sim::Present(sim).force("closer"), -5 * angle * deg, 1e-2);
    }
}

/// A rod that is let go at the horizontal turns about its end by 3 g/(2 L) at once; a thing that
/// stands feels g.
TEST(Starts, TheFirstFrameHasAccelerations) {
  const std::string scene =
      "[[body]]\nname = \"rod\"\nmass = 1\ninertia = [1e-9, 0.3333333333333333, "
      "0.3333333333333333]\n"
      "position = [1, 0, 0]\n"
      "[[joint]]\nname = \"h\"\ntype = \"revolute\"\nb = \"rod\"\nat = [0, 0, 0]\naxis = [0, 1, "
      "0]\n"
      "[[body]]\nname = \"post\"\nmass = 1\nsphere = 0.1\n"
      "[[joint]]\nname = \"f\"\ntype = \"fixed\"\nb = \"post\"\nat = [0, 0, 0]\n"
      "[[probe]]\nname = \"tip\"\nbody = \"rod\"\npoint = [1, 0, 0]\n"
      "[[probe]]\nname = \"still\"\nbody = \"post\"\n";
  for (const char* formulation : kFormulations) {
    const io::LoadedScene s = loaded(std::string("gravity = [0, 0, -10]\n") + formulation, scene);
    const sim::Simulation sim(s.built, s.scene.settings);
    // truncation: the mean of a step in place of its beginning
    EXPECT_NEAR(sim.probe_accelerations()[0].z(), -15, 1e-2) << formulation;
    EXPECT_NEAR(sim.probes()[0].z(), -5, 1e-2) << formulation;
    EXPECT_NEAR(sim.probes()[1].z(), 10, 1e-6) << formulation;
    EXPECT_EQ(sim.state().t, 0);
  }
}

/// A weight on a spring and a lever on a torsion spring, started in equilibrium, stay there.
TEST(Starts, InEquilibriumNothingMoves) {
  const std::string scene =
      bar("lever", 0.6) +
      "[[joint]]\nname = \"pivot\"\ntype = \"revolute\"\nb = \"lever\"\nat = [0, 0, 0]\naxis = [0, "
      "1, 0]\n[[law]]\nname = \"torsion\"\ntype = \"spring\"\njoint = \"pivot\"\nstiffness = 9\n"
      "[[body]]\nname = \"weight\"\nmass = 2\nsphere = 0.05\nposition = [0.6, 0, -0.3]\n"
      "[[joint]]\nname = \"line\"\ntype = \"free\"\na = \"lever\"\nb = \"weight\"\n"
      "frame_a = {position = [0.6, 0, 0]}\nframe_b = {}\n[[law]]\nname = \"rope\"\ntype = "
      "\"spring\"\njoint = \"line\"\ncoordinate = \"sqrt(D.D)\"\nstiffness = 400\nrest = 0.3\n"
      "damping = 2\n";
  for (const char* formulation : kFormulations) {
    io::LoadedScene s = loaded(std::string("equilibrium = true\n") + formulation, scene);
    EXPECT_LE(s.built.start.equilibrium.residual, 1e-8);
    EXPECT_GT(s.built.start.equilibrium.motions, 1);
    sim::Simulation sim(s.built, s.scene.settings);
    const std::vector<double> q = sim.state().q;
    while (!sim.finished()) ASSERT_TRUE(sim.advance()) << sim.failure();
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(sim.state().q[i], q[i], 1e-7) << i;
  }
  // left to itself it swings far
  io::LoadedScene s = loaded(kFormulations[0], scene);
  sim::Simulation sim(s.built, s.scene.settings);
  const double z = sim.state().q[9];
  double most = 0;
  while (!sim.finished()) {
    ASSERT_TRUE(sim.advance());
    most = std::max(most, std::abs(sim.state().q[9] - z));
  }
  EXPECT_GT(most, 0.05);
}

TEST(Starts, AreChangedFromOutside) {
  const io::LoadedScene s = loaded("step = 1e-3", slider_crank("start = \"40 deg\""),
                                   {{"joint.main.start", "\"1 rev\""}});
  EXPECT_NEAR(s.built.start.coordinates.front().value, 2 * M_PI, 1e-12);
}

/// In parts, and through a coupling within one.
TEST(Starts, GoByThePathsOfParts) {
  const std::string scene =
      "[[part]]\nname = \"box\"\n[[part.body]]\nname = \"a\"\nmass = 1\nsphere = 0.1\n"
      "[[part.body]]\nname = \"b\"\nmass = 1\nsphere = 0.1\nposition = [0, 0, 1]\n"
      "[[part.joint]]\nname = \"in\"\ntype = \"revolute\"\nb = \"a\"\nat = [0, 0, 0]\n"
      "start = \"2.25 rev\"\nrate = 3\n"
      "[[part.joint]]\nname = \"out\"\ntype = \"revolute\"\nb = \"b\"\nat = [0, 0, 1]\n"
      "[[part.coupling]]\nname = \"mesh\"\ntype = \"gear\"\nof = [\"in.angle\", \"out.angle\"]\n"
      "teeth = [10, 20]\n";
  const io::LoadedScene s = loaded("step = 1e-3", scene);
  const auto& found = s.built.start.coordinates;
  const auto out = std::find_if(found.begin(), found.end(),
                                [](const auto& c) { return c.name == "box.out.angle"; });
  ASSERT_NE(out, found.end());
  EXPECT_NEAR(std::remainder(out->value + 1.125 * 2 * M_PI, 2 * M_PI), 0, 1e-12);
  EXPECT_NEAR(s.built.state.angle.at(1), -1.125 * 2 * M_PI, 1e-12);
}

TEST(StartMistakes, AreToldWithTheirPlaces) {
  const auto crank = [](const char* start) {
    return problems("step = 1e-3",
                    bar("crank", 0.1) + hinge("main", "ground", 0, "crank", 0, start));
  };
  const std::pair<const char*, const char*> mistakes[] = {
      {"start = \"3 m\"", "joint.main.start: '3 m' is a length, an angle [rad] is needed"},
      {"rate = \"3 rad\"", "joint.main.rate: '3 rad' is "},
      {"start = {}", "joint.main.start: names nothing"},
      {"start = {angel = 1}",
       "joint.main.start.angel: joint 'main' has no free coordinate 'angel'; did you mean "
       "'angle'?"},
      {"start = {angel = \"3 deg\"}", "did you mean 'angle'?"},
      {"start = [1]", "joint.main.start: found a list, a quantity like the coordinate, or a table"},
      {"start = \"nan\"", "joint.main.start"},
      {"starts = 1", "joint.main.starts: unknown key 'starts'; did you mean 'start'?"}};
  for (const auto& [text, said] : mistakes)
    EXPECT_NE(crank(text).find(said), std::string::npos) << text << "\n" << crank(text);
  const std::string far =
      problems("step = 1e-3", bar("arm", 1) + hinge("pivot", "ground", 0, "arm", 0) +
                                  "[[law]]\nname = \"shock\"\ntype = \"spring\"\nb = \"arm\"\n"
                                  "stiffness = 10\npoint_a = [0, 1, 0]\npoint_b = [1, 0, 0]\n"
                                  "start_length = \"3 m\"\n");
  EXPECT_NE(far.find("law.shock"), std::string::npos) << far;
  const std::string many =
      problems("step = 1e-3", bar("b", 1) +
                                  "[[joint]]\nname = \"j\"\ntype = \"cylindrical\"\nb = \"b\"\n"
                                  "at = [0, 0, 0]\nstart = \"3 cm\"\n");
  EXPECT_NE(many.find("joint.j.start: joint 'j' has 2 free coordinates: say which, as in {travel "
                      "= ...} (travel, angle)"),
            std::string::npos)
      << many;
  const std::string weld =
      problems("step = 1e-3", bar("b", 1) +
                                  "[[joint]]\nname = \"j\"\ntype = \"fixed\"\nb = "
                                  "\"b\"\nat = [0, 0, 0]\nstart = \"3 cm\"\n");
  EXPECT_NE(weld.find("joint.j.start: joint 'j' leaves no coordinate free"), std::string::npos)
      << weld;
}

TEST(StartMistakes, OfEquilibrium) {
  const std::string lever = bar("crank", 0.1) + hinge("main", "ground", 0, "crank", 0);
  const std::pair<const char*, const char*> mistakes[] = {
      {"equilibrium = [\"mian.angle\"]", "did you mean 'main'?"},
      {"equilibrium = [\"main.angel\"]", "did you mean 'angle'?"},
      {"equilibrium = [\"main.angle\", \"main\"]", "'main.angle' is named twice"},
      {"equilibrium = 3", "simulation.equilibrium"}};
  for (const auto& [text, said] : mistakes) {
    const std::string all = problems(std::string("step = 1e-3\n") + text, lever);
    EXPECT_NE(all.find(said), std::string::npos) << text << "\n" << all;
  }
}

}  // namespace
}  // namespace trammel::acceptance::starts_test

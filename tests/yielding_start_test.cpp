// Starts at which rows with force bounds yield and stops are run into: their bounds and
// restitutions hold from the first moment on.
#include <fmt/core.h>

#include <algorithm>

#include "io/scene.h"
#include "model/ledger.h"
#include "support.h"

namespace trammel::acceptance::yielding_start_test {
namespace {

std::string head(const std::string& settings) {
  return "format = 1\n[simulation]\nduration = 2\ngravity = 0\n" + settings + "\n";
}

sim::Simulation simulation(const std::string& settings, const std::string& scene) {
  auto loaded = io::load_scene_text(head(settings) + scene, "test.toml");
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    std::string all;
    for (const io::SceneProblem& p : *problems) all += to_text(p) + "\n";
    throw std::runtime_error(all);
  }
  auto& [scene_, built] = std::get<io::LoadedScene>(loaded);
  return {std::move(built), scene_.settings};
}

void run_to(sim::Simulation& sim, double t) {
  while (sim.state().t < t - 1e-9) ASSERT_TRUE(sim.advance()) << sim.failure();
}

/// A mass on a slide along x at 3 m/s, and what holds it.
std::string slider(const std::string& more) {
  return "[[body]]\nname = \"m\"\nmass = 2\nsphere = 0.1\nvelocity = [3, 0, 0]\n[[joint]]\nname = "
         "\"j\"\ntype = \"prismatic\"\nb = \"m\"\nat = [0, 0, 0]\n" +
         more;
}

std::size_t count(const std::vector<form::Event>& events, const char* kind) {
  return static_cast<std::size_t>(std::count_if(
      events.begin(), events.end(), [&](const form::Event& e) { return name_of(e.kind) == kind; }));
}

struct Method {
  const char *name, *settings;
  double truncation;  // of a step in which a bound is reached or left, over its speed [s]
};
void PrintTo(const Method& m, std::ostream* out) { *out << m.name; }
const Method kMethods[] = {
    {"Impulses", "step = 0.001", 1e-3},
    {"ForcesRk4", "step = 0.001\nformulation = \"acceleration\"\nmethod = \"rk4\"", 1e-8},
    {"ForcesDp8", "step = 0.01\nformulation = \"acceleration\"", 1e-8}};

class YieldingStart : public testing::TestWithParam<Method> {};

/// Held at 0.3 m within 10 N, off by 20 N for a moment: it comes back to there, and says so.
TEST_P(YieldingStart, ARowIsHeldAgainWhereItWas) {
  sim::Simulation sim = simulation(
      GetParam().settings,
      "[[body]]\nname = \"m\"\nmass = 2\nsphere = 0.1\nposition = [0.3, 0, 0]\n[[joint]]\nname "
      "= \"j\"\ntype = \"prismatic\"\nb = \"m\"\nframe_a = {}\nframe_b = {}\n[[law]]\nname = "
      "\"l\"\ntype = \"locked\"\njoint = \"j\"\ncoordinate = \"travel\"\nvalue = 0.3\nforce_min = "
      "-10\nforce_max = 10\n[[load]]\nname = \"f\"\ntype = \"force\"\nbody = \"m\"\nforce = "
      "[{time "
      "= [0.1, 0.1, 0.2, 0.2], value = [0, 20, 20, 0]}, 0, 0]\n");
  run(sim);
  const auto events = sim.take_events();
  EXPECT_EQ(count(events, "yield"), 1u);
  EXPECT_EQ(count(events, "hold"), 1u);
  EXPECT_NEAR(coordinate(sim, "j", "travel"), 0.3, 1e-9);
}

/// p at 100 rad/s (0.01 kg m^2), q at rest (0.02 kg m^2), 2 N m between them: one speed of 100/3
/// rad/s after 1/3 s, in which p has turned by 200/9 rad and q by 50/9 rad.
TEST_P(YieldingStart, ClutchSlipsUntilTheSpeedsAreOne) {
  const std::string shafts =
      "[[body]]\nname = \"p\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nangular_velocity = [100, 0, "
      "0]\n[[body]]\nname = \"q\"\nmass = 1\ninertia = [0.02, 0.02, 0.02]\nposition = [0, 1, "
      "0]\n[[joint]]\nname = \"jp\"\ntype = \"revolute\"\nb = \"p\"\nat = [0, 0, 0]\n[[joint]]\n"
      "name = \"jq\"\ntype = \"revolute\"\nb = \"q\"\nat = [0, 1, 0]\n[[coupling]]\nname = "
      "\"clutch\"\ntype = \"linear\"\nof = [\"jp.angle\", \"jq.angle\"]\ncoefficients = [1, "
      "-1]\n";
  const auto off = [](const sim::Simulation& sim, const char* joint, double angle) {
    return std::remainder(coordinate(sim, joint, "angle") - angle, 2 * M_PI);
  };
  for (const bool stays : {false, true}) {
    sim::Simulation sim =
        simulation(GetParam().settings,
                   shafts + (stays ? "[[law]]\nname = \"slips\"\ntype = \"friction\"\njoint = "
                                     "\"clutch\"\nforce = 2\n"
                                   : "limits = [-2, 2]\n"));
    EXPECT_NEAR(velocity(sim, "p").second.x(), 100, 1e-12);
    EXPECT_NEAR(velocity(sim, "q").second.x(), 0, 1e-12);
    run_to(sim, 0.3);
    EXPECT_NEAR(velocity(sim, "p").second.x(), 100 - 200 * 0.3, 1e-8);
    EXPECT_NEAR(velocity(sim, "q").second.x(), 100 * 0.3, 1e-8);
    // rk4 turns by 0.1 rad a step
    EXPECT_NEAR(off(sim, "jp", 100 * 0.3 - 100 * 0.09), 0, 1e-6);
    EXPECT_NEAR(off(sim, "jq", 50 * 0.09), 0, 1e-7);
    EXPECT_LE(std::abs(sim.imbalance()), 1e-8);
    EXPECT_EQ(count(sim.take_events(), "yield"), stays ? 0u : 1u);
    if (!stays) continue;  // the other returns to where it was
    run_to(sim, 1);
    EXPECT_NEAR(velocity(sim, "p").second.x(), 100. / 3, 1e-8);
    EXPECT_NEAR(off(sim, "jp", 400. / 9), 0, 100 * GetParam().truncation);
  }
}

/// 4 N on 2 kg at 3 m/s: a turn back at 1.5 s, after 2.25 m.
TEST_P(YieldingStart, LocksAndRowsYieldAtTheirBounds) {
  const std::string row =
      "[[body]]\nname = \"m\"\nmass = 2\nsphere = 0.1\nvelocity = [3, 0, 0]\n[[joint]]\nname = "
      "\"j\"\nrows = [\"across = Ay.D\", \"up = Az.D\", \"along = Ax.D\"]\nb = \"m\"\nat = [0, 0, "
      "0]\nlimits = {along = [-4, 4]}\n";
  for (const std::string& scene :
       {slider(
            "[[law]]\nname = \"l\"\ntype = \"locked\"\njoint = \"j\"\nforce_max = 4\nforce_min = "
            "-4\n"),
        row}) {
    sim::Simulation sim = simulation(GetParam().settings, scene);
    EXPECT_NEAR(velocity(sim, "m").first.x(), 3, 1e-12);
    run_to(sim, 1.5);
    EXPECT_NEAR(velocity(sim, "m").first.x(), 0, 1e-8);
    EXPECT_NEAR(pose(sim, "m").p.x(), 2.25, 1e-8);
    EXPECT_LE(std::abs(sim.imbalance()), 1e-8);
    EXPECT_EQ(count(sim.take_events(), "yield"), 1u);
  }
}

/// A lock that only pulls back as hard as it may, and stands any push: it is a stop for what comes
/// from above.
TEST_P(YieldingStart, ABoundOnOneSideHoldsTheOther) {
  const std::string lock =
      "[[law]]\nname = \"l\"\ntype = \"locked\"\njoint = \"j\"\nforce_max = 4\n";
  sim::Simulation sim = simulation(GetParam().settings, slider(lock));
  EXPECT_NEAR(velocity(sim, "m").first.x(), 0, 1e-12);  // slowed by as much as it takes
  sim::Simulation other =
      simulation(GetParam().settings, slider("[[law]]\nname = \"l\"\ntype = \"locked\"\njoint = "
                                             "\"j\"\nforce_min = -4\n"));
  EXPECT_NEAR(velocity(other, "m").first.x(), 3, 1e-12);
  run_to(other, 1.5);
  EXPECT_NEAR(pose(other, "m").p.x(), 2.25, 1e-8);
}

TEST_P(YieldingStart, StopsGiveBackWhatRunsIntoThem) {
  for (const double e : {1., 0.5, 0.}) {
    sim::Simulation sim = simulation(
        GetParam().settings,
        slider(fmt::format("[[law]]\nname = \"s\"\ntype = \"limit\"\njoint = \"j\"\nto = "
                           "0\nrestitution = {}\n",
                           e)));
    EXPECT_NEAR(velocity(sim, "m").first.x(), -3 * e, 1e-12);
    run_to(sim, 1);
    EXPECT_NEAR(velocity(sim, "m").first.x(), -3 * e, 1e-12);
    EXPECT_NEAR(pose(sim, "m").p.x(), -3 * e, 1e-9);
    EXPECT_NEAR(sim.state().ledger[model::kImpacts], -9 * (1 - e * e), 1e-12);
    EXPECT_NEAR(sim.state().ledger[model::kInitial], 9, 1e-12);
    EXPECT_LE(std::abs(sim.imbalance()), 1e-12);
    EXPECT_LE(sim.summary().momentum_residual_rel, 1e-12);
    const auto events = sim.take_events();
    ASSERT_EQ(count(events, "impact"), 1u);
    EXPECT_EQ(events[0].subject, "j");
    EXPECT_NEAR(events[0].value, 3, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, YieldingStart, testing::ValuesIn(kMethods),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace trammel::acceptance::yielding_start_test

// Forces that follow coordinates of other joints: coupled oscillators with known motions, what asks
// for forces beside a run, and what becomes of coordinates when joints let go.
#include <fmt/core.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "io/scene.h"
#include "sim/checkpoint.h"
#include "sim/dynamics.h"
#include "sim/linearise.h"
#include "sim/present.h"
#include "support.h"

namespace trammel::acceptance::followed_test {
namespace {

io::LoadedScene loaded(const std::string& text) {
  auto out = io::load_scene_text(text, "test.toml");
  if (const auto* problems = std::get_if<io::SceneProblems>(&out)) {
    std::string all;
    for (const io::SceneProblem& p : *problems) all += to_text(p) + "\n";
    throw std::runtime_error(all);
  }
  return std::move(std::get<io::LoadedScene>(out));
}

/// 1 kg that slides along x from the ground.
std::string slide(const char* name, double x, double v, const std::string& more = "") {
  return fmt::format(
      "[[body]]\nname = \"body_{0}\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [{1}, 0, 0]\n"
      "velocity = [{2}, 0, 0]\n[[joint]]\nname = \"{0}\"\ntype = \"prismatic\"\nb = \"body_{0}\"\n"
      "frame_a = {{}}\nframe_b = {{}}\n{3}\n",
      name, x, v, more);
}

std::string spring(const char* joint, const std::string& function) {
  return fmt::format(
      "[[law]]\nname = \"on_{0}\"\ntype = \"spring\"\njoint = \"{0}\"\n"
      "function = \"{1}\"\n",
      joint, function);
}

std::string head(double duration, double step, const std::string& more = "gravity = 0") {
  return fmt::format("format = 1\n[simulation]\nduration = {}\nstep = {}\n{}\n", duration, step,
                     more);
}

// ---- two masses, each on 20 N/m of its own and drawn to the other by 15 N/m and c

using law::kInf;
constexpr double kOwn = 20, kBetween = 15;

std::string pair_of(double c, const std::string& run, double stiffness = kBetween,
                    double speed = 2) {
  const auto force = [&](const char* other) {
    return fmt::format("-{0}*x - {1}*(x - {2}.travel) - {3}*(v - {2}.travel.rate)", kOwn, stiffness,
                       other, c);
  };
  return run + slide("a", 1, 0) + slide("b", 0, speed) + spring("a", force("b")) +
         spring("b", force("a"));
}

struct Places {
  double a = 0, b = 0;
};

/// Their sum swings at sqrt(20), their difference at 50 N/m with 2 c.
Places exact(double c, double t) {
  const double w = std::sqrt(kOwn), sum = std::cos(w * t) + 2 / w * std::sin(w * t);
  const double d = c, wd = std::sqrt(kOwn + 2 * kBetween - d * d);
  const double difference = std::exp(-d * t) * (std::cos(wd * t) + (d - 2) / wd * std::sin(wd * t));
  return {(sum + difference) / 2, (sum - difference) / 2};
}

double error_of(const std::string& text, double c, bool on_grid = false) {
  io::LoadedScene scene = loaded(text);
  if (on_grid) scene.scene.settings.form.accuracy = {kInf, kInf, kInf, kInf, kInf};
  Simulation sim(scene.built, scene.scene.settings);
  run(sim);
  const Places x = exact(c, sim.state().t);
  EXPECT_LT(sim.summary().energy_residual_rel(), 2e-3);  // truncation
  return std::max(std::abs(coordinate(sim, "a", "travel") - x.a),
                  std::abs(coordinate(sim, "b", "travel") - x.b));
}

double order_of(const std::function<double(double)>& error, double h) {
  const double coarse = error(h), fine = error(h / 2);
  return std::log2(coarse / fine);
}

TEST(Followed, CoupledOscillatorsAreOfOrderTwoByImpulses) {
  for (const double c : {0., 0.7, 4.}) {
    SCOPED_TRACE(c);
    const auto error = [&](double h) { return error_of(pair_of(c, head(2, h)), c); };
    EXPECT_LT(error(1e-3), 2e-5);  // truncation
    EXPECT_NEAR(order_of(error, 4e-3), 2, 0.05);
  }
}

TEST(Followed, CoupledOscillatorsKeepTheOrdersOfMethodsByForces) {
  for (const auto& [method, order, h] :
       {std::tuple("rk4", 4, 0.02), std::tuple("dp5", 5, 0.01), std::tuple("dp8", 8, 0.1)}) {
    SCOPED_TRACE(method);
    const auto error = [&, how = method](double step) {
      const std::string keys =
          fmt::format("gravity = 0\nformulation = \"acceleration\"\nmethod = \"{}\"", how);
      return error_of(pair_of(0.7, head(2, step, keys)), 0.7, true);
    };
    EXPECT_GT(order_of(error, h), order - 0.3);
  }
}

TEST(Followed, AStiffForceIsMetOrNotTrusted) {
  for (const double k : {1e3, 1e5, 1e6, 1e7, 1e9}) {
    SCOPED_TRACE(k);
    io::LoadedScene scene = loaded(pair_of(0, head(0.5, 1e-3), k));
    sim::Simulation sim(scene.built, scene.scene.settings);
    while (!sim.finished() && sim.advance()) continue;
    // the sum is that of the soft swing whatever the force between them, as the centre of both
    const double w = std::sqrt(kOwn), t = sim.state().t;
    const double sum = std::cos(w * t) + 2 / w * std::sin(w * t);
    const double off =
        std::abs(coordinate(sim, "a", "travel") + coordinate(sim, "b", "travel") - sum);
    fmt::print("k {:g}: off {:.3g} failure '{}' fallbacks {} residual {:.3g} warnings {}\n", k, off,
               sim.failure(), sim.summary().fallbacks, sim.summary().energy_residual_rel(),
               sim.warnings().size());
  }
}

TEST(Followed, StiffDampersAreMet) {
  for (const double c : {1e2, 1e3, 1e4, 1e6}) {
    SCOPED_TRACE(c);
    io::LoadedScene scene = loaded(pair_of(c, head(0.5, 1e-3)));
    sim::Simulation sim(scene.built, scene.scene.settings);
    while (!sim.finished() && sim.advance()) continue;
    for (const auto& w : sim.warnings()) fmt::print("{}\n", to_text(w));
    fmt::print("c {:g}: a {:.9g} b {:.9g} failure '{}' fallbacks {} residual {:.3g} warnings {}\n",
               c, coordinate(sim, "a", "travel"), coordinate(sim, "b", "travel"), sim.failure(),
               sim.summary().parted_steps, sim.summary().energy_residual_rel(),
               sim.warnings().size());
  }
}

// ---- who asks for forces beside a run

std::uint64_t hash_after_run(const model::Built& built, const sim::Settings& settings) {
  sim::Simulation sim(built, settings);
  run(sim);
  return hash(sim.state());
}

TEST(Followed, SimulationsOfOneModelDoNotMeet) {
  const io::LoadedScene scene = loaded(pair_of(0.7, head(1, 1e-3)));
  model::Built other = scene.built;
  other.state.P[0] += 3;
  const std::uint64_t one = hash_after_run(scene.built, scene.scene.settings),
                      two = hash_after_run(other, scene.scene.settings);
  std::uint64_t at_once[2];
  std::thread beside([&] { at_once[0] = hash_after_run(scene.built, scene.scene.settings); });
  at_once[1] = hash_after_run(other, scene.scene.settings);
  beside.join();
  EXPECT_EQ(at_once[0], one);
  EXPECT_EQ(at_once[1], two);
  EXPECT_NE(one, two);
}

TEST(Followed, RunsGoOnBitForBit) {
  for (const char* formulation : {"velocity", "acceleration"}) {
    SCOPED_TRACE(formulation);
    const io::LoadedScene scene = loaded(pair_of(
        0.7, head(0.2, 1e-3, fmt::format("gravity = 0\nformulation = \"{}\"", formulation))));
    sim::Simulation whole(scene.built, scene.scene.settings),
        first(scene.built, scene.scene.settings), second(scene.built, scene.scene.settings);
    for (int k = 0; k < 70; ++k) ASSERT_TRUE(first.advance());
    sim::from_bytes(sim::to_bytes(first), second);
    run(whole);
    run(second);
    EXPECT_EQ(hash(whole.state()), hash(second.state()));
  }
}

TEST(Followed, DynamicsAndItsDifferencesKnowThem) {
  const double c = 0.7;
  const io::LoadedScene scene = loaded(pair_of(c, head(1, 1e-3)));
  sim::Dynamics dynamics(scene.built);
  const VecX y_ddot = dynamics.forward(VecX::Zero(2)).y_ddot;
  EXPECT_NEAR(y_ddot[0], -kOwn - kBetween + 2 * c, 1e-12);  // rounding
  EXPECT_NEAR(y_ddot[1], kBetween - 2 * c, 1e-12);
  EXPECT_NEAR(dynamics.inverse(y_ddot).tau.norm(), 0, 1e-12);
  const sim::Linearised motion = sim::linearise(dynamics);
  MatX A(2, 4);
  A << -kOwn - kBetween, kBetween, -c, c, kBetween, -kOwn - kBetween, c, -c;
  EXPECT_LT((motion.A.bottomRows(2) - A).cwiseAbs().maxCoeff(), 1e-8);  // differences
}

TEST(Followed, EquilibriumKnowsThem) {
  const io::LoadedScene scene =
      loaded(pair_of(0.7, head(1, 1e-3, "gravity = [7, 0, 0]\nequilibrium = true"), 15, 0));
  Simulation sim(scene.built, scene.scene.settings);
  EXPECT_NEAR(coordinate(sim, "a", "travel"), 7 / kOwn, 1e-9);  // both alike: nothing between them
  EXPECT_NEAR(coordinate(sim, "b", "travel"), 7 / kOwn, 1e-9);
}

// A lifting force on one by where another is, which nothing pushes back.
TEST(Followed, EquilibriumOfOneThatFollows) {
  const std::string text = head(1, 1e-3, "gravity = [7, 0, 0]\nequilibrium = true") +
                           slide("a", 0, 0) + slide("b", 0, 0) + spring("b", "-10*x") +
                           spring("a", "-20*(x - 3*b.travel)");
  const io::LoadedScene scene = loaded(text);
  Simulation sim(scene.built, scene.scene.settings);
  EXPECT_NEAR(coordinate(sim, "b", "travel"), 0.7, 1e-9);
  EXPECT_NEAR(coordinate(sim, "a", "travel"), 3 * 0.7 + 0.35, 1e-9);
}

// ---- which coordinates

/// A scene of the repository with 1 kg beside it whose force follows coordinates.
std::string with_follower(const std::string& scene, const std::vector<std::string>& followed) {
  std::ifstream file(std::string(TRAMMEL_SOURCE_DIR) + "/scenes/" + scene + ".toml");
  std::stringstream text;
  text << file.rdbuf() << "\n" << slide("beside", 0, 0);
  std::string sum = "0 N";
  for (const std::string& name : followed)
    sum += fmt::format(" + 1e-12 [{}]*{}", name.ends_with(".s") ? "N/m" : "N", name);
  text << spring("beside", sum);
  return text.str();
}

void expect_as_present(const std::string& scene, const std::vector<std::string>& joints,
                       const std::string& formulation, long steps) {
  SCOPED_TRACE(scene + " " + formulation);
  io::LoadedScene whole = loaded(with_follower(scene, joints));
  if (formulation == "acceleration")
    whole.scene.settings.form.formulation = form::Settings::Formulation::acceleration;
  sim::Simulation sim(whole.built, whole.scene.settings);
  ASSERT_EQ(sim.model().followed.size(), joints.size());
  for (long k = 0; k < steps; ++k) ASSERT_TRUE(sim.advance()) << sim.failure();
  sim::Present present(sim);
  const model::KinematicsCache& now = sim.formulation().now();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto handle = model::coordinate_named(sim.model(), joints[i]);
    const double x = present.coordinate(handle), v = present.rate(handle);
    EXPECT_NEAR(now.y[i], x, 1e-12 * (1 + std::abs(x))) << joints[i];  // rounding
    EXPECT_NEAR(now.y_rate[i], v, 1e-10 * (1 + std::abs(v))) << joints[i];
    EXPECT_GT(std::abs(v), 1e-6) << joints[i] << " stands still: the test says nothing";
  }
}

TEST(Followed, CoordinatesAndRatesAreThoseOfTheRun) {
  for (const char* formulation : {"velocity", "acceleration"}) {
    expect_as_present("turntable", {"rails.s", "bearing.angle"}, formulation, 3000);
    expect_as_present("stn02_wagon", {"front.s", "rear.s"}, formulation, 3000);
    expect_as_present("robot_arm", {"elbow.angle", "wrist_yaw.angle"}, formulation, 1500);
  }
}

}  // namespace
}  // namespace trammel::acceptance::followed_test

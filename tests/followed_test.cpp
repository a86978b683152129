// Forces that follow coordinates of other joints: coupled oscillators with known motions, what asks
// for forces beside a run, and what becomes of coordinates when joints let go.
#include <fmt/core.h>

#include <fstream>
#include <optional>
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

/// How far the centre of both is off after half a second, which nothing between them moves;
/// nothing: the run has failed, or says that it is not to be trusted.
std::optional<double> centre_off(double c, double k) {
  const io::LoadedScene scene = loaded(pair_of(c, head(0.5, 1e-3), k));
  sim::Simulation sim(scene.built, scene.scene.settings);
  while (!sim.finished() && sim.advance()) continue;
  if (!sim.failure().empty()) {
    EXPECT_NE(sim.failure().find("that of law 'on_a', may be too stiff"), std::string::npos)
        << sim.failure();
    return {};
  }
  for (const sim::Warning& w : sim.warnings())
    if (w.grave) return {};
  const Places x = exact(0, sim.state().t);
  return std::abs(coordinate(sim, "a", "travel") + coordinate(sim, "b", "travel") - x.a - x.b);
}

TEST(Followed, StiffForcesAreMetOrNotTrusted) {
  for (const double k : {1e3, 1e6, 1e7}) {
    const auto off = centre_off(0, k);
    ASSERT_TRUE(off) << k;
    EXPECT_LT(*off, 1e-5) << k;  // truncation
  }
  EXPECT_FALSE(centre_off(0, 1e9));
  const auto damped = centre_off(1e2, kBetween);
  ASSERT_TRUE(damped);
  EXPECT_LT(*damped, 1e-5);
  for (const double c : {1e4, 1e6}) EXPECT_FALSE(centre_off(c, kBetween)) << c;
}

// a and b are one; what a is pushed by is stiff in b, which no slope by x tells.
TEST(Followed, WhatGrowsThroughOthersIsNotTrusted) {
  for (const double k : {1e6, 9e6}) {
    const io::LoadedScene scene =
        loaded(head(0.5, 1e-3) + slide("a", 0, 1) + slide("b", 0, 1) +
               spring("a", fmt::format("-{}*b.travel", k)) +
               "[[coupling]]\nname = \"tie\"\ntype = \"linear\"\nof = [\"a.travel\", "
               "\"b.travel\"]\ncoefficients = [1, -1]\n");
    sim::Simulation sim(scene.built, scene.scene.settings);
    while (!sim.finished() && sim.advance()) continue;
    EXPECT_TRUE(any_grave(sim.warnings())) << k;
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

void expect_in_run(const std::string& text, const std::vector<std::string>& joints,
                   const std::string& formulation, long steps) {
  SCOPED_TRACE(joints.front() + " " + formulation);
  io::LoadedScene whole = loaded(text);
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

void expect_scene(const std::string& scene, const std::vector<std::string>& joints,
                  const std::string& formulation, long steps) {
  expect_in_run(with_follower(scene, joints), joints, formulation, steps);
}

TEST(Followed, CoordinatesAndRatesAreThoseOfTheRun) {
  for (const char* formulation : {"velocity", "acceleration"}) {
    expect_scene("turntable", {"rails.s", "bearing.angle"}, formulation, 1500);
    expect_scene("stn02_wagon", {"front.s", "rear.s"}, formulation, 300);
    expect_scene("robot_arm", {"elbow.angle", "lift.angle"}, formulation, 1000);
  }
}

// Ends that are prescribed, rigid and affine.
TEST(Followed, CoordinatesOnBodiesOfAllKinds) {
  const std::string text = head(1, 1e-3) + slide("beside", 0, 0) +
                           spring("beside", "1e-12 [N/m]*ram.travel + 1e-12 N*hinge.angle") + R"(
[[body]]
name = "table"
kind = "prescribed"
displacement = [{velocity = "2 m/s"}, 0, 0]
turns = [{axis = [0.2, 0.5, 1], angle = {velocity = "3 rad/s"}}]
[[body]]
name = "slider"
mass = 2
box = [0.2, 0.1, 0.1]
position = [1, 0, 0]
[[joint]]
name = "ram"
type = "prismatic"
a = "table"
b = "slider"
at = [1, 0, 0]
axis = [1, 1, 0]
[[body]]
name = "fan"
kind = "affine"
mass = 1
box = [0.3, 0.1, 0.2]
position = [1, 0, 1]
[[joint]]
name = "hinge"
type = "revolute"
a = "slider"
b = "fan"
at = [1, 0, 0]
axis = [0, 1, 1]
)";
  for (const char* formulation : {"velocity", "acceleration"})
    expect_in_run(text, {"ram.travel", "hinge.angle"}, formulation, 300);
}

double a_at_end(const std::string& text, const std::string& formulation, double t, double value) {
  io::LoadedScene scene = loaded(text);
  if (formulation == "acceleration")
    scene.scene.settings.form.formulation = form::Settings::Formulation::acceleration;
  Simulation sim(scene.built, scene.scene.settings);
  run(sim, [&] {
    if (!sim.model().inputs.empty() && std::abs(sim.state().t - t) < 1e-9)
      sim.set_input("push", value);
  });
  EXPECT_LT(sim.summary().energy_residual_rel(), 1e-5);
  return coordinate(sim, "a", "travel");
}

// b glides at 1 m/s; a is pushed by where it is, x'' = t. What holds b breaks half way.
TEST(Followed, ACoordinateFollowsTheBodiesWhenItsJointBreaks) {
  const std::string breaks =
      head(1, 1e-3) + slide("a", 0, 0) + slide("b", 0, 1, "strength = 5") +
      spring("a", "1 [N/m]*b.travel") +
      "[[load]]\nname = \"aside\"\ntype = \"force\"\nbody = \"body_b\"\nforce = [0, "
      "{formula = \"10 [N/s]*t\"}, 0]\n";
  EXPECT_NEAR(a_at_end(breaks, "velocity", 0, 0), 1. / 6, 1e-6);       // truncation
  EXPECT_NEAR(a_at_end(breaks, "acceleration", 0, 0), 1. / 6, 1e-10);  // accuracy
  const io::LoadedScene scene = loaded(breaks);
  sim::Simulation sim(scene.built, scene.scene.settings);
  run(sim);
  EXPECT_EQ(sim.state().on[static_cast<std::size_t>(sim.model().find_joint("b"))], 0);
}

TEST(Followed, BesideInputsAndInBoundsOfMotors) {
  const std::string pushed = head(1, 1e-3) + slide("a", 0, 0) + slide("b", 0, 1) +
                             "[[input]]\nname = \"push\"\nunit = \"N/m\"\nrest = 1\n" +
                             spring("a", "push*b.travel");
  const std::string driven =
      head(1, 1e-3) + slide("a", 0, 0) + slide("b", 0, 1) +
      "[[law]]\nname = \"drive\"\ntype = \"motor\"\njoint = \"a\"\nvelocity = \"10 m/s\"\n"
      "force_limit = \"2 [N/m]*b.travel\"\n";
  for (const auto& [formulation, tolerance] :
       {std::pair("velocity", 2e-6), std::pair("acceleration", 1e-9)}) {
    EXPECT_NEAR(a_at_end(pushed, formulation, 0.5, 2), 0.25, tolerance) << formulation;
    EXPECT_NEAR(a_at_end(driven, formulation, 0, 0), 1. / 3, tolerance) << formulation;
  }
}

// ---- from a program

/// b glides at 1 m/s on a cylinder, a's force reads what is named.
model::Builder program(const std::vector<std::string>& live) {
  model::Builder builder;
  builder.gravity = Vec3::Zero();
  builder.add_body(solid("body_a", 1, Vec3::Ones()));
  builder.add_body(solid("body_b", 1, Vec3::Ones()));
  builder.add_joint(joint("a", "prismatic", "ground", "body_a", {}));
  model::JointSpec b = joint("b", "cylindrical", "ground", "body_b", {});
  b.rate = {{1, "travel"}};
  builder.add_joint(b);
  model::LawSpec push = law("push", "spring", "a", "travel");
  law::ForceFunction force([](double, double, double) { return law::Force{}; });
  force.live = live;
  force.of_live = [](double, double, double, std::span<const double> values) {
    return law::Force{values[0], 0, 0};
  };
  push.function = std::make_shared<const law::ForceFunction>(force);
  builder.add_law(push);
  return builder;
}

TEST(Followed, AProgramNamesThem) {
  Simulation sim(built(program({"b.travel"})), settings(1, 1e-3));
  run(sim);
  EXPECT_NEAR(coordinate(sim, "a", "travel"), 1. / 6, 1e-6);  // truncation
}

TEST(Followed, AProgramIsToldWhatItMayNot) {
  for (const auto& [name, says] :
       {std::pair("b.travl",
                  "there is no input and no coordinate 'b.travl'; did you mean "
                  "'b.travel'?"),
        std::pair("a.travel",
                  "'a.travel' is the coordinate that the law is on: in its function it "
                  "is 'x'"),
        std::pair("b", "there is no input and no coordinate 'b'")}) {
    const auto result = program({name}).build();
    const auto* problems = std::get_if<std::vector<Problem>>(&result);
    ASSERT_NE(problems, nullptr) << name;
    ASSERT_EQ(problems->size(), 1U);
    EXPECT_EQ(problems->front().text.find(says), 0U) << problems->front().text;
  }
}

}  // namespace
}  // namespace trammel::acceptance::followed_test

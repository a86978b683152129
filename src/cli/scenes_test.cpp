// The scenes that come with the program do what mechanics says they do.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "cli/scene_input.h"
#include "sim/test_balance.h"

namespace trammel::cli::scenes_test {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double g = 9.81;  // [m/s^2]

Prepared shipped(const std::string& name, const std::vector<io::Override>& overrides = {}) {
  auto prepared = prepare(std::string(TRAMMEL_SOURCE_DIR "/scenes/") + name + ".toml", overrides);
  if (const auto* problems = std::get_if<io::SceneProblems>(&prepared))
    throw std::runtime_error(io::to_text(problems->front()));
  return std::move(std::get<Prepared>(prepared));
}

/// Runs to time t, calling look() after each step.
template <class Look>
void run(sim::Simulation& sim, double t, Look look) {
  while (sim.state().t < t - 1e-9) {
    ASSERT_TRUE(sim.advance()) << sim.failure();
    look();
  }
  sim::test::expect_balance(sim);
}
void run(sim::Simulation& sim, double t) {
  run(sim, t, [] {});
}

const body::Transform& place(const sim::Simulation& sim, const char* body) {
  return sim.formulation().now().T_WO[static_cast<std::size_t>(sim.model().find_object(body))];
}
Vec3 spin(const sim::Simulation& sim, const char* body) {
  const model::Object& o =
      sim.model().objects[static_cast<std::size_t>(sim.model().find_object(body))];
  return vec3(sim.formulation().velocities().data() +
              sim.model().blocks[static_cast<std::size_t>(o.block)].v + 3);
}

}  // namespace

TEST(Scenes, AllOfThemLoad) {
  int n = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TRAMMEL_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(shipped(entry.path().stem().string())) << entry.path();
    ++n;
  }
  EXPECT_GE(n, 7);
}

// x'' = -a x (1 + (x/d)^2) from A: period 4 K(m)/w, w^2 = a (1 + (A/d)^2), m = a (A/d)^2/(2 w^2).
TEST(Scenes, HardeningSpringSwingsInItsPeriod) {
  const double a = 200 / 2., s = std::pow(0.3 / 0.2, 2), w2 = a * (1 + s);
  const double period = 4 * std::comp_ellint_1(std::sqrt(a * s / 2 / w2)) / std::sqrt(w2);
  EXPECT_NEAR(period, 0.39, 5e-3);  // as its comment says
  for (const char* step : {"1 ms", "0.5 ms"}) {
    const Prepared p = shipped("hardening_spring", {{"simulation.step", step}});
    double before = 1, first = 0, last = 0;
    int crossings = 0;
    run(*p.simulation, 5, [&] {
      const double x = place(*p.simulation, "mass").p.x(), t = p.simulation->state().t;
      if (before > 0 && x <= 0) {
        last = t + x / (before - x) * p.loaded.scene.settings.step;
        if (crossings++ == 0) first = last;
      }
      before = x;
    });
    ASSERT_EQ(crossings, 13);
    const double h = p.loaded.scene.settings.step;
    EXPECT_NEAR((last - first) / 12, period, w2 * h * h / 24 * period);  // truncation
  }
}

// Period 4 K(sin 45 deg) sqrt(L/g), L = l + 2/5 r^2/l; truncation of the scheme is 2e-6 of it.
TEST(Scenes, PendulumSwingsInItsPeriod) {
  const Prepared p = shipped("pendulum");
  const double period = 4 * std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt((1 + 0.4 * 0.0025) / g);
  EXPECT_NEAR(period, 2.369, 5e-4);  // as its comment says
  std::vector<double> crossings;
  double t0 = 0, x0 = 1;
  run(*p.simulation, 10, [&] {
    const double t = p.simulation->state().t, x = place(*p.simulation, "bob").p.x();
    if (x0 > 0 && x <= 0) crossings.push_back(t0 + x0 / (x0 - x) * (t - t0));
    t0 = t;
    x0 = x;
  });
  ASSERT_EQ(crossings.size(), 4u);
  EXPECT_NEAR((crossings.back() - crossings.front()) / 3, period, 1e-5);
}

// One turn a second at the same height; the truncation falls with the step squared.
TEST(Scenes, TopPrecessesSteadily) {
  const auto off = [](const char* step) {
    const Prepared p = shipped("gyroscope", {{"simulation.step", step}});
    double sunk = 0;
    run(*p.simulation, 5,
        [&] { sunk = std::max(sunk, std::abs(place(*p.simulation, "disc").p.z() - 0.04)); });
    const Vec3 at = place(*p.simulation, "disc").p;
    return std::max(sunk, std::abs(std::atan2(at.y(), at.x())) * 0.07);
  };
  const double coarse = off("0.5 ms"), fine = off("0.25 ms");
  EXPECT_LT(coarse, 2e-5);
  EXPECT_NEAR(coarse / fine, 4, 0.4);
}

TEST(Scenes, FourbarKeepsToItsOneMotion) {
  const Prepared p = shipped("fourbar");
  run(*p.simulation, 10);
  const Vec3 top = 2 * place(*p.simulation, "up0").p;
  EXPECT_NEAR(top.x(), 0.3284581115408, 4e-5);  // truncation
  EXPECT_NEAR(top.z(), 0.9445185381786, 4e-5);
  EXPECT_NEAR(top.y(), 0, 1e-11);
  EXPECT_LT(p.simulation->summary().max_gap, 1e-10);
}

// No angular momentum comes in, so the turn follows from where the wagon is; and it stands in the
// end.
TEST(Scenes, TurntableTurnsUnderTheWagon) {
  const Prepared p = shipped("turntable");
  const double m = 12e3, d = 1.5, table = 0.5 * 40e3 * 9.5 * 9.5, wagon = 40e3;
  const double c = table + wagon + m * d * d, k = std::sqrt(m / c);
  const auto turned = [&](double s) { return d * k * std::atan((s - 9) * k); };
  run(*p.simulation, 15);
  const Mat3& R = place(*p.simulation, "table").A;
  EXPECT_NEAR(std::atan2(R(1, 0), R(0, 0)), turned(p.simulation->state().s[0]) - turned(2), 1e-8);
  EXPECT_NEAR(p.simulation->state().s[0], 16, 1e-8);
  EXPECT_LT(spin(*p.simulation, "table").norm(), 1e-12);
  EXPECT_LT(p.simulation->summary().momentum_residual_rel, 1e-11);
}

// At rest in the pick the shoulder's drive carries the weight of all beyond it.
TEST(Scenes, ArmHoldsItsWeight) {
  const Prepared p = shipped("robot_arm");
  run(*p.simulation, 4.2);
  const model::Model& m = p.simulation->model();
  const Vec3 shoulder(0, 0, 0.089);
  double torque = 0;  // about the axis, which has turned by 60 deg with the base
  const Vec3 axis(-std::sin(kPi / 3), std::cos(kPi / 3), 0);
  for (const char* body : {"upper_arm", "forearm", "wrist1", "wrist2", "flange", "payload"}) {
    const auto mass = static_cast<std::size_t>(m.find_param("body." + std::string(body) + ".mass"));
    const Vec3 weight(0, 0, -g * p.loaded.built.params.values[mass]);
    torque += (place(*p.simulation, body).p - shoulder).cross(weight).dot(axis);
  }
  EXPECT_GT(std::abs(torque), 60);
  const auto law = static_cast<std::size_t>(m.find_law("lift_drive"));
  const double drive =
      p.simulation->formulation().row_forces()[static_cast<std::size_t>(m.laws[law].row)];
  EXPECT_NEAR(drive, -torque, 1e-6);
}

}  // namespace trammel::cli::scenes_test

// Springs and dampers in the velocity formulation, from soft to stiffer than the step can see.
#include <fmt/core.h>

#include "support.h"

namespace trammel::acceptance::springs_test {
namespace {

void record(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

/// A mass of 1 kg at x = 1 m on a slide along x, v0 = 1 m/s, no gravity; a spring to the origin.
model::Builder oscillator(double k, double c) {
  model::Builder b;
  b.gravity.setZero();
  auto mass = solid("mass", 1, {1, 1, 1}, {Vec3::UnitX()});
  mass.v = Vec3::UnitX();
  b.add_body(mass);
  auto slide = joint("slide", "prismatic", "ground", "mass", {});
  slide.at.reset();
  slide.frame_a = slide.frame_b = Pose{};
  b.add_joint(slide);
  b.add_law(law("spring", "spring", "slide", "travel", {{"stiffness", k}, {"damping", c}}));
  return b;
}

/// x(t) of x'' = -k x - c x', x0 = v0 = 1; under-, over- and critically damped.
double exact(double k, double c, double t) {
  const double d = c / 2, w2 = k - d * d;
  if (w2 > 0) {
    const double w = std::sqrt(w2);
    return std::exp(-d * t) * (std::cos(w * t) + (1 + d) / w * std::sin(w * t));
  }
  if (w2 == 0) return std::exp(-d * t) * (1 + (1 + d) * t);
  const double w = std::sqrt(-w2), r1 = -d + w, r2 = -d - w;
  return ((1 - r2) * std::exp(r1 * t) - (1 - r1) * std::exp(r2 * t)) / (r1 - r2);
}

struct ErrorOf {
  double worst = 0, end = 0;  // over the run, after it [m]
};
ErrorOf error_of(double k, double c, double h, double T, const form::Settings& form = {}) {
  Simulation sim(built(oscillator(k, c)), settings(T, h, form));
  ErrorOf e;
  run(sim, [&] {
    e.end = std::abs(pose(sim, "mass").p.x() - exact(k, c, sim.state().t));
    e.worst = std::max(e.worst, e.end);
  });
  return e;
}
double worst_error(double k, double c, double h, double T) { return error_of(k, c, h, T).worst; }

TEST(Spring, OscillatorKeepsItsPhaseFor20Seconds) {
  const double amplitude = std::hypot(1, 0.1);  // x0, v0/w
  for (const auto& [h, most] : {std::pair(1e-3, 8.2e-4), std::pair(4e-3, 1.3e-2)}) {
    const ErrorOf e = error_of(100, 0, h, 20);
    record(fmt::format("end_{:g}", h).c_str(), e.end / amplitude);
    record(fmt::format("worst_{:g}", h).c_str(), e.worst / amplitude);
    EXPECT_LE(e.end, most * amplitude);               // truncation
    const double phase = 100 * h * h * 10 * 20 / 24;  // (w h)^2 w t / 24 of a symmetric scheme
    EXPECT_LE(e.worst, 1.01 * phase * amplitude);
  }
}

TEST(Spring, ComposedOscillatorIsOfOrderFour) {
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) e[i] = error_of(100, 0, 16e-3 / (1 << i), 20, order4()).worst;
  for (const double order : orders(e)) EXPECT_NEAR(order, 4, 0.3);
  record("error_4ms", e[2]);
  EXPECT_LE(e[2], 1e-5);
}

TEST(Spring, DampedOscillatorIsOfOrderTwo) {
  const double amplitude = std::hypot(1, 0.1);
  const double fine = worst_error(100, 2, 1e-3, 20) / amplitude,
               coarse = worst_error(100, 2, 4e-3, 20) / amplitude;
  record("error_1ms", fine);
  record("error_4ms", coarse);
  EXPECT_LE(fine, 3.1e-5);  // truncation
  EXPECT_LE(coarse, 4.9e-4);
  EXPECT_NEAR(std::log2(coarse / fine) / 2, 2, 0.1);
}

TEST(Spring, CriticalAndOverdampedDecayAreOfOrderTwo) {
  for (const double c : {20., 40., 200.}) {
    SCOPED_TRACE(fmt::format("damping {} of {} critical", c, 20));
    const std::array<double, 3> e{worst_error(100, c, 4e-3, 2), worst_error(100, c, 2e-3, 2),
                                  worst_error(100, c, 1e-3, 2)};
    SCOPED_TRACE(fmt::format("errors {:.3g} {:.3g} {:.3g}", e[0], e[1], e[2]));
    for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.1);
    EXPECT_LE(e[2], 1e-3);
  }
}

/// Dampers that stop their row within a step: 1 m/s is gone after 1/c; the step sees at most twice
/// that (model), whatever its size, and throws nothing back.
TEST(StiffDamper, StopsWithoutThrowing) {
  for (const double k : {0., 1e-3, 1e6})  // alone, and with soft and compliant springs
    for (const double c : {4e3, 1e5, 1e7}) {
      if (k > 1 && c < 1e5) continue;
      SCOPED_TRACE(fmt::format("k = {}, c = {}", k, c));
      Simulation sim(built(oscillator(k, c)), settings(0.2, 1e-3));
      double worst = 0;
      run(sim, [&] {
        const double t = sim.state().t, x = k > 0 ? exact(k, c, t) : 1 + (1 - std::exp(-c * t)) / c;
        worst = std::max(worst, std::abs(pose(sim, "mass").p.x() - x));
      });
      record(fmt::format("worst_{:g}_{:g}", k, c).c_str(), worst * c);
      EXPECT_LE(worst, (k > 1 ? 12 : 1.1) / c);
      // truncation of the first step, in which all happens: a part of the energy moved
      EXPECT_LE(sim.summary().energy_residual, 1e-9 + (k > 1 ? 0.006 : 0.6e-3) * k);
    }
}

TEST(Spring, EnergyBalanceCloseToTruncation) {
  std::array<double, 3> e{};
  for (std::size_t i = 0; i < 3; ++i) {
    Simulation sim(built(oscillator(100, 2)), settings(2, 4e-3 / (1 << i)));
    run(sim);
    e[i] = sim.summary().energy_residual;
  }
  record("imbalance_of_50.5_J", e[2]);
  EXPECT_LE(e[2], 1e-4 * 50.5);  // truncation
  for (const double order : orders(e)) EXPECT_NEAR(order, 2, 0.15);
}

TEST(Spring, RestAndPreloadSetTheEquilibrium) {  // x = rest + (preload - m g) / k
  model::Builder hung;
  hung.add_body(solid("mass", 2, {1, 1, 1}));
  hung.add_joint(joint("slide", "prismatic", "ground", "mass", frame(Vec3::Zero(), Vec3::UnitZ())));
  hung.add_law(law("spring", "spring", "slide", "travel",
                   {{"stiffness", 1000}, {"damping", 90}, {"rest", 0.1}, {"preload", 5}}));
  Simulation sim(built(hung), settings(3, 1e-3));
  run(sim);
  EXPECT_NEAR(coordinate(sim, "slide", "travel"), 0.1 + (5 - 2 * 9.81) / 1000, 1e-10);  // e^-67
}

/// Four links whirling in space; in place of the second ball joint a spring of rest length 0.5 m
/// from the middle of the first link to the end of the second. S of its row is 2 / 2.5 kg = 0.8 /
/// kg.
model::Built sprung_chain(double k) {
  model::Builder b;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "link" + std::to_string(i);
    auto link = box(name, {1, 0.05, 0.05}, 2.5, {Vec3(i + 0.5, 0, 0)});
    link.v = {0, i + 0.5, 0};
    b.add_body(link);
    const std::string before = i ? "link" + std::to_string(i - 1) : "ground";
    auto j = joint("joint" + std::to_string(i), i == 1 ? "free" : "spherical", before, name, {});
    j.at.reset();
    j.frame_a = Pose{Vec3(i > 1 ? 0.5 : 0, 0, 0)};
    j.frame_b = Pose{Vec3(-0.5, 0, 0)};
    b.add_joint(j);
  }
  b.add_law(law("spring", "spring", "joint1", "sqrt(D.D)", {{"stiffness", k}, {"rest", 0.5}}));
  return built(b);
}

/// Greatest change of energy in 20 s at 1 ms, of 196 J: hanging less horizontal.
double energy_ripple(double h2kS) {
  Simulation sim(sprung_chain(h2kS / (1e-6 * 0.8)), settings(20, 1e-3));
  const double start = sim.energy();
  double worst = 0;
  run(sim, [&] { worst = std::max(worst, std::abs(sim.energy() - start)); });
  record(fmt::format("ripple_h2kS_{:g}", h2kS).c_str(), worst / 196);
  EXPECT_TRUE(sim.finished());
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);
  return worst / 196;
}

// Explicit below h^2 k S = 0.25, a compliant row up to 1000, a rigid one above: bounded energy in
// all. The motion is chaotic: bounds are a few times what was measured of this scheme elsewhere.
TEST(StiffSpring, ExplicitRegimeIsBounded) { EXPECT_LE(energy_ripple(0.1), 5e-3); }
TEST(StiffSpring, CompliantRegimeIsBounded) { EXPECT_LE(energy_ripple(10), 2e-3); }
TEST(StiffSpring, RigidRegimeIsBounded) { EXPECT_LE(energy_ripple(1e4), 2e-3); }
TEST(StiffSpring, FarStifferIsAsGoodAsARod) { EXPECT_LE(energy_ripple(1e8), 2e-3); }

TEST(StiffSpring, EveryRegimeConvergesToTheLooseMotionOfARod) {
  // a pendulum on a spring so stiff that only its rest length shows: against the rigid one
  for (const double k : {1e6, 1e9, 1e13}) {
    model::Builder b;
    b.add_body(solid("mass", 1, {1, 1, 1}, {Vec3::UnitX()}));
    auto rod = joint("rod", "free", "ground", "mass", {});
    rod.at.reset();
    rod.frame_a = rod.frame_b = Pose{};
    b.add_joint(rod);
    b.add_law(law("spring", "spring", "rod", "sqrt(D.D)", {{"stiffness", k}, {"rest", 1}}));
    Simulation sim(built(b), settings(1, 1e-3));
    run(sim);
    SCOPED_TRACE(fmt::format("stiffness {} N/m", k));
    // mirror image of the reference for the point pendulum
    const Vec3 exact_rod(-0.986291751131875, 0, -0.165010853125541);
    EXPECT_LE((pose(sim, "mass").p - exact_rod).norm(), 1e-5 + 100 / k);  // truncation + stretch
  }
}

}  // namespace
}  // namespace trammel::acceptance::springs_test

// Reference cases of the IFToMM library in the acceleration formulation, and its errors where
// truncation is far below them.
#include <fmt/format.h>

#include "mechanisms.h"

namespace trammel::acceptance::acceleration_reference_test {
namespace {

form::Settings forces(double accuracy) {
  form::Settings s;
  s.formulation = form::Settings::Formulation::acceleration;
  s.method = RungeKuttaMethod::dp8;
  s.accuracy = {accuracy, accuracy, accuracy, accuracy, accuracy};
  return s;
}

// ---- A01

TEST(AccelerationReference, PendulumFollowsTheEllipticSolution) {
  Simulation sim(built(point_pendulum({-1, 0, 0}, Vec3::Zero())), settings(10, 0.1, forces(1e-11)));
  run(sim, [&] {
    if (std::abs(sim.state().t - 1) > 1e-9) return;
    EXPECT_LE((pose(sim, "mass").p - Vec3(0.986291751131875, 0, -0.165010853125541)).norm(), 1e-11);
  });
  // truncation
  EXPECT_LE((pose(sim, "mass").p - Vec3(-0.275087462576117, 0, -0.961419205099125)).norm(), 1e-10);
}

/// 845 periods: an error of the period of 5e-10 of it would be seen.
TEST(SlowAccelerationReference, PendulumKeepsItsPhaseForTwoThousandSeconds) {
  Simulation sim(built(point_pendulum({1, 0, 0}, Vec3::Zero())),
                 settings(2000, 0.5, forces(1e-12)));
  run(sim);
  EXPECT_LE((pose(sim, "mass").p - Vec3(-0.814603068589032, 0, -0.580018827836935)).norm(),
            1e-7);  // truncation
  EXPECT_LE(sim.summary().energy_residual, 1e-9);
  EXPECT_LE(sim.summary().max_gap, 1e-14);  // rounding: of 1 m
}

// ---- A02, spatial: most rows are redundant, every passage is singular

struct Passed {
  double error = 0, spread = 0;
};

/// B0's error at 10 s and 20 s against the reduced equation's reference.
std::array<Passed, 2> four_bar(int windows, double duration, const std::array<Vec3, 2>& exact) {
  Simulation sim(fourbar(windows), settings(duration, 0.05, forces(1e-9)));
  std::array<Passed, 2> out;
  double worst = 0;
  run(sim, [&] {
    worst = std::max(worst, spread(sim, windows));
    for (std::size_t i = 0; i < 2; ++i)
      if (std::abs(sim.state().t - 10 * static_cast<double>(i + 1)) < 1e-9)
        out[i] = {(top(sim) - exact[i]).norm(), worst};
  });
  EXPECT_LE(sim.summary().max_gap, 1e-13);  // rounding: of 40 m
  EXPECT_LE(sim.summary().max_angle, 1e-13);
  EXPECT_LE(sim.summary().max_row_speed, 1e-12);
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-8);
  return out;
}

/// What errors there are come from rounding, multiplied in singular configurations.
TEST(AccelerationReference, TwoWindowsPassTheirSingularConfigurations) {
  const auto [at10, at20] =
      four_bar(2, 10, {Vec3(0.3284581115408, 0, 0.9445185381786), Vec3::Zero()});
  EXPECT_LE(at10.error, 1e-7);
  EXPECT_LE(at10.spread, 1e-9);  // the other branches are of size 1
  RecordProperty("error_m", fmt::format("{:.3g}", at10.error));
}

TEST(SlowAccelerationReference, FortyWindowsPassTheirSingularConfigurations) {
  const auto [at10, at20] = four_bar(
      40, 20,
      {Vec3(0.1805122266867, 0, 0.9835727405823), Vec3(0.4109011537629, 0, 0.9116799009720)});
  EXPECT_LE(at10.error, 1e-6);
  EXPECT_LE(at20.error, 1e-6);
  EXPECT_LE(at20.spread, 1e-9);
  RecordProperty("error_10s_m", fmt::format("{:.3g}", at10.error));
  RecordProperty("error_20s_m", fmt::format("{:.3g}", at20.error));
}

// ---- what does not come from truncation

/// What the factor leaves of the rows' accelerations (1e-12 of them) moves bodies off the rows;
/// bringing them back works against the forces of the rows, in proportion to the step.
TEST(AccelerationReference, ErrorsDoNotGrowWithTheGridWhereTruncationIsBelow) {
  std::array<double, 2> x{};
  for (std::size_t i = 0; i < 2; ++i) {
    model::Builder b;
    b.add_body(solid("bob", 2, {0.002, 0.002, 0.002}, {Vec3(1, 0, 0)}));
    b.add_joint(joint("pivot", "revolute", "ground", "bob", frame(Vec3::Zero(), Vec3::UnitY())));
    Simulation sim(built(b), settings(10, i ? 0.005 : 0.02, forces(1e-11)));
    run(sim);
    EXPECT_LE(sim.summary().energy_residual, 1e-11);  // rounding: of 20 J
    x[i] = pose(sim, "bob").p.x();
  }
  EXPECT_NEAR(x[0], x[1], 2e-12);
}

}  // namespace
}  // namespace trammel::acceptance::acceleration_reference_test

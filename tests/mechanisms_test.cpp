// Mechanisms with known answers in the velocity formulation: place, energy, momentum, drift.
#include "mechanisms.h"

#include <fmt/core.h>

namespace trammel::acceptance::mechanisms_test {
namespace {

/// Puts a measured figure next to the required one into the report of the tests.
void record(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

// ---- chain of ten links; the place is from an independent 80-bit integration

constexpr double kDrop = 10 * 2.5 * 9.81 * 5;  // horizontal less hanging [J]

TEST(Chain, TwoSecondsMeetTheReference) {
  Simulation sim(built(chain(10)), settings(2, 1e-3));
  double energy = 0;
  const double start = sim.energy();
  run(sim, [&] { energy = std::max(energy, std::abs(sim.energy() - start)); });
  const double error = (pose(sim, "link9").p - Vec3(-7.13711850455, 0, -5.76611045024)).norm();
  record("error_m", error);
  record("energy_of_drop", energy / kDrop);
  EXPECT_LE(error, 5e-5);           // truncation
  EXPECT_LE(energy, 2e-5 * kDrop);  // truncation
  EXPECT_EQ(sim.summary().fallbacks, 0);
}

TEST(Chain, RowsHoldAndMomentumBalances) {
  Simulation sim(built(chain(10)), settings(2, 1e-3));
  run(sim);
  EXPECT_LE(sim.summary().max_gap, 1e-12);                // tolerance of the position rows
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);          // rounding
  EXPECT_LE(sim.summary().momentum_residual_rel, 1e-12);  // rounding
  EXPECT_LE(sim.summary().energy_residual, 2e-5 * kDrop);
}

TEST(SlowChain, SixtySecondsKeepEnergyWithoutTrend) {
  Simulation sim(built(chain(10)), settings(60, 1e-3));
  const double start = sim.energy();
  std::array<double, 6> mean{};
  long k = 0;
  run(sim, [&] {
    mean[static_cast<std::size_t>(k++ / 10000)] += (sim.energy() - start) / kDrop / 10000;
  });
  for (std::size_t i = 0; i < 6; ++i) {
    record(fmt::format("mean{}", i).c_str(), mean[i]);
    EXPECT_LE(std::abs(mean[i]), 5e-5) << "window " << i;  // truncation, of the drop
  }
  EXPECT_LE(std::abs(mean[3] + mean[4] + mean[5] - mean[0] - mean[1] - mean[2]) / 3, 5e-5);
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);
  EXPECT_LE(sim.summary().momentum_residual_rel, 1e-11);  // rounding
  record("gap", sim.summary().max_gap);
  record("row_speed", sim.summary().max_row_speed);
}

TEST(Chain, HangsAsWellTenKilometresAway) {
  model::Builder b;
  const Vec3 far(1e4, 1e4, 0);
  for (int i = 0; i < 10; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.add_body(box(name, {1, 0.05, 0.05}, 2.5, {far + Vec3(i + 0.5, 0, 0)}));
    b.add_joint(joint("ball" + std::to_string(i), "spherical",
                      i ? "link" + std::to_string(i - 1) : "ground", name, {far + Vec3(i, 0, 0)}));
  }
  Simulation sim(built(b), settings(2, 1e-3));
  run(sim);
  EXPECT_EQ(sim.summary().fallbacks, 0);
  const double error =
      (pose(sim, "link9").p - far - Vec3(-7.13711850455, 0, -5.76611045024)).norm();
  EXPECT_LE(error, 5e-5);
}

// Light links under the pull of a great weight swing sideways at sqrt(T / m l) = 3000 rad/s and
// more: steps of 0.1 ms see that.
TEST(SlowChain, AWeightOfAMillionTimesTheLinksKeepsGapsClosed) {
  model::Builder b = chain(10);
  b.add_body(box("weight", {1, 1, 1}, 2.5e6, {Vec3(10.5, 0, 0)}));
  b.add_joint(joint("hook", "spherical", "link9", "weight", {Vec3(10, 0, 0)}));
  Simulation sim(built(b), settings(2, 1e-4));
  run(sim);
  record("gap", sim.summary().max_gap);
  record("row_speed", sim.summary().max_row_speed);
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-3);  // truncation
}

TEST(Chain, LinksOfAMillionfoldMassRatioKeepGapsClosed) {  // light and heavy in turn
  model::Builder b;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "link" + std::to_string(i);
    b.add_body(box(name, {1, 0.05, 0.05}, i % 2 ? 2.5e3 : 2.5e-3, {Vec3(i + 0.5, 0, 0)}));
    b.add_joint(joint("ball" + std::to_string(i), "spherical",
                      i ? "link" + std::to_string(i - 1) : "ground", name, {Vec3(i, 0, 0)}));
  }
  Simulation sim(built(b), settings(1, 1e-3));
  run(sim);
  record("gap", sim.summary().max_gap);
  record("row_speed", sim.summary().max_row_speed);
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);
}

// ---- free bodies

/// Angular momentum about the world's origin.
Vec3 angular_momentum(const sim::Simulation& sim) {
  Vec3 p = Vec3::Zero(), l = p;
  sim.formulation().kinematics().momentum(sim.state().q.data(), sim.state().P.data(), p, l);
  return l;
}

TEST(FreeBodies, TumblingBodyKeepsAngularMomentum) {
  model::Builder b;
  b.gravity.setZero();
  auto body = solid("body", 1, {1, 2, 3});
  body.w = {0.01, 10, 0.01};  // near the unstable axis
  b.add_body(body);
  Simulation sim(built(b), settings(60, 1e-3));
  const Vec3 l0 = angular_momentum(sim);
  const double e0 = sim.energy();
  double worst = 0, energy = 0, turned = 0;
  run(sim, [&] {
    worst = std::max(worst, (angular_momentum(sim) - l0).norm() / l0.norm());
    energy = std::max(energy, std::abs(sim.energy() / e0 - 1));
    turned = std::min(turned, pose(sim, "body").R(1, 1));
  });
  record("momentum", worst);
  record("energy", energy);
  EXPECT_LE(worst, 1e-13);  // rounding
  EXPECT_LE(energy, 1e-4);  // truncation: (w h)^2
  EXPECT_LT(turned, -0.9);  // it has flipped over: the run was no steady spin
}

TEST(FreeBodies, TwoHingedBodiesKeepMomentumAndEnergy) {
  model::Builder b;
  b.gravity.setZero();
  auto first = solid("first", 2, {0.1, 0.3, 0.35});
  auto second = solid("second", 1, {0.2, 0.1, 0.25}, {Vec3(1, 0.2, 0)});
  first.v = {1, 2, 3};
  first.w = {3, -2, 1};
  second.w = {-4, 1, 2};
  b.add_body(first);
  b.add_body(second);
  b.add_joint(joint("hinge", "revolute", "first", "second", {Vec3(0.5, 0.1, 0)}));
  const model::Built mechanism = built(b);
  EXPECT_LT(mechanism.start.energy_change, 10);  // the start was projected onto the hinge
  EXPECT_GT(mechanism.start.energy_change, 1);
  Simulation sim(mechanism, settings(60, 1e-3));
  const Vec3 l0 = angular_momentum(sim);
  const double e0 = sim.energy();
  double worst = 0, first_half = 0, second_half = 0;
  run(sim, [&] {
    worst = std::max(worst, (angular_momentum(sim) - l0).norm());
    double& e = sim.state().t < 30 ? first_half : second_half;
    e = std::max(e, std::abs(sim.energy() / e0 - 1));
  });
  // rounding: momenta about the origin grow with the distance flown, |p| |v| t
  const double scale = 3 * 3.74 * 3.74 * 60;
  record("momentum", worst / scale);
  record("energy", first_half);
  EXPECT_LE(worst, 1e-13 * scale);
  EXPECT_LE(first_half, 1e-4);                // truncation
  EXPECT_LE(second_half, 1.05 * first_half);  // no trend
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);
}

// ---- pendulums

TEST(Pendulum, PointMassFollowsTheEllipticSolution) {  // IFToMM A01
  Simulation sim(built(point_pendulum({-1, 0, 0}, Vec3::Zero())), settings(10, 1e-3));
  const Vec3 at1(0.986291751131875, 0, -0.165010853125541),
      at10(-0.275087462576117, 0, -0.961419205099125);
  run(sim, [&] {
    if (std::abs(sim.state().t - 1) < 1e-9) {
      record("error_1s", (pose(sim, "mass").p - at1).norm());
      EXPECT_LE((pose(sim, "mass").p - at1).norm(), 1e-4);  // truncation
    }
    EXPECT_LE(std::abs(pose(sim, "mass").p.norm() - 1), 1e-10);
  });
  record("error_10s", (pose(sim, "mass").p - at10).norm());
  EXPECT_LE((pose(sim, "mass").p - at10).norm(), 1e-4);
}

TEST(Pendulum, RigidLinkKeepsPeriodAndLength) {  // T = (4/pi) K(1/2) with g = pi^2, l = 1
  model::Builder b = point_pendulum({1, 0, 1}, Vec3::UnitZ());
  b.gravity = {0, 0, -M_PI * M_PI};
  Simulation sim(built(b), settings(24.5, 1e-3));
  std::vector<double> passages;  // of the lowest point, where the acceleration along x is zero
  double last = 1, length = 0;
  run(sim, [&] {
    const Vec3 p = pose(sim, "mass").p;
    if ((p.x() < 0) != (last < 0))
      passages.push_back(sim.state().t - 1e-3 * p.x() / (p.x() - last));
    last = p.x();
    length = std::max(length, std::abs((p - Vec3::UnitZ()).norm() - 1));
  });
  ASSERT_GE(passages.size(), 21u);
  const double period = (passages[20] - passages[0]) / 10;
  record("period_error", period / 2.360681198 - 1);
  record("length", length);
  EXPECT_NEAR(period, 2.360681198, 1e-5 * 2.360681198);  // truncation
  EXPECT_LE(length, 1e-10);                              // tolerance of the row
}

TEST(Pendulum, BoxOnTwoPinsSwings) {  // two ball joints: six rows, one of them redundant
  model::Builder b;
  b.gravity = {0, 0, -9.8};
  const Mat3 tilt = Eigen::AngleAxisd(M_PI / 6, Vec3::UnitY()).toRotationMatrix();
  const Vec3 pivot(0, 0, 0.75);
  b.add_body(box("bar", {0.1, 0.1, 1}, 0.01, {pivot + tilt * Vec3(0, 0, -0.25), tilt}));
  b.add_joint(joint("left", "spherical", "ground", "bar", {pivot + Vec3(0, 0.05, 0)}));
  b.add_joint(joint("right", "spherical", "ground", "bar", {pivot - Vec3(0, 0.05, 0)}));
  Simulation sim(built(b), settings(20, 1e-3));
  double speed = 0, drift = 0;
  run(sim, [&] {
    speed = std::max(speed, velocity(sim, "bar").second.norm());
    const Pose X = pose(sim, "bar");
    for (const double y : {0.05, -0.05})
      drift = std::max(drift, (X.p + X.R * Vec3(0, y, 0.25) - pivot - Vec3(0, y, 0)).norm());
  });
  record("speed_error", speed - 2.115649);
  record("drift", drift);
  EXPECT_NEAR(speed, 2.115649,
              1e-4);  // truncation; from the box's inertia and the fall of its centre
  EXPECT_LE(drift, 1e-10);
  EXPECT_EQ(sim.summary().fallbacks, 0);
}

// ---- four-bars with spatial revolutes: most rows are redundant, every passage is singular

TEST(FourBar, TwoWindowsStayOnTheirBranch) {  // IFToMM A02, N = 2
  Simulation sim(fourbar(2), settings(10, 1e-3));
  double parallel = 0;
  run(sim, [&] { parallel = std::max(parallel, spread(sim, 2)); });
  const double error = (top(sim) - Vec3(0.3284581115408, 0, 0.9445185381786)).norm();
  record("error_m", error);
  record("gap", sim.summary().max_gap);
  record("spread", parallel);
  record("fallbacks", static_cast<double>(sim.summary().fallbacks));
  record("momentum", sim.summary().momentum_residual_rel);
  record("energy", sim.summary().energy_residual_rel());
  EXPECT_LE(error, 1e-3);     // truncation
  EXPECT_LE(parallel, 1e-3);  // the other branches are of size 1
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().max_angle, 1e-10);
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);
  EXPECT_LE(sim.summary().fallbacks, 100);
  EXPECT_LE(sim.summary().momentum_residual_rel, 1e-13);  // in singular configurations, too
}

/// B0's error after `duration`, and what the run must keep whatever the step.
double error_of_run(int windows, double duration, double step, const Vec3& expected) {
  Simulation sim(fourbar(windows), settings(duration, step));
  double parallel = 0;
  run(sim, [&] { parallel = std::max(parallel, spread(sim, windows)); });
  const std::string at = fmt::format("_{}_{:g}_ms", windows, step * 1e3);
  record(("spread" + at).c_str(), parallel);
  record(("fallbacks" + at).c_str(), static_cast<double>(sim.summary().fallbacks));
  EXPECT_LE(parallel, 1e-2);  // the other branches are of size 1
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().max_angle, 1e-10);
  EXPECT_LE(sim.summary().max_row_speed, 1e-9);  // rounding, where S is nearly singular
  EXPECT_LE(static_cast<double>(sim.summary().fallbacks), 0.02 * duration / step);
  const double error = (top(sim) - expected).norm();
  record(("error" + at).c_str(), error);
  return error;
}

/// Fallback steps come where the bars line up, by as many as lie within some angle of it; they are
/// of second order, too, but not smooth in h: the ratio of errors scatters about four.
TEST(FourBar, TwoWindowsConvergeAtOrderTwo) {
  const Vec3 expected(0.3284581115408, 0, 0.9445185381786);
  const double coarse = error_of_run(2, 10, 4e-3, expected),
               fine = error_of_run(2, 10, 1e-3, expected);
  EXPECT_LE(fine, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine) / 2, 2, 0.25);
}

/// One step by the fallback, bars nearly in line, on a base that is lifted ever faster, as if
/// gravity were greater: its error is of third order only if the base stands where it is at the
/// middle.
TEST(FourBar, AFallbackStepFollowsItsBase) {
  constexpr double lift = 6, angle = 2e-4;
  body::Prescribed base;
  base.displacement[2] = {Drive::Level::acceleration, lift};
  std::array<double, 3> error{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double h = 8e-3 / (1 << k);
    Simulation sim(built(builder_of({.n = 2, .angle = angle, .base = base})), settings(h, h));
    run(sim);
    EXPECT_EQ(sim.summary().fallbacks, 1) << h;
    const double a =
        reduced([](double x, double) { return -3.5 / 3 * (9.81 + lift) * std::cos(x); }, angle, -1,
                h)
            .first;
    const Vec3 expected(std::cos(a), 0, std::sin(a) + lift * h * h / 2);
    error[k] = (top(sim) - expected).norm();
  }
  for (const double order : orders(error)) EXPECT_NEAR(order, 3, 0.3) << error[0];
}

TEST(SlowFourBar, FortyWindowsConvergeAtOrderTwoOverTwentySeconds) {
  const Vec3 expected(0.4109011537629, 0, 0.9116799009720);
  const auto error = [&](double step) { return error_of_run(40, 20, step, expected); };
  const double coarse = error(2e-3), fine = error(5e-4);
  EXPECT_LE(error(1e-3), 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine) / 2, 2, 0.25);
}

TEST(SlowFourBar, FortyWindowsHoldAllTheirRows) {  // IFToMM A02, N = 40
  const model::Built mechanism = fourbar(40);
  ASSERT_EQ(mechanism.model->rows.size(), 605u);
  Simulation sim(mechanism, settings(2, 1e-3));
  double parallel = 0;
  run(sim, [&] { parallel = std::max(parallel, spread(sim, 40)); });
  // (N + (N+1)/3) a'' = -(N + (N+1)/2) g cos a
  const double a =
      reduced([](double x, double) { return -60.5 / (40 + 41. / 3) * 9.81 * std::cos(x); },
              M_PI / 2, -1, 2)
          .first;
  const double error = (top(sim) - Vec3(std::cos(a), 0, std::sin(a))).norm();
  record("error_m", error);
  record("gap", sim.summary().max_gap);
  record("spread", parallel);
  record("fallbacks", static_cast<double>(sim.summary().fallbacks));
  record("momentum", sim.summary().momentum_residual_rel);
  record("energy", sim.summary().energy_residual_rel());
  EXPECT_LE(error, 1e-3);  // truncation
  EXPECT_LE(parallel, 1e-3);
  EXPECT_LE(sim.summary().max_gap, 1e-10);
  EXPECT_LE(sim.summary().max_angle, 1e-10);
  EXPECT_LE(sim.summary().max_row_speed, 1e-10);  // rounding, where S is nearly singular
}

}  // namespace
}  // namespace trammel::acceptance::mechanisms_test

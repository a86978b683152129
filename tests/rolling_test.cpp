// Nonholonomic rows: rolling balls and discs, knife edges.
#include <fmt/core.h>

#include "math/rotation.h"
#include "support.h"

namespace trammel::acceptance::rolling_test {
namespace {

constexpr double kG = 9.81;

void record(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.3g}", value));
}

/// Gravity of a plane that is tilted by `angle` about y: down along x.
Vec3 tilted(double angle) { return kG * Vec3(std::sin(angle), 0, -std::cos(angle)); }

/// A uniform ball of 2 kg and 0.3 m on the plane z = 0 of `ground`.
void add_ball(model::Builder& b, const std::string& ground, const Vec3& p,
              const Vec3& v = {0, 0, 0}, const Vec3& w = {0, 0, 0}) {
  model::BodySpec ball = solid("ball", 2, Vec3::Constant(0.4 * 2 * 0.09), {p});
  ball.v = v;
  ball.w = w;
  b.add_body(ball);
  auto j = joint("roll", "rolling-ball", ground, "ball", {});
  j.at.reset();
  j.frame_a = frame(Vec3::Zero(), Vec3::UnitZ());
  j.frame_b = frame(Vec3::Zero(), Vec3::UnitZ());
  b.add_joint(j);
}

void expect_rolls(const sim::Simulation& sim) {
  EXPECT_LE(sim.summary().max_gap, 1e-12);
  EXPECT_LE(sim.summary().max_row_speed, 1e-11);
  EXPECT_LE(sim.summary().momentum_residual_rel, 1e-11);
  EXPECT_EQ(sim.summary().fallbacks, 0);
}

TEST(Rolling, BallDownAnInclineHasFiveSeventhsOfTheAcceleration) {
  model::Builder b;
  b.gravity = tilted(M_PI / 6);
  add_ball(b, "ground", {0, 0, 0.3});
  Simulation sim(built(b), settings(4, 1e-2));
  run(sim);
  const double a = 5. / 7 * kG / 2;                            // 3.5035714 m/s^2
  EXPECT_NEAR(velocity(sim, "ball").first.x(), 4 * a, 1e-11);  // rounding
  EXPECT_NEAR(velocity(sim, "ball").second.y(), 4 * a / 0.3, 1e-10);
  EXPECT_NEAR(pose(sim, "ball").p.x(), 8 * a, 1e-10);
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-12);
  expect_rolls(sim);
}

TEST(Rolling, SpinningStartIsFittedToTheRows) {  // least change: 5/7 of a sliding ball's speed
  model::Builder b;
  b.gravity = Vec3::Zero();
  add_ball(b, "ground", {0, 0, 0.3}, {4, 0, 0});
  const model::Built made = built(b);
  EXPECT_NEAR(made.start.speed_change, 4 * 2. / 7, 1e-12);
  Simulation sim(made, settings(1, 1e-2));
  run(sim);
  EXPECT_NEAR(velocity(sim, "ball").first.x(), 4 * 5. / 7, 1e-12);
}

/// On a turntable that turns at W the centre goes round a circle at 2/7 W, wherever it starts.
TEST(Rolling, BallOnATurntableCircles) {
  constexpr double W = 3, v = 0.5;
  std::array<double, 3> error;
  double h = 0.02;
  for (double& e : error) {
    model::Builder b;
    model::BodySpec table = box("table", {1, 1, 1}, 0);
    table.solid.reset();
    table.motion = body::Prescribed{};
    table.motion->turns.push_back({Vec3::UnitZ(), {Drive::Level::velocity, Signal(W)}});
    b.add_body(table);
    // the contact moves with the table: v - w x 0.3 z = W z x p
    const Vec3 p(0.4, 0, 0.3), at_contact = W * Vec3::UnitZ().cross(p), start(0, v, 0);
    add_ball(b, "table", p, start, Vec3::UnitZ().cross(start - at_contact) / 0.3);
    Simulation sim(built(b), settings(7 * M_PI / W, h));
    run(sim);
    // a = 2/7 W z x (v - v_0 of the plane ...): circle through p with velocity v, angular 2/7 W
    const double w = 2. / 7 * W, T = sim.state().t;
    const Vec3 centre = p + Vec3::UnitZ().cross(start) / w;
    const Vec3 expected = centre + exp_matrix(w * T * Vec3::UnitZ()) * (p - centre);
    e = (pose(sim, "ball").p - expected).norm();
    expect_rolls(sim);
    h /= 2;
  }
  record("error", error[2]);
  EXPECT_LT(error[2], 1e-3);
  for (const double order : orders(error)) EXPECT_NEAR(order, 2, 0.1);
}

/// A uniform disc of 1 kg about y of its frame, on z = 0.
model::Builder disc(double r, const Pose& X, const Vec3& v, const Vec3& w) {
  model::Builder b;
  model::BodySpec body = solid("disc", 1, {r * r / 4, r * r / 2, r * r / 4}, X);
  body.v = v;
  body.w = w;
  b.add_body(body);
  auto j = joint("roll", "rolling-disc", "ground", "disc", {});
  j.at.reset();
  Mat3 up;  // x up, y along the disc's axis
  up << 0, 0, 1, 0, 1, 0, -1, 0, 0;
  j.frame_a = Pose{Vec3::Zero(), up.transpose()};
  j.frame_b = Pose{};
  b.add_joint(j);
  return b;
}

TEST(Rolling, DiscDownAnInclineHasTwoThirdsOfTheAcceleration) {
  model::Builder b = disc(0.3, {{0, 0, 0.3}}, {0, 0, 0}, {0, 0, 0});
  b.gravity = tilted(M_PI / 6);
  Simulation sim(built(b), settings(4, 1e-2));
  run(sim);
  EXPECT_NEAR(velocity(sim, "disc").first.x(), 4 * kG / 3, 1e-11);  // 3.27 m/s^2; rounding
  EXPECT_NEAR(velocity(sim, "disc").second.y(), 4 * kG / 3 / 0.3, 1e-10);
  expect_rolls(sim);
}

/// A coin that wobbles about its centre at rest, its plane at `tilt` from the ground: the contact
/// runs round at W^2 = 4 g / (r sin tilt), the coin turns about its diameter at W sin tilt.
TEST(Rolling, WobblingCoinPrecessesSteadily) {
  constexpr double r = 0.2, tilt = 0.7;
  const double W = std::sqrt(4 * kG / (r * std::sin(tilt)));
  std::array<double, 3> error;
  double h = 4e-3;
  for (double& e : error) {
    const Vec3 diameter(std::cos(tilt), 0, std::sin(tilt));  // from the contact up
    const Mat3 R = exp_matrix(-tilt * Vec3::UnitY()) * exp_matrix(M_PI / 2 * Vec3::UnitX());
    model::Builder b =
        disc(r, {{0, 0, r * std::sin(tilt)}, R}, {0, 0, 0}, W * std::sin(tilt) * diameter);
    Simulation sim(built(b), settings(1, h));
    run(sim);
    const Vec3 axis = exp_matrix(W * sim.state().t * Vec3::UnitZ()) * R.col(1);
    e = (pose(sim, "disc").R.col(1) - axis).norm() + pose(sim, "disc").p.head<2>().norm() / r;
    expect_rolls(sim);
    EXPECT_LE(sim.summary().energy_residual_rel(), 1e-3);
    h /= 2;
  }
  record("error", error[2]);
  EXPECT_LT(error[2], 1e-2);
  for (const double order : orders(error)) EXPECT_NEAR(order, 2, 0.1);
}

/// A skate on a slope that spins at w: along the slope it goes forth and back, across it on,
/// x = g sin(a) / (2 w^2) sin^2(w t), y = g sin(a) / (2 w^2) (w t - sin(2 w t) / 2).
TEST(Rolling, SkateOnASlopeDrawsACycloid) {
  constexpr double w = 2, slope = 0.3;
  std::array<double, 3> error;
  double h = 0.02;
  for (double& e : error) {
    model::Builder b;
    b.gravity = tilted(slope);
    model::BodySpec skate = solid("skate", 3, {0.1, 0.2, 0.3}, {});
    skate.w = w * Vec3::UnitZ();
    b.add_body(skate);
    b.add_joint(joint("upright", "planar", "ground", "skate", frame({0, 0, 0}, Vec3::UnitZ())));
    model::JointSpec edge = joint("edge", "", "ground", "skate", {});
    edge.table = std::make_shared<const trammel::joint::Table>(
        trammel::joint::make_table("edge", std::vector<std::string>{"slip(By)"}, {}, {}).table);
    b.add_joint(edge);
    Simulation sim(built(b), settings(3, h));
    run(sim);
    const double t = sim.state().t, a = kG * std::sin(slope) / (2 * w * w);
    const Vec3 expected(a * std::pow(std::sin(w * t), 2), a * (w * t - std::sin(2 * w * t) / 2), 0);
    e = (pose(sim, "skate").p - expected).norm();
    expect_rolls(sim);
    h /= 2;
  }
  record("error", error[2]);
  EXPECT_LT(error[2], 1e-3);
  for (const double order : orders(error)) EXPECT_NEAR(order, 2, 0.1);
}

/// Bounds on the nonholonomic rows: the ball slides before it rolls (mu 0.2 as a bound on each).
TEST(Rolling, BoundedRowsSlideFirst) {
  model::Builder b;
  model::BodySpec ball = solid("ball", 2, Vec3::Constant(0.4 * 2 * 0.09), {Vec3(0, 0, 0.3)});
  ball.v = {4, 0, 0};
  b.add_body(ball);
  auto j = joint("roll", "rolling-ball", "ground", "ball", {});
  j.at.reset();
  Mat3 R;  // the joint's x up, its y along the world's x
  R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  j.frame_a = j.frame_b = Pose{Vec3::Zero(), R};
  const double most = 0.2 * 2 * kG;
  for (const char* row : {"slip_y", "slip_z"}) {
    model::RowSpec bounds;
    bounds.row = row;
    bounds.force_min = -most;
    bounds.force_max = most;
    j.rows.push_back(bounds);
  }
  b.add_joint(j);
  Simulation sim(built(b), settings(1, 1e-3));
  double rolls_at = 0;
  run(sim, [&] {
    const auto [v, w] = velocity(sim, "ball");
    if (v.x() - 0.3 * w.y() > 1e-9) rolls_at = sim.state().t;
  });
  EXPECT_NEAR(rolls_at, 0.582495995, 1e-3);  // 2 v / (7 mu g), within a step
  EXPECT_NEAR(velocity(sim, "ball").first.x(), 20. / 7, 1e-11);
  EXPECT_LE(sim.summary().energy_residual_rel(), 1e-11);
}

}  // namespace
}  // namespace trammel::acceptance::rolling_test

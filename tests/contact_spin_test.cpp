// Rolling and spinning friction on what is moved: they act against the spin relative to it.
#include "order_support.h"

namespace trammel::acceptance::contact_spin_test {
namespace {

constexpr double kGravity = 9.81;

/// A ball in the middle of a table that turns at 2 rad/s, spun at some rate, alone or on a pin.
Simulation on_turntable(double spin, bool pinned, double duration) {
  const std::string pin = R"(
[[joint]]
name = "pin"
type = "cylindrical"
b = "ball"
at = [0, 0, 0.1]
axis = [0, 0, 1]
)";
  return simulation(fmt::format(R"(
format = 1
[simulation]
duration = {}
step = "10 ms"
gravity = [0, 0, -9.81]
[[contact]]
friction = 0.5
spinning_friction = "20 mm"
[[body]]
name = "table"
kind = "prescribed"
turns = [{{axis = [0, 0, 1], angle = {{velocity = 2}}}}]
[[body.contact]]
box = [1, 1, 0.1]
position = [0, 0, -0.05]
[[body]]
name = "ball"
mass = 2
sphere = 0.1
position = [0, 0, 0.1]
angular_velocity = [0, 0, {}]
contact = "solids"
)",
                                duration, spin) +
                    (pinned ? pin : ""));
}

double spin_after(double duration, double spin, bool pinned) {
  Simulation sim = on_turntable(spin, pinned, duration);
  run(sim);
  EXPECT_LT(sim.summary().energy_residual_rel(), 1e-12) << spin << " " << pinned;
  return velocity(sim, "ball").second.z();
}

TEST(ContactSpin, IsThatAgainstATurntable) {
  constexpr double kSlows = 0.02 * kGravity / (0.4 * 0.1 * 0.1);  // of a ball [rad/s^2]
  for (const bool pinned : {false, true}) {
    EXPECT_NEAR(spin_after(0.5, 2, pinned), 2, 1e-12) << pinned;
    EXPECT_NEAR(spin_after(0.1, 10, pinned), 10 - 0.1 * kSlows, 1e-9) << pinned;
    EXPECT_NEAR(spin_after(0.1, -6, pinned), -6 + 0.1 * kSlows, 1e-9) << pinned;
    EXPECT_NEAR(spin_after(0.5, 10, pinned), 2, 1e-9) << pinned;
    EXPECT_NEAR(spin_after(0.5, 0, pinned), 2, 1e-9) << pinned;
  }
}

/// How far a ball that its rolling friction holds on a board that tips is from where that carries
/// it, and how much faster it turns.
std::pair<double, double> off_on_board(const std::string& step) {
  Simulation sim = simulation(R"x(
format = 1
[simulation]
duration = 1.3
step = ")x" + step + R"x("
gravity = [0, 0, -9.81]
[[contact]]
friction = 0.9
rolling_friction = "40 mm"
[[body]]
name = "board"
kind = "prescribed"
turns = [{axis = [0, 1, 0], angle = {formula = "0.1 rad*(1 - cos(2 rad/s*t))"}}]
[[body.contact]]
box = [1, 1, 0.1]
position = [0, 0, -0.05]
[[body]]
name = "ball"
mass = 2
sphere = 0.1
position = [0.2, 0, 0.1]
contact = "solids"
)x");
  run(sim);
  const double angle = 0.1 * (1 - std::cos(2.6)), rate = 0.2 * std::sin(2.6);
  const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  return {(pose(sim, "ball").p - R * Vec3(0.2, 0, 0.1)).norm(),
          (velocity(sim, "ball").second - Vec3(0, rate, 0)).norm()};
}

TEST(ContactSpin, RollingFrictionHoldsOnWhatTips) {
  const auto [coarse, turns_coarse] = off_on_board("4 ms");
  const auto [fine, turns_fine] = off_on_board("2 ms");
  EXPECT_LT(fine, 1e-5);
  EXPECT_GT(coarse / fine, 3.5);
  EXPECT_LT(turns_fine, 1e-5);
  EXPECT_GT(turns_coarse / turns_fine, 3.5);
}

/// A ball that rolls against friction, aside of the way that it is pulled: its way turns.
constexpr const char* kRollsAside = R"(
gravity = [0, -0.8, -9.81]
[[contact]]
friction = 0.5
rolling_friction = 0.01
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "it"
mass = 1
sphere = 0.1
position = [0, 0, 0.1]
velocity = [1, 0, 0]
angular_velocity = [0, 10, 0]
contact = "solids"
)";

/// Where it is after a second: 7/5 of its mass are driven by gravity and by the torque of rolling
/// friction over its radius. By Runge and Kutta's method in steps of 0.1 ms.
Eigen::Vector2d rolled_aside() {
  using Vec4 = Eigen::Vector4d;  // place, velocity
  const auto rate = [](const Vec4& y) {
    const Eigen::Vector2d a =
        5. / 7 * (Eigen::Vector2d(0, -0.8) - 9.81 * 0.01 / 0.1 * y.tail<2>().normalized());
    return Vec4(y[2], y[3], a[0], a[1]);
  };
  Vec4 y(0, 0, 1, 0);
  constexpr double h = 1e-4;
  for (int k = 0; k < 10000; ++k) {
    const Vec4 k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2),
               k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y.head<2>();
}

TEST(ContactSpin, WhatRollsAgainstFrictionAndTurnsIsOfOrderTwo) {
  const Eigen::Vector2d wanted = rolled_aside();
  double last = 4e-5;
  for (const char* step : {"\"4 ms\"", "\"2 ms\"", "\"1 ms\""}) {
    const Vec3 p = run_of(simulation_of(1, step, "velocity") + kRollsAside, "it").p;
    const double error = (p.head<2>() - wanted).norm();
    EXPECT_LT(error, last) << step;
    last = error / 3.2;
  }
}

}  // namespace
}  // namespace trammel::acceptance::contact_spin_test

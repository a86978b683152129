// Mechanisms of the gallery: where things are follows from how long their parts are.
#include <algorithm>
#include <cmath>

#include "cli/gallery_test.h"

namespace trammel::cli::gallery_mechanisms_test {
namespace {

using gallery::Gallery;
using gallery::kG;
using gallery::kPi;
using gallery::slope;

constexpr double kSolved = 1e-10;  // rows are met to 1e-12; arms and ratios make it more

// Pins stay across each other: input z turned by a about x, middle y' turned by b about the bent
// axis, so that tan b = cos(bend) tan a.
TEST_F(Gallery, CardanShaftGoesUnevenlyBetweenItsJoints) {
  open("cardan_shaft");
  const double bend = 25 * kPi / 180, c = std::cos(bend), w = 2 * kPi;
  for (const double t : {0.1, 0.25, 0.4}) {
    until(t);
    const double a = w * t, s = std::sin(a);
    EXPECT_NEAR(at("between.turn"), std::atan2(c * s, std::cos(a)), kSolved);
    EXPECT_NEAR(rate("between.turn"), w * c / (1 - std::pow(std::sin(bend) * s, 2)), kSolved);
    EXPECT_NEAR(at("rear.angle"), a, kSolved);
    EXPECT_NEAR(rate("rear.angle"), w, kSolved);
  }
}

TEST_F(Gallery, QuickReturnTakesItsTimeOnTheWayForward) {
  open("quick_return");
  const double r = 0.12, d = 0.35, H = 0.8, w = kPi;
  const auto tilt = [&](double t) {
    return std::atan2(r * std::sin(w * t), d + r * std::cos(w * t));
  };
  const auto ram = [&](double t) { return H * std::tan(tilt(t)); };
  const auto energy = [&](double t) {
    const double inertia = 8 * (H * H / 3 + 0.04 * 0.04 / 12);  // of the arm, about its foot
    return 12.5 * std::pow(slope(ram, t), 2) + inertia / 2 * std::pow(slope(tilt, t), 2) +
           8 * kG * H / 2 * std::cos(tilt(t));
  };
  const double h = 1e-3;
  for (const double t : {0.2, 1., 1.5}) {
    until(t);
    EXPECT_NEAR(at("bed.travel"), ram(t), kSolved);
    const double middle = t - h / 2,
                 v = slope(ram, middle);  // of the step whose mean force is told
    const double cut = v > 0.05 ? 2000 : 0;
    EXPECT_NEAR(force("motor") * w, slope(energy, middle) + cut * v, 0.01);  // of 900 W: truncation
  }
  const double turn = std::acos(-r / d) / w;  // the crank is across the arm
  EXPECT_NEAR(slope(ram, turn), 0, 1e-9);
  EXPECT_GT(2 * turn, 1.5 * (2 - 2 * turn));  // forward: from -turn to turn, of 2 s
}

TEST_F(Gallery, ScissorLiftRisesByPythagoras) {
  open("scissor_lift");
  const auto foot = [](double t) {  // 8 mm a turn, 10 turns a second from 1 s on
    return 0.9 - 0.008 * (t < 1 ? 5 * t * t : 5 + 10 * (t - 1));
  };
  const auto height = [&](double t) { return std::sqrt(1 - std::pow(foot(t), 2)); };
  const auto tilt = [&](double t) { return std::atan2(height(t), foot(t)); };
  const auto energy = [&](double t) {
    const double up = slope(height, t), in = slope(foot, t), turn = slope(tilt, t);
    const double inertia = 6 * (1 + 0.05 * 0.05) / 12;  // of an arm
    return 300 * (kG * height(t) + up * up / 2) + 6 * kG * height(t) + 6 * (up * up + in * in) / 4 +
           inertia * turn * turn;
  };
  for (const double t : {0.5, 2., 4.}) {
    until(t);
    EXPECT_NEAR(place("table").z(), height(t), kSolved);
  }
  EXPECT_NEAR(force("motor") * 20 * kPi, slope(energy, time() - 1e-3), 1e-3);  // of 172 W
}

TEST_F(Gallery, PeaucellierDrawsAStraightLine) {
  open("peaucellier");
  const double line = (0.6 * 0.6 - 0.25 * 0.25) / (2 * 0.25);
  until(1.5, [&] {
    EXPECT_NEAR(place("pen").x(), line, kSolved);
    EXPECT_NEAR(place("pen").y(), line * std::tan(at("pivot.angle") / 2), kSolved);
  });
  EXPECT_NEAR(at("pivot.angle"), -30 * kPi / 180, kSolved);
}

TEST_F(Gallery, FerrisWheelKeepsItsCabinsUpright) {
  open("ferris_wheel");
  const double R = 10, w = 2 * kPi * 1.5 / 60, spin = 2 * kPi * 2 / 60;
  for (const double t : {4., 12.}) {
    until(t);
    const Vec3 out(0, std::cos(w * t), std::sin(w * t));
    EXPECT_LT((place("cabin0") - R * out).norm(), kSolved);
    EXPECT_LT((present().pose("cabin0").R - Mat3::Identity()).norm(), kSolved);
    EXPECT_NEAR(at("plumb0.angle"), spin * t, kSolved);
    // the pin carries the weight and leads the cabin around; means over steps of 20 ms
    const Vec3 force = 400 * (kG * Vec3::UnitZ() - w * w * R * out);
    EXPECT_NEAR(reaction("pin0").force.norm(), force.norm(), 0.2);
  }
}

TEST_F(Gallery, GripperClosesAndHoldsByTheMotorsTorque) {
  open("gripper");
  until(0.1);
  EXPECT_NEAR(rate("workpiece.length"), -2 * 0.012 * 2 * kPi, kSolved);  // both racks, one turn a s
  until(0.5);
  EXPECT_NEAR(at("workpiece.length"), 0.06, kSolved);
  EXPECT_NEAR(force("workpiece"), 0.5 / (2 * 0.012), 1e-8);
}

}  // namespace
}  // namespace trammel::cli::gallery_mechanisms_test

// Drives of the gallery: speeds and torques by the inertia that each shaft feels.
#include <algorithm>
#include <cmath>

#include "cli/gallery_test.h"

namespace trammel::cli::gallery_drives_test {
namespace {

using gallery::Gallery;
using gallery::kG;
using gallery::kPi;

constexpr double kSolved = 1e-10;

TEST_F(Gallery, ElevatorsMotorLiftsTheDifference) {
  open("elevator");
  const double r = 0.3, J = 150 * r * r / 2, difference = (1200 - 900) * kG;
  for (const auto& [t, a] : {std::pair(1., 1.), std::pair(4., 0.), std::pair(6., -1.)}) {
    until(t);
    EXPECT_NEAR(force("motor"), r * (difference + (1200 + 900) * a) + J * a / r, 1e-7);
  }
  until(8);
  EXPECT_NEAR(at("rails.travel"), 10, 1e-9);
  EXPECT_NEAR(at("guides.travel"), -10, 1e-9);
}

TEST_F(Gallery, ElevatorsMotorWorksByEnergyAsOnPaper) {
  open("elevator", {{"simulation.formulation", "energy"}, {"simulation.step", "4 ms"}});
  const double lifts = (1200 - 900) * kG * 10;
  until(8);
  EXPECT_NEAR(at("rails.travel"), 10, 1e-5);                 // truncation
  EXPECT_LT(run_->summary().energy_residual, 1e-9 * lifts);  // rounding of Newton's ends
}

TEST_F(Gallery, CatapultPushesAsItsSteamExpands) {
  open("catapult");
  const double a = 700e3 / 20e3, T = 2.2;  // a (1 - t/2T) until T
  until(1);
  EXPECT_NEAR(rate("deck.travel"), a * (1 - 1 / (4 * T)), 1e-9);
  EXPECT_NEAR(at("deck.travel"), a * (1 / 2. - 1 / (12 * T)), 1e-5);  // truncation
  until(3);
  EXPECT_NEAR(rate("deck.travel"), a * T * 3 / 4, 1e-9);
}

TEST_F(Gallery, CruiseControlFindsWhatHillAndAirAskFor) {
  open("cruise_control");
  until(60);
  const double v = 80 / 3.6, asked = 0.4 * v * v + 0.06 * 1400 * kG;
  EXPECT_NEAR(rate("road.travel"), v, 5e-4);  // what is left of the way there
  EXPECT_NEAR(force("engine"), asked, 0.5);
}

TEST_F(Gallery, ScrewJackHoldsByItselfAndRisesWhenTurned) {
  open("screw_jack");
  const double lead = 0.006 / (2 * kPi), m = 1500 + 6, J = 6 * 0.02 * 0.02 / 2;
  until(1);
  EXPECT_NEAR(at("thread.travel"), 0, 1e-12);
  EXPECT_NEAR(force("rubbing"), m * kG * lead, 1e-8);
  const double spin = (36 - 20 - m * kG * lead) / (J + m * lead * lead);
  until(1.5);
  EXPECT_NEAR(rate("thread.angle"), spin * 0.5, 1e-6);
  EXPECT_NEAR(at("thread.travel"), lead * spin * 0.125, 1e-9);
}

TEST_F(Gallery, FlywheelRunsOutInItsBearing) {
  open("flywheel_bearing");
  const auto disc = [](double r) { return kPi * r * r; };
  const double rim = 7200 * (disc(0.3) - disc(0.25)) * 0.08, web = 7200 * disc(0.25) * 0.01,
               m = rim + web + 4, I = rim * (0.09 + 0.0625) / 2 + web * 0.0625 / 2 + 4 * 0.0004 / 2;
  const double w = 4 * kPi, torque = 0.15 * 0.02 * m * kG;
  until(10);
  EXPECT_NEAR(rate("axle.angle"), w - torque / I * 10, 1e-9);
  EXPECT_NEAR(force("bearing"), -torque, 1e-9);
  until(35);
  ASSERT_LT(I * w / torque, 35);
  EXPECT_NEAR(at("axle.angle"), I * w * w / (2 * torque), 1e-5);  // the step in which it stops
  EXPECT_NEAR(rate("axle.angle"), 0, kSolved);
}

TEST_F(Gallery, GliderSwingsAboutItsGlide) {
  open("glider");
  const double k = 5, m = 300, drag = 0.03, h = 1e-2;
  double x = 0, z = 0, vx = 24.26 * 1.1, vz = 0;
  const auto air = [&](double u, double w, double& ax, double& az) {
    const double v = std::hypot(u, w);
    ax = -k / m * v * (w + drag * u);
    az = k / m * v * (u - drag * w) - kG;
  };
  for (int i = 0; i < 4000; ++i) {  // Runge-Kutta's
    double a1, c1, a2, c2, a3, c3, a4, c4;
    air(vx, vz, a1, c1);
    air(vx + h / 2 * a1, vz + h / 2 * c1, a2, c2);
    air(vx + h / 2 * a2, vz + h / 2 * c2, a3, c3);
    air(vx + h * a3, vz + h * c3, a4, c4);
    x += h * vx + h * h / 6 * (a1 + a2 + a3);
    z += h * vz + h * h / 6 * (c1 + c2 + c3);
    vx += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    vz += h / 6 * (c1 + 2 * c2 + 2 * c3 + c4);
  }
  until(40);
  EXPECT_NEAR(place("wing").x(), x, 1e-3);
  EXPECT_NEAR(place("wing").z(), z, 1e-3);
}

TEST_F(Gallery, ClutchSlipsUntilBothShaftsTurnAlike) {
  open("clutch");
  const double front = 20 * 0.2 * 0.2 / 2 * std::pow(15. / 10, 2) + 4 * 0.1 * 0.1 / 2;
  const double rear = 3 * 0.1 * 0.1 / 2 + 30 * 0.25 * 0.25 / 2 * std::pow(20. / 40, 2);
  const double start = 900 * 2 * kPi / 60 * 10 / 15, grip = 12;
  const double lock = start / grip * front * rear / (front + rear);
  until(0.5);
  ASSERT_LT(0.5, lock);
  EXPECT_NEAR(rate("rear.angle"), grip / rear * 0.5, 1e-8);
  until(3);
  EXPECT_NEAR(rate("front.angle"), start * front / (front + rear), 1e-8);
  EXPECT_NEAR(rate("clutch.angle"), 0, kSolved);
  EXPECT_NEAR(rate("output.angle"), -rate("rear.angle") / 2, kSolved);
  const double loss = start * start / 2 * front * rear / (front + rear);
  EXPECT_NEAR(present().of("/ledger/work", "lining").at(0), -loss, 1e-4 * loss);  // step of locking
}

TEST_F(Gallery, DifferentialGivesBothWheelsTheSameTorque) {
  open("differential");
  until(2);  // 35 times as long as the slower wheel takes to settle
  EXPECT_NEAR(rate("left_wheel.turn"), 20. / 4, 1e-8);
  EXPECT_NEAR(rate("right_wheel.turn"), 20. / 1, 1e-8);
  EXPECT_NEAR(rate("bearing.angle"), (5 + 20) / 2., 1e-8);
}

// At the top of the lift the spring pushes with k (lift + 15 mm); a valve that is to follow the
// cam needs m w^2 lift/2.
TEST_F(Gallery, ValveFliesOffItsCamFromTheSpeedThatItsSpringAllows) {
  const double limit = std::sqrt(12e3 * 0.025 / (0.3 * 0.005)) * 60 / (2 * kPi);
  const auto off = [&](double rpm) {  // how far the valve gets off the cam
    open("cam_valve", {{"parameters.speed", fmt::format("\"{} rpm\"", rpm)}});
    double most = 0;
    until(0.04, [&] {
      const double lift = 0.005 * (1 - std::cos(rpm * 2 * kPi / 60 * time()));
      most = std::max(most, std::abs(at("guide.travel") - lift));
    });
    return most;
  };
  EXPECT_LT(off(2000), kSolved);
  EXPECT_LT(off(0.999 * limit), kSolved);
  EXPECT_GT(off(1.01 * limit), 1e-6);
  EXPECT_GT(off(5000), 1e-3);
}

TEST_F(Gallery, ServoLiftStandsWhereItIsToldTo) {
  open("servo_lift");
  until(6);
  EXPECT_NEAR(at("mast.travel"), 0.62, 1e-9);  // what is left of the motion to there
  EXPECT_NEAR(force("motor"), 20 * kG, 1e-7);
  // the work of the motor is the energy gained; in steps of the meter 1e-4 of it
  EXPECT_NEAR(run_->input("meter"), 20 * kG * 0.62, 0.02);
}

TEST_F(Gallery, GovernorsBallsFlyAsHighAsTheSpeedHasThem) {
  open("governor");
  until(6);
  const double w = 140 * 2 * kPi / 60, L = 0.3, low = (2 + 5) / 2. * kG / (w * w);
  EXPECT_NEAR(place("left").z(), -low, 1e-5);  // what is left of the motion to there
  EXPECT_NEAR(place("sleeve").z(), -2 * low, 2e-5);
  EXPECT_NEAR(at("arm_left.angle"), 20 * kPi / 180 - std::acos(low / L), 1e-4);
}

// The angle out of step, q = 3 fast + 12 slow, is that of a pendulum, q'' = -w^2 sin(q), here from
// 60 degrees; what turns evenly is I_fast fast/3 - I_slow slow/12.
TEST_F(Gallery, MagneticGearSwingsAboutItsRatio) {
  open("magnetic_gear");
  const double I_fast = 2 * 0.05 * 0.05 / 2, I_slow = 6 * (0.1 * 0.1 + 0.07 * 0.07) / 2;
  const double w2 = 2 * (9 / I_fast + 144 / I_slow), speed = 600 * 2 * kPi / 60;
  double q = kPi / 3, q_dot = 0;
  constexpr int kSteps = 50;  // of the reference by RK4 in one of the run
  until(0.5, [&] {
    const double h = 2e-4 / kSteps;
    const auto pull = [&](double x) { return -w2 * std::sin(x); };
    for (int k = 0; k < kSteps; ++k) {
      const double a1 = pull(q), v2 = q_dot + h / 2 * a1, a2 = pull(q + h / 2 * q_dot);
      const double v3 = q_dot + h / 2 * a2, a3 = pull(q + h / 2 * v2);
      const double v4 = q_dot + h * a3, a4 = pull(q + h * v3);
      q += h / 6 * (q_dot + 2 * v2 + 2 * v3 + v4);
      q_dot += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    // truncation: (w h)^2 w t / 24
    ASSERT_NEAR(3 * at("fast.angle") + 12 * at("slow.angle"), q, 2e-3);
  });
  const double even = I_fast / 3 + I_slow / 12 / 4;
  EXPECT_NEAR(I_fast / 3 * at("fast.angle") - I_slow / 12 * at("slow.angle"),
              I_fast / 3 * kPi / 9 + even * speed * 0.5, 1e-12);
  EXPECT_NEAR(I_fast / 3 * rate("fast.angle") - I_slow / 12 * rate("slow.angle"), even * speed,
              1e-12);
}

}  // namespace
}  // namespace trammel::cli::gallery_drives_test

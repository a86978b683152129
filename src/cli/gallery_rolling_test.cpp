// What rolls, slides and stands in the gallery.
#include <algorithm>
#include <cmath>

#include "cli/gallery_test.h"

namespace trammel::cli::gallery_rolling_test {
namespace {

using gallery::Gallery;
using gallery::kG;
using gallery::kPi;

// Euler's equations of a disc that goes around at W, leaning by q: with the rotation w about its
// axis, 3/2 m r^2 w = m g r tan(q)/W - m r^2/4 W sin(q), and so it goes around at the radius r w/W.
TEST_F(Gallery, CoinGoesRoundInACircle) {
  open("rolling_coin");
  const double r = 0.012, q = 20 * kPi / 180, W = 6;
  const double w = (kG * std::tan(q) / (r * W) - W * std::sin(q) / 4) / 1.5, R = r * w / W;
  for (const double t : {0.3, 1., 2.}) {
    until(t);
    const Vec3 there(R * std::sin(W * t), R * (1 - std::cos(W * t)), r * std::cos(q));
    EXPECT_LT((place("coin") - there).norm(), 1e-8);  // accuracy
  }
}

TEST_F(Gallery, BallOnTheBeltEndsWithTwoSevenths) {
  open("conveyor");
  until(0.1);
  EXPECT_NEAR(present().velocity("ball").x(), 5 / 2. * 0.1, 1e-12);  // it skids
  until(1);
  EXPECT_NEAR(present().velocity("ball").x(), 2 / 7. * 1.4, 1e-11);
}

TEST_F(Gallery, SkateGoesInArches) {
  open("ice_skate");
  const double w = 2, wide = kG * std::sin(10 * kPi / 180) / (2 * w * w);
  for (const double t : {1., 2.5, 5.}) {
    until(t);
    const double a = w * t;
    const Vec3 there(wide * std::pow(std::sin(a), 2), wide * (a - std::sin(2 * a) / 2), 0);
    EXPECT_LT((place("skate") - there).norm(), 1e-5);  // truncation
  }
}

TEST_F(Gallery, CoasterIsAsFastAsItsHeightAllows) {
  open("roller_coaster");
  const double R = 6, m = 500;
  double top = 0, pressed = 0;
  until(3, [&] {
    const double z = place("car").z(), v2 = present().velocity("car").squaredNorm();
    EXPECT_NEAR(v2, 400 - 2 * kG * z, 1e-3);  // of 400: truncation
    if (z > top) top = z, pressed = reaction("wheels").force.y();
  });
  EXPECT_NEAR(top, 2 * R, 1e-4);                               // seen every ms
  EXPECT_NEAR(pressed, m * ((400 - 4 * kG * R) / R - kG), 1);  // of 8811 N
}

// Its middle goes around at sqrt(R^2 - a^2); both rails push inwards, across themselves.
TEST_F(Gallery, TramIsPushedInwardsByBothBogies) {
  open("tram");
  const double R = 25, v = 8, m = 20e3;
  until(8);  // well in the curve
  EXPECT_NEAR(place("tram").z(), 0, 1e-11);
  EXPECT_NEAR(reaction("front").force.y(), m * v * v / (2 * R), 1e-3);  // truncation
  EXPECT_NEAR(reaction("rear").force.y(), m * v * v / (2 * R), 1e-3);
  EXPECT_NEAR(force("motor"), 0, 1e-4);
}

// Its energy is kappa V (s^2 - 1)^2 at the stretch s; the weight and half its own mass pull.
TEST_F(Gallery, RubberIsStretchedAsItsEnergyHasIt) {
  open("rubber_block");
  const double V = 0.1 * 0.1 * 0.5, pull = kG * 0.5 * (60 + 1100 * V / 2);
  double s = 1;
  for (int i = 0; i < 50; ++i) {  // Newton
    const double k = 4 * 0.1e6 * V;
    s -= (k * s * (s * s - 1) - pull) / (k * (3 * s * s - 1));
  }
  until(3);
  EXPECT_NEAR(place("weight").z(), -0.5 * s, 1e-6);  // what is left of the way there
}

// S = m r^2/4 is its second moment along x and y. Spin and energy stay, so that at the stretch s,
// S W^2/s^2 + 2 kappa V (s - 1)^2 is what it was at s = 1, where it turns back.
TEST_F(Gallery, RubberFlywheelBreathesBetweenTwoRadii) {
  open("rubber_flywheel");
  const double r = 0.2, V = kPi * r * r * 0.03, S = 1100 * V * r * r / 4, W = 10 * kPi;
  const double k = 2 * 30e3 * V;
  double lo = 1.01, hi = 2;
  for (int i = 0; i < 60; ++i) {
    const double s = (lo + hi) / 2;
    (S * W * W * (1 - 1 / (s * s)) > k * (s - 1) * (s - 1) ? lo : hi) = s;
  }
  double slowest = W;
  until(1, [&] { slowest = std::min(slowest, present().angular_velocity("disc").z()); });
  EXPECT_LT(slowest, 0.9 * W);
  EXPECT_NEAR(slowest, W / (lo * lo), 1e-3);  // of 30 rad/s: truncation, seen every 0.5 ms
}

TEST_F(Gallery, ThreeLegsCarryWhatStaticsSays) {
  open("three_legs");
  for (const double t : {1.5, 2.5}) {
    until(t);
    const double travel = 0.2 * (t - 0.25), reach = 0.5;
    const double at = travel - 0.2 * 0.5e-3 - 0.25;  // in the middle of the last step
    const double table = 20 * kG / 3, load = 30 * kG / 3;
    const auto up = [&](const char* leg) { return reaction(leg).force.x(); };  // along the axis
    EXPECT_NEAR(up("leg0"), table + load * (1 + 2 * at / reach), 1e-7);
    EXPECT_NEAR(up("leg1"), table + load * (1 - at / reach), 1e-7);
    EXPECT_NEAR(up("leg2"), table + load * (1 - at / reach), 1e-7);
    EXPECT_NEAR(place("table").x(), -30 / 50. * travel, 1e-11);  // nothing pushes both
  }
}

}  // namespace
}  // namespace trammel::cli::gallery_rolling_test

// What swings, settles, hangs and breaks in the gallery.
#include <algorithm>
#include <cmath>
#include <complex>

#include "cli/gallery_test.h"

namespace trammel::cli::gallery_vibrations_test {
namespace {

using gallery::Gallery;
using gallery::kG;
using gallery::kPi;

TEST_F(Gallery, TunedMassTakesAllOfTheShaking) {
  open("tuned_mass");
  const double F = 30, w = 20, k = 1 * w * w;
  until(3, [&] {
    EXPECT_NEAR(at("base.travel"), 0, 1e-9);  // truncation at order 4
    EXPECT_NEAR(at("rider.travel"), -F / k * std::sin(w * time()), 1e-9);
  });
  open("tuned_mass", {{"parameters.tuned", "\"150 N/m\""}});
  until(3);
  EXPECT_GT(std::abs(at("base.travel")), 1e-3);
}

TEST_F(Gallery, QuarterCarRidesAsItsFrequencyResponseSays) {
  using Complex = std::complex<double>;
  open("quarter_car");
  const double m = 40, M = 300, kt = 180e3, ks = 20e3, c = 1500, w = 4 * kPi, a = 0.01;
  const Complex strut(ks, w * c);
  const Eigen::Matrix2cd A{{kt + strut - m * w * w, -strut}, {-strut, strut - M * w * w}};
  const Eigen::Vector2cd x = A.inverse() * Eigen::Vector2cd(kt * a, 0);
  const double wheel = 0.3 - (m + M) * kG / kt, car = wheel + 0.4 - M * kG / ks;
  for (const double t : {7.1, 7.4, 8.}) {  // what the start leaves has died away to 1e-8
    until(t);
    const Complex turn = std::polar(1., w * t);
    EXPECT_NEAR(place("wheel").z(), wheel + (x[0] * turn).imag(), 1e-6);  // truncation
    EXPECT_NEAR(place("car").z(), car + (x[1] * turn).imag(), 1e-6);
  }
}

TEST_F(Gallery, EngineSinksIntoItsMountsAndRocksOnThem) {
  open("machine_mounts");
  const double k = 4 * 400e3, m = 120, across = 0.2, I = m * (0.5 * 0.5 + 0.4 * 0.4) / 12;
  const double kr = k * across * across, low = -m * kG / k;
  const auto after = [](double push, double stiffness, double inertia, double t) {  // 0.1 to 0.11 s
    const double w = std::sqrt(stiffness / inertia);
    return push / stiffness * (std::cos(w * (t - 0.11)) - std::cos(w * (t - 0.1)));
  };
  until(0.05);
  EXPECT_NEAR(place("engine").z(), low, 1e-12);
  for (const double t : {0.2, 0.5, 1.}) {
    until(t);
    EXPECT_NEAR(place("engine").z(), low + after(2000, k, m, t), 1e-7);  // truncation
    // the mounts pull by the sine of the roll: 1e-3 rad swing less than 1e-6 of a period late
    EXPECT_NEAR(at("seat.roll"), after(40, kr, I, t), 1e-7);
  }
}

TEST_F(Gallery, DoorClosesOverdamped) {
  open("door_closer");
  const double I = 25 * ((0.9 * 0.9 + 0.04 * 0.04) / 12 + 0.45 * 0.45), k = 15, c = 24;
  const double rest = -1.5 / k, away = kPi / 2 - rest;
  const double root = std::sqrt(c * c - 4 * I * k), fast = (c + root) / (2 * I),
               slow = (c - root) / (2 * I);
  for (const double t : {0.5, 1., 2.}) {
    until(t);
    const double angle =
        rest + away * (fast * std::exp(-slow * t) - slow * std::exp(-fast * t)) / (fast - slow);
    EXPECT_NEAR(at("hinge.angle"), angle, 1e-6);  // truncation
  }
  until(8);
  EXPECT_NEAR(at("hinge.angle"), 0, 1e-11);
  EXPECT_NEAR(force("frame"), 1.5, 1e-8);
}

TEST_F(Gallery, BungeeTurnsWhereItsEnergyIsInTheRope) {
  open("bungee");
  const double m = 75, k = 110, L = 20, w = m * kG / k;
  const double stretch = w + std::sqrt(w * w + 2 * w * (L - 1));  // m g (L - 1 + y) = k y^2/2
  double lowest = 0;
  until(12, [&] { lowest = std::min(lowest, place("jumper").z()); });
  EXPECT_NEAR(lowest, 1 - L - stretch, 1e-4);  // seen every 2 ms; where the rope gets taut
}

TEST_F(Gallery, SkydiverFallsByTheHyperbolicTangent) {
  open("skydiver");
  const double v = std::sqrt(80 * kG / 0.28);
  for (const double t : {2., 10., 20.}) {
    until(t);
    EXPECT_NEAR(present().velocity("skydiver").z(), -v * std::tanh(kG * t / v), 1e-9);
    EXPECT_NEAR(place("skydiver").z(), 4000 - v * v / kG * std::log(std::cosh(kG * t / v)), 1e-9);
  }
}

// Seen from the trolley gravity points back by a/g: a pendulum, whose energy stays.
TEST_F(Gallery, CraneSwingsAboutWhatItsLoadTakesForDown) {
  open("crane");
  const double L = 8, a = 0.6, m = 2000;
  for (const double t : {1., 2., 3.}) {
    until(t);
    const Vec3 d = place("load") - place("trolley");
    EXPECT_NEAR(d.norm(), L, 1e-11);
    const double back = std::atan2(-d.x(), -d.z());
    const double v2 = (present().velocity("load") - present().velocity("trolley")).squaredNorm();
    EXPECT_NEAR(v2 / 2, L * (kG * (std::cos(back) - 1) + a * std::sin(back)), 2e-5);  // truncation
    const double pull = kG * std::cos(back) + a * std::sin(back) + v2 / L;
    EXPECT_NEAR(force("rope"), -m * pull, 1);  // of 2e4: mean of a step
  }
}

TEST_F(Gallery, SatelliteTurnsAgainstItsWheel) {
  open("satellite");
  const double hull = 150 * 2 * 0.8 * 0.8 / 12, wheel = 4 * 0.12 * 0.12 / 2;
  until(8);
  const double turns = 1000 / 60. * (2 / 2. + 4 + 2 / 2.);  // of the wheel in the hull
  EXPECT_NEAR(at("attitude.roll"), -wheel / (hull + wheel) * turns * 2 * kPi, 1e-9);
  EXPECT_NEAR(rate("attitude.roll"), 0, 1e-12);
}

TEST_F(Gallery, BoltBreaksWhereItsStrengthIsReached) {
  open("breaking_bolt");
  const double m = 50, breaks = (1500 - m * kG) / 1000, after = 1.5 - breaks;
  until(1);
  EXPECT_NEAR(reaction("bolt").force.norm(), m * kG + 1000, 1e-8);
  until(1.5);
  const double fall =
      kG * after * after / 2 + 1000 / m * (breaks * after * after / 2 + std::pow(after, 3) / 6);
  EXPECT_NEAR(place("weight").z(), -fall, 1e-8);
}

TEST_F(Gallery, CradlesLastBallFliesAsFarAsTheFirstFell) {
  open("newtons_cradle", {{"simulation.step", "\"1 ms\""}});  // blows are found within steps
  double last = 0, middle = 0;
  until(0.8, [&] {
    last = std::min(last, at("string4.angle"));
    middle = std::max(middle, std::abs(at("string2.angle")));
  });
  EXPECT_NEAR(last, -30 * kPi / 180, 2e-3);  // for the gaps the balls hang a little apart
  EXPECT_LT(middle, 2e-3);
}

}  // namespace
}  // namespace trammel::cli::gallery_vibrations_test

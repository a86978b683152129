// A mass that slides down a helix: everything about it is known in closed form.
#include "track_support.h"

namespace trammel::acceptance::track_helix_test {
namespace {

constexpr double kRadius = 5, kPitch = 6;               // [m], fall a turn
constexpr double kPointAcceleration = 1.8403093738302;  // g sin(beta) [m/s^2]
constexpr double kBodyAcceleration = 1.3278581103689;

model::Builder falling(bool frenet, double mass, double inertia, bool point) {
  geom::HelixSpec helix{.radius = kRadius, .pitch = -kPitch, .turns = 20, .up = !frenet};
  model::Builder b;
  b.add_track(track_of(std::make_shared<geom::Helix>(helix)));
  b.add_body(on_track("mass", mass, 0, 0, {inertia, inertia, inertia, 0, 0, 0}));
  b.add_joint(running("mass", point ? point_on_track() : nullptr));
  return b;
}

/// Arc length after 10 s.
double travelled(const model::Builder& b, double step) {
  Ride ride(b, step, 10);
  ride.to_end();
  return ride.s();
}

TEST(TrackHelix, PointMassFallsAlongIt) {
  Ride ride(falling(true, 1, 1, true), 5e-4, 10);
  ride.to_end();
  // truncation, (kappa v h)^2 / 12 = 3e-7 of the way at the end
  EXPECT_NEAR(ride.s() / 92.0154686915, 1, 1e-6);
  EXPECT_NEAR(-ride.p().z() / 17.2616645841, 1, 1e-6);
  EXPECT_NEAR(ride.s() / (kPointAcceleration * 50), 1, 1e-6);
}

TEST(TrackHelix, ReactionOfThePointMass) {
  Ride ride(falling(true, 1, 1, true), 5e-4, 10.0005);
  ride.to(10);
  const double normal = ride.force(0), binormal = ride.force(1);
  ride.to(10.0005);
  // the mean of the steps before and after; truncation (kappa v h)^2 / 4 = 8e-7. Falling clockwise,
  // the binormal points down.
  EXPECT_NEAR((normal + ride.force(0)) / 2 / 65.3510513144, 1, 1e-6);
  EXPECT_NEAR(-(binormal + ride.force(1)) / 2 / 9.6358373486, 1, 1e-6);
}

TEST(TrackHelix, SecondOrder) {
  const model::Builder b = falling(true, 1, 1, true);
  const double exact = 92.0154686915;
  const double coarse = travelled(b, 4e-3) - exact, fine = travelled(b, 2e-3) - exact;
  EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 2, 0.01);  // order, of the truncation alone
}

TEST(TrackHelix, FourthOrderByComposition) {
  Ride ride(falling(true, 1, 1, true), 1e-2, 10, order4());
  ride.to_end();
  EXPECT_NEAR(ride.s() / 92.0154686915, 1, 1e-7);  // truncation: second order leaves 3e-5 here
}

/// Sliding moves the rotation too: a = g sin(beta) / (1 + I |Omega|^2 / m), in any frame of the
/// track.
TEST(TrackHelix, RigidBodyAlignedWithIt) {
  for (const bool frenet : {true, false}) {
    const double s = travelled(falling(frenet, 2, 20, false), 1e-3);
    EXPECT_NEAR(s / (kBodyAcceleration * 50), 1, 1e-6) << frenet;  // truncation
  }
}

TEST(TrackHelix, EnergyIsKept) {
  Ride ride(falling(false, 2, 20, false), 5e-4, 10);
  ride.to_end();
  EXPECT_LT(ride.sim.summary().energy_residual_rel(), 2e-7);  // truncation, second order
  EXPECT_LT(ride.sim.summary().max_gap, 1e-11);               // stage P's tolerance, 1e-12
  EXPECT_LT(ride.sim.summary().max_row_speed, 1e-10);
  EXPECT_LT(ride.sim.summary().momentum_residual_rel, 1e-12);  // rounding
}

}  // namespace
}  // namespace trammel::acceptance::track_helix_test

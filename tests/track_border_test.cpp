// Where the track changes its curvature or direction at once: one loss, accounted for, then exact
// again.
#include "track_support.h"

namespace trammel::acceptance::track_border_test {
namespace {

constexpr double kMass = 800, kSpin = 900;  // [kg], [kg m^2] about z

model::Builder car_on(geom::CurvePtr curve, double s, double speed) {
  model::Builder b;
  b.add_track(track_of(std::move(curve)));
  b.add_body(on_track("car", kMass, s, speed, {300, 700, kSpin, 0, 0, 0}));
  b.add_joint(running("car"));
  return b;
}

/// Kinetic energy of the car.
double energy(double v, double w) { return (kMass * v * v + kSpin * w * w) / 2; }

/// Straight line to R = 300 m at 30 m/s: the spin v/R comes at once, out of the motion along.
TEST(TrackKink, OfCurvatureIsOneLossThenSteady) {
  const double v0 = 30, radius = 300;
  const double v1 = v0 / (1 + kSpin / (kMass * radius * radius));
  const double loss = energy(v0, 0) - energy(v1, v1 / radius);
  EXPECT_NEAR(loss, kSpin * 0.01 / 2, 1e-4);  // 1/2 I_z (v/R)^2 but for I_z / (m R^2)

  Ride ride(car_on(arcs({{0, 31}, {1 / radius, 600}}), 1, v0), 1e-3, 10);
  ride.to(0.99);
  EXPECT_EQ(ride.events.size(), 0u);
  EXPECT_NEAR(ride.w().norm(), 0, 1e-12);
  double worst_spin = 0, least = 1e300, greatest = -1e300;
  for (int k = 1000; k <= 10000; ++k) {
    ride.to(1e-3 * k);
    if (k < 1002) continue;
    worst_spin = std::max(worst_spin, (ride.w() - Vec3(0, 0, v1 / radius)).norm());
    least = std::min(least, ride.force(0));
    greatest = std::max(greatest, ride.force(0));
    EXPECT_LT(ride.sim.last().gap, 1e-10);
    EXPECT_LT(ride.sim.last().row_speed, 1e-10);
  }
  const auto impacts = ride.all("impact");
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].t, 1, 1e-9);         // of the border, found to 1e-10 steps and 1e-9 m
  EXPECT_NEAR(impacts[0].value, loss, 1e-9);  // rounding of energies of 4e5 J
  EXPECT_NEAR(ride.ledger(model::kImpacts), -loss, 1e-9);
  EXPECT_LT(worst_spin, 1e-9);           // no ringing: truncation (kappa v h)^2 of 0.1 rad/s
  EXPECT_NEAR(ride.w().z(), 0.1, 2e-6);  // 100 mrad/s but for the loss, 1e-5
  EXPECT_LT(greatest - least, 1e-5 * kMass * v0 * v0 / radius);  // nor in the force: rounding / h
  EXPECT_NEAR(ride.force(0), kMass * v1 * v1 / radius, 1e-6 * kMass * v0 * v0 / radius);
  EXPECT_LT(ride.sim.summary().energy_residual_rel(), 1e-9);
}

/// A point that slides goes on as it is where only the curvature jumps: that is no impact.
TEST(TrackKink, OfCurvatureIsNoneForAPoint) {
  model::Builder b;
  b.add_track(track_of(arcs({{0, 31}, {1 / 300., 600}})));
  b.add_body(on_track("car", kMass, 1, 30, {300, 700, kSpin, 0, 0, 0}));
  b.add_joint(running("car", point_on_track()));
  for (const auto formulation :
       {form::Settings::Formulation::velocity, form::Settings::Formulation::acceleration}) {
    form::Settings form;
    form.formulation = formulation;
    Ride ride(b, 1e-3, 1.1, form);
    ride.to_end();
    EXPECT_EQ(ride.sim.state().piece[0], 1);
    EXPECT_EQ(ride.events.size(), 0u)
        << name_of(ride.events.front().kind) << ride.events.front().value;
    EXPECT_EQ(ride.sim.summary().events, 0);
    EXPECT_NEAR(ride.v().norm(), 30, 1e-6);
  }
}

/// Two straight lines at an angle: the body is turned to the new one, and what moved across is
/// lost.
TEST(TrackKink, OfDirectionIsOneCorrectionAndOneLoss) {
  const double kink = 0.03, v0 = 20;
  geom::ChainSpec spec;
  spec.max_kink = 0.05;
  spec.members = {line(10), line(200, {{10, 0, 0}, about(Vec3::UnitZ(), kink)})};
  ASSERT_TRUE(geom::check(spec).empty());
  Ride ride(car_on(std::make_shared<geom::Chain>(spec), 1, v0), 1e-3, 3);
  ride.to_end();
  const auto impacts = ride.all("impact");
  ASSERT_EQ(impacts.size(), 1u);
  ASSERT_EQ(ride.all("correction").size(), 1u);
  EXPECT_EQ(ride.events.size(), 2u);
  const double across = v0 * std::sin(kink);
  EXPECT_NEAR(impacts[0].t, 0.45, 1e-9);
  EXPECT_NEAR(impacts[0].value, energy(across, 0), 1e-8);  // rounding of energies of 1.6e5 J
  const Vec3 ahead(std::cos(kink), std::sin(kink), 0);
  EXPECT_LT((ride.v() - v0 * std::cos(kink) * ahead).norm(), 1e-11);
  EXPECT_LT((ride.R().col(0) - ahead).norm(), 1e-11);
  EXPECT_LT(ride.w().norm(), 1e-11);
  // the moment of the border is known to 1e-9 m
  EXPECT_LT((ride.p() - Vec3(10, 0, 0) - 2.55 * v0 * std::cos(kink) * ahead).norm(), 1e-8);
  EXPECT_LT(ride.sim.summary().max_gap, 1e-10);
  EXPECT_LT(ride.sim.summary().max_row_speed, 1e-10);
  EXPECT_LT(ride.sim.summary().energy_residual_rel(), 1e-12);
}

/// Real lines have pieces of 70 micrometres; at 25 m/s they are passed in 3 microseconds.
TEST(TrackShortPieces, ArePassed) {
  const double tiny = 70e-6;
  const auto curve = arcs({{0, 10},
                           {1 / 600.0, tiny},
                           {1 / 500.0, 20},
                           {0, tiny},
                           {-1 / 400.0, 20},
                           {1 / 900.0, tiny},
                           {-1 / 900.0, tiny},
                           {0, 40}});
  for (const double speed : {25.0, -25.0}) {
    Ride ride(car_on(curve, speed > 0 ? 2 : 85, speed), 1e-3, 3.2);
    ride.to_end();
    EXPECT_EQ(ride.all("impact").size(), 7u);
    EXPECT_TRUE(ride.on());
    const double way = std::abs(ride.s() - (speed > 0 ? 2 : 85));
    EXPECT_NEAR(way, 80, 0.02);  // the spins' losses, a few 1e-5 of the speed each
    EXPECT_LT(ride.sim.summary().max_gap, 1e-10);
    EXPECT_LT(ride.sim.summary().max_row_speed, 1e-10);
    EXPECT_EQ(ride.sim.summary().fallbacks, 0);
    EXPECT_LT(ride.sim.summary().energy_residual_rel(), 1e-9);
  }
}

/// Three cars come to three borders in the same step, two of them at the same moment.
TEST(TrackShortPieces, SeveralVehiclesCrossInOneStep) {
  model::Builder b;
  b.add_track(track_of(arcs({{0, 10}, {1 / 300.0, 10}, {0, 10}, {-1 / 300.0, 40}})));
  const double speed = 25, step = 1e-3, ahead = 0.4 * step * speed;
  const std::vector<double> starts{10 - ahead, 20 - ahead, 30 - 1.5 * ahead};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string name = "car" + std::to_string(i);
    b.add_body(on_track(name, kMass, starts[i], speed, {300, 700, kSpin, 0, 0, 0}));
    b.add_joint(running(name));
  }
  Ride ride(b, step, 0.1);
  ride.to(step);
  ASSERT_EQ(ride.all("impact").size(), 3u);
  const double v1 = speed / (1 + kSpin / (kMass * 300 * 300));
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(ride.events[static_cast<std::size_t>(i)].t, (i < 2 ? 0.4 : 0.6) * step, 1e-9);
    EXPECT_EQ(ride.sim.state().piece[static_cast<std::size_t>(i)], i + 1);
  }
  ride.to_end();
  EXPECT_EQ(ride.events.size(), 3u);
  EXPECT_NEAR(ride.w(0).z(), v1 / 300, 1e-9);
  EXPECT_NEAR(ride.w(2).z(), -v1 / 300, 1e-9);
  EXPECT_NEAR(ride.w(1).z(), 0, 1e-9);
  EXPECT_LT(ride.sim.summary().max_gap, 1e-10);
  EXPECT_LT(ride.sim.summary().max_row_speed, 1e-10);
}

}  // namespace
}  // namespace trammel::acceptance::track_border_test

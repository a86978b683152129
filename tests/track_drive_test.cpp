// Motors along a track: force within bounds, speed held, work accounted for.
#include <fmt/core.h>

#include "track_support.h"

namespace trammel::acceptance::track_drive_test {
namespace {

constexpr double kMass = 50, kThrust = 120, kBrake = 200;  // [kg], [N]

model::Builder driven(geom::CurvePtr curve, Signal speed) {
  model::Builder b;
  b.add_track(track_of(std::move(curve)));
  b.add_body(on_track("car", kMass, 2, 0, {9, 20, 22, 0, 0, 0}));
  b.add_joint(running("car"));
  b.add_law(motor("car.track", -kBrake, kThrust, std::move(speed)));
  return b;
}

double energy(const Ride& ride) { return ride.sim.formulation().total_energy(ride.sim.state()); }

/// On a straight: F/m up to the target, the target, F/m down to rest, all from grid point to grid
/// point.
TEST(TrackDrive, AcceleratesHoldsAndBrakes) {
  const Signal speed = Signal::spline({0, 10, 10.001, 20}, {6, 6, 0, 0});
  Ride ride(driven(line(300), speed), 1e-3, 14);
  ride.to(2);
  EXPECT_NEAR(ride.v().x(), kThrust / kMass * 2, 1e-10);  // rounding: the scheme is exact here
  EXPECT_NEAR(ride.s(), 2 + kThrust / kMass * 2, 1e-10);
  EXPECT_NEAR(ride.force(5), kThrust, 1e-9);
  ride.to(5);
  EXPECT_NEAR(ride.v().x(), 6, 1e-11);
  EXPECT_NEAR(ride.force(5), 0, 1e-7);  // rounding of the momentum, over a step
  const double s5 = ride.s();
  ride.to(10);
  EXPECT_NEAR(ride.s() - s5, 30, 1e-9);
  EXPECT_NEAR(ride.ledger(model::kFirstLaw), kMass * 36 / 2, 1e-8);  // the motor's work
  const double s10 = ride.s();
  ride.to(11);
  EXPECT_NEAR(ride.v().x(), 6 - kBrake / kMass, 1e-10);
  ride.to_end();
  EXPECT_NEAR(ride.v().norm(), 0, 1e-11);
  EXPECT_NEAR(ride.s() - s10, 36 / (2 * kBrake / kMass), 1e-9);
  EXPECT_NEAR(ride.ledger(model::kFirstLaw), 0, 1e-8);
  EXPECT_LT(ride.sim.summary().energy_residual_rel(), 1e-11);  // rounding of 14 000 steps
}

/// A target that steps is followed from that moment on, on the grid and between its points.
TEST(TrackDrive, TargetsStepAtTheirTime) {
  for (const double start : {0.05, 0.0503}) {
    Ride ride(driven(line(300), Signal::spline({0, start, start, 1}, {0, 0, 6, 6})), 1e-3, 0.1);
    ride.to(0.05);
    EXPECT_EQ(ride.v().x(), 0);
    EXPECT_EQ(ride.s(), 2);
    ride.to_end();
    const double gone = 0.1 - start, a = kThrust / kMass;
    EXPECT_NEAR(ride.v().x(), a * gone, 1e-12);  // rounding: the scheme is exact here
    EXPECT_NEAR(ride.s(), 2 + a * gone * gone / 2, 1e-12);
    EXPECT_TRUE(ride.events.empty());
  }
}

/// Up a bent grade: the motor's work is what the car has gained, to the truncation of its rotation.
TEST(TrackDrive, WorkIsKineticAndPotentialEnergy) {
  const auto climb = [](double step) {
    geom::HelixSpec helix{.radius = 30, .pitch = 6, .turns = 2, .up = true};
    Ride ride(driven(std::make_shared<geom::Helix>(helix), 5), step, 30);
    const double start = energy(ride);
    ride.to_end();
    EXPECT_NEAR(ride.v().norm(), 5, 1e-5);
    EXPECT_GT(ride.p().z(), 3);
    const double work = ride.ledger(model::kFirstLaw), gain = energy(ride) - start;
    EXPECT_NEAR(gain,
                kMass * (25. / 2 + kG * (ride.p().z() - start / kMass / kG)) +
                    22 * ride.w().squaredNorm() / 2,
                1e-2 * gain);
    EXPECT_NEAR(ride.sim.imbalance(), gain - work, 1e-8);
    return std::abs(gain - work) / work;
  };
  EXPECT_LT(climb(4e-3), 1e-8);  // truncation
}

/// The same drive on a track whose body is prescribed to move at constant speed: the same motion in
/// its axes, and work through the locks that the accounts have.
TEST(TrackDrive, OnAPrescribedTrack) {
  model::Builder b = driven(line(300), 6);
  model::Builder moving;
  moving.add_track(track_of(line(300)));
  model::BodySpec ship;
  ship.name = "ship";
  ship.motion = body::Prescribed{};
  ship.motion->displacement[0] = {Drive::Level::velocity, Signal(3.0)};
  ship.motion->displacement[2] = {Drive::Level::acceleration, Signal(0.5)};
  moving.add_body(ship);
  model::BodySpec car = on_track("car", kMass, 2, 0, {9, 20, 22, 0, 0, 0});
  car.v = {3, 0, 0};
  car.on_track.reset();
  car.X_WB.p = {2, 0, 0};
  moving.add_body(car);
  model::JointSpec j = running("car");
  j.a = "ship";
  j.frame_a = Pose{};
  moving.add_joint(j);
  moving.add_law(motor("car.track", -kBrake, kThrust, 6));
  Ride still(b, 1e-3, 5), ride(moving, 1e-3, 5);
  still.to_end();
  ride.to_end();
  EXPECT_NEAR(ride.s(), still.s(), 1e-9);
  EXPECT_NEAR(ride.v().x(), 9, 1e-10);
  EXPECT_NEAR(ride.p().x(), still.p().x() + 15, 1e-9);
  EXPECT_NEAR(ride.p().z(), 0.5 * 25 / 2, 1e-9);
  EXPECT_NEAR(ride.force(1), kMass * (kG + 0.5), 1e-6);
  // motor in the track's axes: as on the ground; the ship gives the rest: along F v, upwards N v
  EXPECT_NEAR(ride.ledger(model::kFirstLaw), still.ledger(model::kFirstLaw), 1e-8);
  const double lift = kMass * (kG + 0.5) * (0.5 * 25 / 2), pull = kMass * 6 * 3;
  EXPECT_NEAR(ride.ledger(model::kLocks), lift + pull, 1e-6);
  EXPECT_LT(ride.sim.summary().energy_residual_rel(), 1e-12);
}

/// Faces the other way: the anchor is turned half about z, the coordinate falls as the car goes
/// ahead.
TEST(TrackRailing, ReversedRunsBackwards) {
  model::Builder b;
  b.add_track(track_of(arcs({{0, 20}, {1 / 100.0, 100}})));
  model::BodySpec car = on_track("car", kMass, 60, -8, {9, 20, 22, 0, 0, 0});
  car.on_track->reversed = true;
  car.X_WB.p = {0.5, 0, 0.7};  // ahead, in its own direction, and above
  b.add_body(car);
  model::JointSpec j = running("car");
  j.frame_b = Pose{{-0.5, 0, -0.7}, about(Vec3::UnitZ(), M_PI)};
  b.add_joint(j);
  const model::Built fit = built(b);
  EXPECT_LT(fit.start.gap, 1e-12);
  EXPECT_LT(fit.start.moved, 1e-12);
  EXPECT_LT(fit.start.speed_change, 1e-12);
  Ride ride(b, 1e-3, 5);
  geom::CurvePoint at = fit.model->tracks[0].track->at(60);
  EXPECT_LT((ride.R().col(0) + at.C.col(0)).norm(), 1e-12);  // faces back
  EXPECT_LT((ride.R().col(2) - at.C.col(2)).norm(), 1e-12);
  EXPECT_GT(ride.v().dot(ride.R().col(0)), 7.9);  // and moves ahead
  ride.to(2);
  EXPECT_NEAR(ride.s(), 60 - 16,
              1e-2);  // its mass centre runs on another radius, gravity is upright
  ride.to_end();
  EXPECT_LT(ride.s(), 25);
  EXPECT_LT(ride.sim.summary().max_gap, 1e-11);
}

/// Without half a turn of the anchor the frames meet the wrong way round, and that is said.
TEST(TrackRailing, FacingTheWrongWayIsRefused) {
  model::Builder b;
  b.add_track(track_of(line(100)));
  model::BodySpec car = on_track("car", kMass, 60, 0);
  car.on_track->reversed = true;
  b.add_body(car);
  b.add_joint(running("car"));
  const auto out = b.build();
  const auto* problems = std::get_if<std::vector<Problem>>(&out);
  ASSERT_NE(problems, nullptr);
  ASSERT_EQ(problems->size(), 1u);
  EXPECT_EQ(problems->at(0).path, "joint.car.track");
  EXPECT_NE(problems->at(0).text.find("wrong way round"), std::string::npos)
      << problems->at(0).text;
}

TEST(TrackRailing, OutsideTheTrackIsRefused) {
  for (const double s : {-0.1, 100.1}) {
    model::Builder b;
    b.add_track(track_of(line(100)));
    b.add_body(on_track("car", kMass, s, 0));
    model::JointSpec j = running("car");
    j.s = s;
    b.add_joint(j);
    const auto out = b.build();
    const auto* problems = std::get_if<std::vector<Problem>>(&out);
    ASSERT_NE(problems, nullptr);
    ASSERT_EQ(problems->size(), 2u);  // of the body and of the joint
    for (const Problem& p : *problems) {
      EXPECT_NE(p.text.find("off the track 'track' of 100 m"), std::string::npos) << p.text;
      EXPECT_NE(p.text.find(fmt::format("s = {} m", s)), std::string::npos) << p.text;
    }
  }
}

/// A joint that holds the height only lets its body go to the inside of the curve: past half the
/// radius the nearest point of the track is no longer sure, and the run stops.
TEST(TrackLost, HalfWayToTheCentreOfCurvature) {
  auto parsed = joint::make_table("height", std::vector<std::string>{"vertical = Cz.E"}, {},
                                  std::vector<std::string>{"s = s"});
  model::Builder b;
  b.add_track(track_of(arc(1 / 20.0, 60)));
  model::BodySpec car = on_track("car", kMass, 30, 0);
  car.on_track.reset();
  car.X_WB.p = {20 * std::sin(1.5), 20 - 20 * std::cos(1.5), 0};
  car.v = -2 * Vec3(std::sin(1.5), -std::cos(1.5), 0);  // towards the centre: there after 5 s
  b.add_body(car);
  b.add_joint(running("car", std::make_shared<joint::Table>(std::move(parsed.table))));
  Simulation sim(built(b), settings(10, 1e-3));
  while (sim.advance() && !sim.finished()) {
  }
  EXPECT_FALSE(sim.finished());
  EXPECT_NE(sim.failure().find("joint 'car.track' has lost its track"), std::string::npos)
      << sim.failure();
  EXPECT_EQ(sim.last().status, form::Status::failed);
  EXPECT_NEAR(sim.state().t, 5, 2e-3);  // the last good step
  EXPECT_EQ(sim.failure().substr(0, 7), "t = 4.9") << sim.failure();
}

}  // namespace
}  // namespace trammel::acceptance::track_drive_test

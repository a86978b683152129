// Vehicles on curves: cant, long vehicles, transitions, the end of the line.
#include "geom/alignment.h"
#include "track_support.h"

namespace trammel::acceptance::track_curve_test {
namespace {

/// A body on a left curve of 300 m with the track rolled by `twist`, at 30 m/s.
model::Builder banked(double twist) {
  model::Builder b;
  b.add_track(track_of(arc(1 / 300.0, 1500), track::Twist(twist)));
  b.add_body(on_track("car", 1000, 0, 30, {400, 900, 1100, 0, 0, 0}));
  b.add_joint(running("car"));
  return b;
}

TEST(TrackBanked, NoLateralForceAtTheBalancedCant) {
  const double weight = 1000 * kG, balance = std::atan(30 * 30 / (kG * 300));
  for (const double side : {-1.0, 1.0}) {  // outer rail high: w < 0 in a left curve
    Ride ride(banked(side * balance), 1e-3, 5);
    double worst = 0, spin = 0;
    for (int k = 1; k <= 100; ++k) {
      ride.to(0.05 * k);
      worst = std::max(worst, std::abs(ride.force(0)));
      spin = std::max(spin, (ride.w() - Vec3(0, 0, 0.1)).norm());
    }
    if (side < 0)
      EXPECT_LT(worst, 1e-7 * weight);  // truncation, (kappa v h)^2 = 1e-8 of m v^2/R
    else
      EXPECT_NEAR(worst, 2 * weight * std::sin(balance), 1e-6 * weight);
    EXPECT_LT(spin, 1e-9);  // steady, truncation (kappa v h)^2
    // the vertical row carries the rest
    const double up = side < 0 ? weight / std::cos(balance)
                               : weight * std::cos(balance) - 3000 * 100 / 100 * std::sin(balance);
    EXPECT_NEAR(ride.force(1), up, 1e-6 * weight);
  }
}

/// A car of 19 m between pivots on two bogies, both pivots revolute: three of the rows are
/// redundant.
TEST(TrackLongVehicle, StandsOnTheChord) {
  const double radius = 300, half = 9.5, angle = std::asin(half / radius);
  const double chord_radius = std::sqrt(radius * radius - half * half), middle = 0.1;
  const Mat3 upright = about(Vec3::UnitY(), -M_PI / 2);  // x points up
  model::Builder b;
  b.add_track(track_of(arc(1 / radius, 600)));
  b.add_body(on_track("front", 3000, (middle + angle) * radius, 30, {2000, 2500, 4000, 0, 0, 0}));
  b.add_body(on_track("rear", 3000, (middle - angle) * radius, 30, {2000, 2500, 4000, 0, 0, 0}));
  model::BodySpec car = solid("car", 30000, {4e4, 9e5, 9e5});
  car.X_WB = {{chord_radius * std::sin(middle), radius - chord_radius * std::cos(middle), 0},
              about(Vec3::UnitZ(), middle)};
  car.v = 0.1 * Vec3::UnitZ().cross(car.X_WB.p - Vec3(0, radius, 0));
  car.w = {0, 0, 0.1};
  b.add_body(car);
  for (const auto& [name, x] : {std::pair("front", half), std::pair("rear", -half)}) {
    b.add_joint(running(name));
    model::JointSpec pivot;
    pivot.name = std::string(name) + ".pivot";
    pivot.type = "revolute";
    pivot.a = name;
    pivot.b = "car";
    pivot.frame_a = Pose{Vec3::Zero(), upright};
    pivot.frame_b = Pose{{x, 0, 0}, upright};
    b.add_joint(pivot);
  }
  Ride ride(b, 1e-3, 5);
  double radius_error = 0, yaw_error = 0;
  for (int k = 1; k <= 500; ++k) {
    ride.to(0.01 * k);
    radius_error =
        std::max(radius_error, std::abs((ride.p(2) - Vec3(0, radius, 0)).norm() - 299.8495456058));
    const double degree = 180 / M_PI;
    yaw_error = std::max(
        {yaw_error,
         std::abs(std::abs(coordinate(ride.sim, "front.pivot", "angle")) * degree - 1.8146697225),
         std::abs(std::abs(coordinate(ride.sim, "rear.pivot", "angle")) * degree - 1.8146697225)});
  }
  EXPECT_GT(ride.s(), 150);
  EXPECT_LT(radius_error, 1e-9);  // the rows' tolerance, 1e-12; figures of 13 digits
  EXPECT_LT(yaw_error, 1e-9);
  EXPECT_LT(ride.sim.summary().max_gap, 1e-11);
  EXPECT_LT(ride.sim.summary().max_row_speed, 1e-10);
  EXPECT_NEAR(ride.w(2).z(), 0.1, 1e-8);  // truncation
}

TEST(TrackOpenEnd, QuarterArcIsLeftAtItsEnd) {
  const double length = 50 * M_PI;
  model::Builder b;
  b.add_track(track_of(arc(1 / 100.0, length)));
  b.add_body(on_track("car", 100, length / 2, 1, {10, 10, 10, 0, 0, 0}));
  b.add_joint(running("car"));
  Ride ride(b, 0.01, 80);
  ride.to_end();
  const auto ends = ride.all("open end");
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_EQ(ends[0].subject, "car.track");
  EXPECT_NEAR(ends[0].t / (25 * M_PI), 1, 1e-8);  // truncation, (kappa v h)^2 / 6 = 2e-9
  EXPECT_NEAR(ends[0].t, 78.54, 0.0005 * 78.54);
  EXPECT_NEAR(ends[0].value, length, 1e-9);  // there, exactly
  EXPECT_FALSE(ride.on());
  // free afterwards: straight on and down
  const double fall = 80 - ends[0].t;
  EXPECT_NEAR(ride.p().z(), -kG * fall * fall / 2, 1e-9);
  EXPECT_NEAR(ride.v().y(), 1, 1e-8);
  EXPECT_NEAR(ride.w().z(), 0.01, 1e-9);
}

/// Grades with round crests, an S of clothoids, cant along them: curvature and twist rate jump.
model::TrackSpec railway() {
  using enum geom::Shape;
  geom::AlignmentSpec spec;
  spec.plan.elements = {{constant, 40},
                        {linear, 80, 0, 1 / 300.0},
                        {constant, 120, 1 / 300.0},
                        {linear, 120, 1 / 300.0, -1 / 400.0},
                        {constant, 100, -1 / 400.0},
                        {linear, 80, -1 / 400.0, 0},
                        {constant, 100}};
  spec.profile = geom::ProfileSpec{.height = 5,
                                   .elements = {{geom::ProfileShape::grade, 150, 0.008},
                                                {geom::ProfileShape::circle, 60, 0.008, -0.01},
                                                {geom::ProfileShape::grade, 200, -0.01},
                                                {geom::ProfileShape::parabola, 60, -0.01, 0.004},
                                                {geom::ProfileShape::grade, 170, 0.004}}};
  track::CantSpec cant;
  cant.elements = {{constant, 40},
                   {linear, 80, 0, 0, 0, 0.12},
                   {constant, 120, 0, 0, 0.12},
                   {linear, 120, 0, 0.09, 0.12, 0},
                   {constant, 100, 0.09},
                   {linear, 80, 0.09, 0},
                   {constant, 100}};
  EXPECT_TRUE(geom::check(spec).empty() && track::check(cant).empty());
  return track_of(std::make_shared<geom::Alignment>(spec), track::Twist(cant));
}

/// Its mass centre lies 0.6 m over the rails and 0.1 m ahead of the anchor.
model::Builder bogie(bool backwards) {
  model::Builder b;
  b.add_track(railway());
  model::BodySpec body = on_track("bogie", 3000, backwards ? 600 : 20, backwards ? -9 : 9,
                                  {2000, 2500, 4000, 50, -30, 20});
  body.X_WB.p = {0.1, 0, 0.6};
  b.add_body(body);
  model::JointSpec j = running("bogie");
  j.frame_b = Pose{{-0.1, 0, -0.6}};
  b.add_joint(j);
  return b;
}

class TrackTransition : public testing::TestWithParam<bool> {};

TEST_P(TrackTransition, SecondOrderOverTheBorders) {
  const auto end = [&](double step) {
    Ride ride(bogie(GetParam()), step, 48);
    ride.to_end();
    EXPECT_EQ(ride.all("impact").size(), 7u);  // borders where rows jump
    return ride.p();
  };
  const Vec3 h1 = end(0.032), h2 = end(0.016), h4 = end(0.008), h8 = end(0.004);
  const auto order = orders({(h1 - h2).norm(), (h2 - h4).norm(), (h4 - h8).norm()});
  EXPECT_NEAR(order[0], 2, 0.1);
  EXPECT_NEAR(order[1], 2, 0.1);
}

TEST_P(TrackTransition, RowsAreHeldForAMinute) {
  Ride ride(bogie(GetParam()), 1e-3, 60);
  ride.to_end();
  const auto& summary = ride.sim.summary();
  EXPECT_NEAR(summary.simulated, 60, 1e-9);
  EXPECT_TRUE(ride.on());
  EXPECT_LT(summary.max_gap, 1e-10);
  EXPECT_LT(summary.max_angle, 1e-10);
  EXPECT_LT(summary.max_row_speed, 1e-10);
  EXPECT_LT(summary.energy_residual_rel(), 1e-9);  // truncation
  EXPECT_EQ(summary.fallbacks, 0);
}

INSTANTIATE_TEST_SUITE_P(, TrackTransition, testing::Bool(), [](const auto& test) {
  return std::string(test.param ? "Backwards" : "Forwards");
});

}  // namespace
}  // namespace trammel::acceptance::track_curve_test

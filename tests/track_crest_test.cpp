// A track that can push but not pull: a mass lifts off a crest, flies, lands.
#include "geom/alignment.h"
#include "track_support.h"

namespace trammel::acceptance::track_crest_test {
namespace {

constexpr double kRadius = 40, kLevel = 10, kTurn = 0.02;  // [m], [m], [rad]
constexpr double kMass = 5;                                // [kg]

/// Level, then a crest that turns down by kTurn, then straight down the grade; the mass starts 1 m
/// before the crest at `speed`.
model::Builder crest(double speed) {
  geom::AlignmentSpec spec;
  const double round = kRadius * std::sin(kTurn), grade = -std::tan(kTurn);
  spec.plan.elements = {{geom::Shape::constant, 200}};
  spec.profile =
      geom::ProfileSpec{.elements = {{geom::ProfileShape::grade, kLevel, 0},
                                     {geom::ProfileShape::circle, round, 0, grade},
                                     {geom::ProfileShape::grade, 200 - kLevel - round, grade}}};
  EXPECT_TRUE(geom::check(spec).empty());
  model::Builder b;
  b.add_track(track_of(std::make_shared<geom::Alignment>(spec)));
  b.add_body(on_track("mass", kMass, kLevel - 1, speed));
  model::JointSpec j = running("mass", point_on_track());
  model::RowSpec row;
  row.row = "vertical";
  row.unilateral = true;
  j.rows.push_back(row);
  b.add_joint(j);
  return b;
}

constexpr int kVerticalRow = 1;

/// Greatest height over the track while passing the crest.
double greatest_gap(double speed) {
  Ride ride(crest(speed), 1e-4, 0.15);
  double gap = 0;
  while (!ride.sim.finished()) {
    ride.to(ride.t() + 1e-4);
    gap = std::max(gap, ride.g(kVerticalRow));
  }
  return gap;
}

/// kappa v^2 = g at its beginning. On the way down kTurn the bound on v^2 falls by 3 (1 - cos
/// kTurn) = 6e-4: 1e-3 below stays all the way.
TEST(TrackCrest, LiftsOffAtItsSpeed) {
  const double critical = std::sqrt(kG * kRadius);
  EXPECT_LT(greatest_gap(critical * std::sqrt(1 - 1e-3)), 1e-11);  // rounding
  const double flight = greatest_gap(critical * std::sqrt(1 + 1e-3));
  // (kappa v^2 - g) t^2 / 2 at the end of the round, t = 0.04 s; on the grade it comes down
  EXPECT_GT(flight, 0.5 * 1e-3 * kG * std::pow(kRadius * kTurn / critical, 2) / 2);
}

/// The force of the track falls to zero as kappa v^2 comes to g: (g - kappa v^2) m on the crest.
TEST(TrackCrest, PushesLessAndLess) {
  const double critical = std::sqrt(kG * kRadius);
  for (const double part : {0.0001, 0.25, 0.5, 0.9, 0.999}) {
    model::Builder b = crest(critical * std::sqrt(part));
    // 1 mm past the beginning of the crest
    Ride ride(b, 1e-4, 1.001 / (critical * std::sqrt(part)) + 1e-4);
    ride.to_end();
    EXPECT_NEAR(ride.force(kVerticalRow) / (kMass * kG), 1 - part, 1e-6)
        << part;  // truncation, h^2
  }
}

struct Landing {
  double t, x, normal_speed, along;  // since the crest's beginning
};

/// z = -g t^2 / 2 meets the grade that leaves the round at its end.
Landing landing(double speed) {
  const double x1 = kRadius * std::sin(kTurn), z1 = -kRadius * (1 - std::cos(kTurn)),
               g = std::tan(kTurn);
  // -g t^2/2 = z1 - tan (v t - x1)
  const double a = kG / 2, b = -g * speed, c = z1 + g * x1;
  const double t = (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
  const double v_z = -kG * t;
  return {t, speed * t, -(v_z * std::cos(kTurn) + speed * std::sin(kTurn)),
          speed * std::cos(kTurn) - v_z * std::sin(kTurn)};
}

TEST(TrackCrest, FliesUntilItLands) {
  const double speed = 1.5 * std::sqrt(kG * kRadius), step = 1e-4;
  const Landing exact = landing(speed);
  const double crest_t = 1 / speed;
  Ride ride(crest(speed), step, 0.3);
  ride.to(crest_t + exact.t - 3 * step);
  const double t = ride.t() - crest_t;
  EXPECT_NEAR(ride.p().x(), kLevel + speed * t, 1e-9);
  EXPECT_NEAR(ride.p().z(), -kG * t * t / 2, 1e-9);  // the border is an event: exact
  EXPECT_GT(ride.g(kVerticalRow), 1e-5);
  EXPECT_EQ(ride.force(kVerticalRow), 0);
  ride.to_end();
  std::vector<form::Event> impacts;
  for (const form::Event& e : ride.all("impact"))
    if (e.t > crest_t + 0.05) impacts.push_back(e);
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].t, crest_t + exact.t, 2 * step);  // the end of the step in which it lands
  const double lost = kMass * exact.normal_speed * exact.normal_speed / 2;
  EXPECT_NEAR(-ride.ledger(model::kImpacts), lost, 4 * step * kG * exact.normal_speed * kMass);
  EXPECT_LT(ride.sim.summary().energy_residual_rel(), 1e-9);
  // and runs on, on the track
  EXPECT_GE(ride.g(kVerticalRow), -1e-9);
  EXPECT_LE(ride.g(kVerticalRow), 1e-10);
  const double down = kG * std::sin(kTurn) * (ride.t() - impacts[0].t);
  EXPECT_NEAR(ride.v().norm(), exact.along + down, 1e-4);  // of the step of landing
}

/// A landing with restitution: the normal speed is turned round.
TEST(TrackCrest, BouncesWithRestitution) {
  model::Builder b;
  b.add_track(track_of(line(100)));
  model::BodySpec ball = on_track("ball", kMass, 10, 3);
  ball.X_WB.p = {0, 0, 0.5};
  b.add_body(ball);
  model::JointSpec j = running("ball", point_on_track());
  model::RowSpec row;
  row.row = "vertical";
  row.unilateral = true;
  row.restitution = 0.5;
  j.rows.push_back(row);
  b.add_joint(j);
  Ride ride(b, 1e-4, 0.6);
  const double fall = std::sqrt(2 * 0.5 / kG), v = kG * fall;
  ride.to(fall + 0.01);
  EXPECT_NEAR(ride.v().z(), v / 2 - kG * 0.01, 2e-3);  // within a step of the impact: 1.5 g h
  EXPECT_NEAR(-ride.ledger(model::kImpacts), 0.75 * kMass * v * v / 2, 1e-4 * kMass * v * kG);
  EXPECT_LT(ride.sim.summary().energy_residual_rel(), 1e-9);
}

}  // namespace
}  // namespace trammel::acceptance::track_crest_test

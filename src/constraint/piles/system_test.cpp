#include "constraint/piles/system.h"

#include <gtest/gtest.h>

#include <vector>

namespace trammel::constraint::piles::system_test {
namespace {

/// A ball of 1 m and 2 kg above ground (body 0), which it touches at its lowest point.
struct Ball {
  std::vector<ContactBody> bodies{{}, {0.5, Mat3(Vec3::Constant(1 / 0.8).asDiagonal())}};
  std::vector<ContactPoint> points{1};
  std::vector<ContactTargets> targets{1};
  std::vector<double> v = std::vector<double>(12), p = std::vector<double>(6);

  Ball() {
    points[0].b = 1;
    points[0].r_b = Vec3(0, 0, -1);
  }
  ContactEffort solve() {
    ContactSystem system;
    system.build(bodies, points);
    return system.solve(targets, v, p, {1e-13});
  }
};

TEST(ContactSystem, BallStopsOnTheGround) {
  Ball ball;
  ball.v[8] = -3;
  const ContactEffort effort = ball.solve();
  EXPECT_TRUE(effort.converged);
  EXPECT_NEAR(ball.v[8], 0, 1e-14);
  EXPECT_NEAR(ball.p[0], 6, 1e-14);
}

TEST(ContactSystem, SlidingBallIsHeldByFriction) {
  Ball ball;
  ball.points[0].mu = 0.2;
  ball.v[6] = 5, ball.v[8] = -3;
  ball.solve();
  EXPECT_NEAR(ball.p[1], -1.2, 1e-14);
  EXPECT_NEAR(ball.v[6], 5 - 0.6, 1e-14);
  EXPECT_NEAR(ball.v[10], 1.2 / 0.8, 1e-14);
}

TEST(ContactSystem, FrictionlessPushesApartAlone) {
  Ball ball;
  ball.points[0].mu = 0.5, ball.points[0].spinning = ball.points[0].rolling = 0.1;
  ball.targets[0].u[0] = 0.25;  // out of an overlap
  ball.v[6] = 5, ball.v[10] = 2, ball.v[11] = 1;
  ContactSystem system;
  system.build(ball.bodies, ball.points);
  ContactOptions options{1e-13};
  options.frictionless = true;
  EXPECT_TRUE(system.solve(ball.targets, ball.v, ball.p, options).converged);
  EXPECT_NEAR(ball.v[8], 0.25, 1e-14);
  EXPECT_EQ(ball.v[6], 5);
  EXPECT_EQ(ball.v[10], 2);
  EXPECT_EQ(ball.v[11], 1);
}

/// Too few sweeps, and Newton not allowed: what is told is how it is.
TEST(ContactSystem, TellsWhatIsNotSolved) {
  Ball ball;
  ball.points[0].mu = 0.2;
  ball.v[6] = 5, ball.v[8] = -3;
  ContactSystem system;
  system.build(ball.bodies, ball.points);
  const ContactEffort none = system.solve(ball.targets, ball.v, ball.p, {1e-13, 0, 0});
  EXPECT_FALSE(none.converged);
  EXPECT_NEAR(none.merit, 3, 1e-13);
  ball.v[8] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(system.solve(ball.targets, ball.v, ball.p).converged);
}

TEST(ContactSystem, PointWithoutPartHasNoImpulse) {
  Ball ball;
  ball.v[8] = -3;
  ball.targets[0].u[0] = -std::numeric_limits<double>::infinity();
  ball.p[0] = 1;
  EXPECT_TRUE(ball.solve().converged);
  EXPECT_EQ(ball.p[0], 0);
  EXPECT_EQ(ball.v[8], -3);
}

}  // namespace
}  // namespace trammel::constraint::piles::system_test

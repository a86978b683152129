// Forces of closed points, by formulas.
#include "constraint/forces/test_forces.h"

namespace trammel::constraint::problem_test {
namespace {

using test::ball;
using test::block;
using test::Forces;
using test::on_slope;

constexpr double kG = 9.81, kMass = 2;

model::BodySpec brick(const Vec3& v = Vec3::Zero()) {
  model::BodySpec out = block("a", Vec3(0.4, 0.3, 0.1), kMass, Vec3::Zero());
  out.v = v;
  return out;
}

// A block sticks up to tan(alpha) = mu; beyond it friction is mu m g cos(alpha).
TEST(ContactForcesOnASlope, HoldABlockUpToTheSlopeOfItsFriction) {
  const double mu = 0.4;
  for (const double angle : {0., 0.1, 0.3, std::atan(mu) - 1e-4, std::atan(mu) + 1e-4, 0.6}) {
    Forces s(on_slope(angle, mu, brick(), 0.05));
    ASSERT_EQ(s.touches.all.size(), 4U);
    ASSERT_TRUE(s.decide_now());
    const std::vector<double> a = s.solve();
    const Mat3 R = exp_matrix(Vec3(0, angle, 0));
    const double normal = kMass * kG * std::cos(angle), pull = kMass * kG * std::sin(angle);
    const double rubs = std::min(pull, mu * normal);
    EXPECT_NEAR((R.transpose() * s.force() - Vec3(-rubs, 0, normal)).norm(), 0, 1e-9) << angle;
    EXPECT_NEAR((R.transpose() * vec3(a.data()) - Vec3((pull - rubs) / kMass, 0, 0)).norm(), 0,
                1e-9);
    EXPECT_NEAR(vec3(a.data() + 3).norm(), 0, 1e-8);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(s.status(i), std::tan(angle) < mu ? TouchStatus::sticking : TouchStatus::slipping);
  }
}

// A ball rolls with 5/7 of g sin(alpha) as long as 2/7 tan(alpha) < mu.
TEST(ContactForcesOnASlope, LetABallRoll) {
  const double mu = 0.2;
  for (const double angle : {0.1, 0.5, 0.7, 1.2}) {
    Forces s(on_slope(angle, mu, ball("a", 0.1, kMass, Vec3::Zero()), 0.1));
    ASSERT_EQ(s.touches.all.size(), 1U);
    ASSERT_TRUE(s.decide_now());
    const std::vector<double> a = s.solve();
    const bool rolls = 2 * std::tan(angle) / 7 < mu;
    const double along = std::sin(angle) - (rolls ? 2 * std::sin(angle) / 7 : mu * std::cos(angle));
    EXPECT_NEAR(vec3(a.data()).norm(), kG * along, 1e-10) << angle;
    EXPECT_EQ(s.status(), rolls ? TouchStatus::sticking : TouchStatus::slipping);
  }
}

// What slides is braked against its slip, whatever its direction.
TEST(ContactForcesOnAFloor, BrakeWhatSlides) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 10; ++trial) {
    Vec3 v = test::random_vector(random, 2);
    v.z() = 0;
    Forces s(on_slope(0, 0.3, brick(v), 0.05));
    ASSERT_TRUE(s.decide_now());
    const std::vector<double> a = s.solve();
    EXPECT_NEAR((vec3(a.data()) + 0.3 * kG * v.normalized()).norm(), 0, 1e-9);
    const ContactPowers power = powers(s.contacts, s.touches);
    EXPECT_NEAR(power.friction, -0.3 * kMass * kG * v.norm(), 1e-9);
    EXPECT_NEAR((power.outside.force - s.force()).norm(), 0, 1e-12);
    EXPECT_EQ(power.drives, 0);
  }
}

TEST(ContactForcesOnAFloor, OfABeltDriveWhatRests) {
  model::Builder b;
  model::ContactSpec belt = test::floor_of();
  belt.surface_velocity = {2, 0, 0};
  b.add_obstacle(belt);
  b.add_contact_law(test::law_everywhere(0.3));
  model::BodySpec body = brick();
  body.X_WB.p.z() = 0.05;
  b.add_body(body);
  Forces s(b);
  ASSERT_TRUE(s.decide_now());
  const std::vector<double> a = s.solve();
  EXPECT_NEAR(a[0], 0.3 * kG, 1e-9);
  const ContactPowers power = powers(s.contacts, s.touches);
  const double force = 0.3 * kMass * kG;
  EXPECT_NEAR(power.drives, 2 * force, 1e-8);
  EXPECT_NEAR(power.friction + power.drives, 0, 1e-8);  // the block itself does not move yet
}

// A curved way is no straight one: a ball in a hole of gravity g - v^2 / (R + r) presses less.
TEST(ContactForcesOnABall, AreLessByItsCurvature) {
  const double R = 0.5, r = 0.1, v = 1.5;
  model::Builder b;
  b.add_body(test::prescribed(ball("planet", R, 1, Vec3::Zero()), {}));
  model::BodySpec body = ball("a", r, kMass, {0, 0, R + r});
  body.v = {v, 0, 0};
  b.add_body(body);
  Forces s(b);
  ASSERT_TRUE(s.decide_now());
  const std::vector<double> a = s.solve();
  EXPECT_NEAR(a[2], -v * v / (R + r), 1e-9);
  EXPECT_NEAR(std::abs(s.force().z()), kMass * (kG - v * v / (R + r)), 1e-9);
}

TEST(ContactForcesOnABall, AreNoneOfWhatIsTooFast) {
  model::Builder b;
  b.add_body(test::prescribed(ball("planet", 0.5, 1, Vec3::Zero()), {}));
  model::BodySpec body = ball("a", 0.1, kMass, {0, 0, 0.6});
  body.v = {std::sqrt(kG * 0.6) * 1.001, 0, 0};
  b.add_body(body);
  Forces s(b);
  ASSERT_EQ(s.touches.all.size(), 1U);
  ASSERT_TRUE(s.decide_now());
  EXPECT_EQ(s.status(), TouchStatus::idle);
  EXPECT_NEAR(s.solve()[2], -kG, 1e-12);
}

// Each point's covectors are power: p . rates = u . push(p).
TEST(ContactForcesAtAPoint, PushByItsRates) {
  std::mt19937 random(3);
  model::BodySpec body = brick({1, 2, 0});
  body.w = {0, 0, 2};
  Forces s(on_slope(0.2, 0.5, body, 0.05));
  for (const Touch& t : s.touches.all) {
    const Vec3 p = test::random_vector(random, 1);
    std::vector<double> f(s.u.size(), 0);
    push(t, p, f.data());
    double power = 0, rates = 0;
    for (std::size_t i = 0; i < f.size(); ++i) power += f[i] * s.u[i];
    for (int k = 0; k < 3; ++k) rates += p[k] * along(t, k, s.u.data());
    EXPECT_NEAR(power, rates, 1e-13);
    EXPECT_NEAR((t.rate - t.own).dot(p), rates, 1e-12);
  }
}

// Four corners carry what three could; the forces of least norm are the same at all corners.
TEST(ContactForcesOnAFloor, AreSharedEvenly) {
  Forces s(on_slope(0, 0.5, brick(), 0.05));
  ASSERT_TRUE(s.decide_now());
  s.solve();
  for (const Touch& t : s.touches.all) {
    EXPECT_NEAR(t.p[0], kMass * kG / 4, 1e-9);
    EXPECT_NEAR(t.p.tail<2>().norm(), 0, 1e-9);
  }
}

// A block on a slope leans on its lower edge; its forces make no moment about its middle.
TEST(ContactForcesOnASlope, HoldItsMoment) {
  const double angle = 0.3;
  Forces s(on_slope(angle, 0.5, brick(), 0.05));
  ASSERT_TRUE(s.decide_now());
  s.solve();
  Vec3 moment = Vec3::Zero();
  for (const Touch& t : s.touches.all)
    moment += (t.motion.x - s.place("a")).cross(in_world(t, t.p));
  EXPECT_NEAR(moment.norm(), 0, 1e-9);
  std::vector<double> wrench(6, 0);
  std::vector<Vec3> p;
  for (const Touch& t : s.touches.all) p.push_back(t.p);
  add_wrenches(s.contacts, s.touches, p, s.now, wrench.data());
  EXPECT_NEAR((vec3(wrench.data()) - s.force()).norm(), 0, 1e-10);
  EXPECT_NEAR(vec3(wrench.data() + 3).norm(), 0, 1e-9);
}

}  // namespace
}  // namespace trammel::constraint::problem_test

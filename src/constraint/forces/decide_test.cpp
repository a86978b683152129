// When the law of contact changes, and who is closed from then on.
#include "constraint/forces/test_forces.h"

namespace trammel::constraint::decide_test {
namespace {

using test::ball;
using test::block;
using test::Forces;
using test::on_slope;

constexpr double kG = 9.81;

model::BodySpec brick() { return block("a", Vec3(0.4, 0.3, 0.1), 2, Vec3::Zero()); }

void set_gravity(Forces& s, const Vec3& g) {
  vec3(s.it.params.values.data() + model::kGravityParam) = g;
}
/// Gravity as on a slope that falls towards +x.
Vec3 tilted(double angle) { return kG * Vec3(std::sin(angle), 0, -std::cos(angle)); }

// A block that sticks is tilted: its alarm is off up to tan(angle) = mu. Its corners share forces
// in many ways, of which those of least norm leave their cones earlier.
TEST(ContactAlarm, OfSlidingIsAtTheConeOfFriction) {
  const double mu = 0.4;
  Forces s(on_slope(0, mu, brick(), 0.05));
  ASSERT_TRUE(s.decide_now());
  for (const double off : {-0.3, -1e-3, -1e-6, 1e-6, 1e-3, 0.3}) {
    set_gravity(s, tilted(std::atan(mu) + off));
    const std::vector<double> a = s.solve();
    const Vec3 before = s.force();
    std::vector<double> change(6, 0);
    EXPECT_EQ(share(s.contacts, a.data(), s.response(), s.touches, change.data()),
              off == -1e-3 || off == -1e-6);
    EXPECT_NEAR((s.force() - before).norm(), 0, 1e-10);  // shared otherwise, the same in sum
    EXPECT_NEAR(vec3(change.data()).norm() + vec3(change.data() + 3).norm(), 0, 1e-10);
    EXPECT_EQ(alarm(s.contacts, s.touches) > kAlarm, off > 0) << off;
    EXPECT_EQ(is_alarmed(s.contacts, s.touches), off > 0) << off;
  }
}

// A ball has one point: it rolls up to 2/7 tan(angle) = mu.
TEST(ContactAlarm, OfSlidingOfOnePointIsAtItsOwnCone) {
  const double mu = 0.2;
  Forces s(on_slope(0, mu, ball("a", 0.1, 2, Vec3::Zero()), 0.1));
  ASSERT_TRUE(s.decide_now());
  for (const double off : {-0.3, -1e-3, -1e-6, 1e-6, 1e-3, 0.3}) {
    set_gravity(s, tilted(std::atan(3.5 * mu) + off));
    s.solve();
    EXPECT_EQ(alarm(s.contacts, s.touches) > kAlarm, off > 0) << off;
  }
}

TEST(ContactAlarm, OfPartingIsWhereTheLoadIsNone) {
  Forces s(on_slope(0, 0.4, brick(), 0.05));
  ASSERT_TRUE(s.decide_now());
  for (const double g : {-9.81, -1e-6, 1e-6, 1.}) {
    set_gravity(s, {0, 0, g});
    s.solve();
    EXPECT_EQ(alarm(s.contacts, s.touches) > kAlarm, g > 0) << g;
  }
}

// What slips is alarmed where it goes back.
TEST(ContactAlarm, OfStickingIsWhereASlipTurns) {
  model::BodySpec body = brick();
  body.v = {1, 0, 0};
  Forces s(on_slope(0, 0.4, body, 0.05));
  ASSERT_TRUE(s.decide_now());
  ASSERT_EQ(s.status(), TouchStatus::slipping);
  for (const double v : {1., 1e-3, -1e-3, -1.}) {
    s.u[0] = v;
    s.kin.rates(s.state.q.data(), s.u.data(), s.now);
    s.solve();
    EXPECT_EQ(alarm(s.contacts, s.touches) > kAlarm, v < 0) << v;
  }
}

// Block, tilted past its cone, is decided anew: it slips down, and tells so once.
TEST(ContactDecision, LetsSlipWhatHasComeToItsCone) {
  const double mu = 0.4, angle = std::atan(mu) + 1e-3;
  Forces s(on_slope(0, mu, brick(), 0.05));
  ASSERT_TRUE(s.decide_now());
  EXPECT_EQ(s.status(), TouchStatus::sticking);
  set_gravity(s, tilted(angle));
  ASSERT_TRUE(s.decide_now(true));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(s.status(i), TouchStatus::slipping);
    const Vec3 down = s.contacts.touching[i].d;  // of B against A
    EXPECT_NEAR((down - Vec3(1, 0, 0)).norm(), 0, 1e-9);
  }
  const std::vector<double> a = s.solve();
  EXPECT_NEAR(a[0], kG * (std::sin(angle) - mu * std::cos(angle)), 1e-9);
  std::vector<Event> events;
  tell(s.contacts, events);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, EventKind::slide);
}

TEST(ContactDecision, LetsStickWhatHasComeToRest) {
  model::BodySpec body = brick();
  body.v = {1, 0, 0};
  Forces s(on_slope(0, 0.4, body, 0.05));
  ASSERT_TRUE(s.decide_now());
  s.u[0] = 0;
  s.kin.rates(s.state.q.data(), s.u.data(), s.now);
  evaluate(s.contacts, s.now, s.u.data(), s.touches);
  ASSERT_TRUE(s.decide_now(true));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(s.status(i), TouchStatus::sticking);
  EXPECT_NEAR(s.solve()[0], 0, 1e-10);
  std::vector<Event> events;
  tell(s.contacts, events);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, EventKind::hold);
}

TEST(ContactDecision, OpensWhatParts) {
  model::BodySpec body = brick();
  body.v = {0, 0, 1e-3};
  Forces rising(on_slope(0, 0.4, body, 0.05));
  EXPECT_TRUE(rising.contacts.touching.empty());
  Forces pulled(on_slope(0, 0.4, brick(), 0.05));
  set_gravity(pulled, {0, 0, 1});
  ASSERT_TRUE(pulled.decide_now());
  EXPECT_FALSE(any_closed(pulled.contacts));
  EXPECT_NEAR(pulled.solve()[2], 1, 1e-13);
}

// A block that hangs over an edge tips about it: what is beyond carries nothing.
TEST(ContactDecision, TipsAboutAnEdge) {
  model::Builder b;
  b.add_obstacle({.solid = {body::Solid::Kind::box, Vec3(1, 1, 0.2)},
                  .X_BS = {Vec3(-0.6, 0, -0.1), Mat3::Identity()},
                  .name = "shelf"});
  b.add_contact_law(test::law_everywhere(0.5));
  model::BodySpec body = brick();
  body.X_WB.p = {0, 0, 0.05};  // it reaches from -0.2 to 0.2, the shelf to -0.1
  b.add_body(body);
  Forces s(b);
  ASSERT_TRUE(s.decide_now());
  const std::vector<double> a = s.solve();
  // about the edge, 0.1 behind its middle and 0.05 below it, where it does not slip
  const double I = 2 * (0.16 + 0.01) / 12, about = I + 2 * (0.01 + 0.0025);
  const double turns = 2 * kG * 0.1 / about;
  EXPECT_NEAR(a[4], turns, 1e-8);
  for (std::size_t i = 0; i < s.touches.all.size(); ++i)
    EXPECT_EQ(s.contacts.touching[i].closed(), s.touches.all[i].motion.x.x() > -0.15) << i;
}

TEST(ContactDecision, CohesionCarriesAWeight) {
  for (const double share : {0.99, 1.01}) {
    model::Builder b;
    b.add_obstacle(test::floor_of(exp_matrix(Vec3(3.141592653589793, 0, 0))));
    model::ContactLawSpec law = test::law_everywhere(0);
    law.law.cohesion = share * 2 * kG;
    b.add_contact_law(law);
    b.add_body(ball("a", 0.1, 2, {0, 0, -0.1}));
    Forces s(b);
    EXPECT_TRUE(s.contacts.undecided);
    ASSERT_TRUE(s.decide_now());
    EXPECT_FALSE(s.contacts.undecided);
    EXPECT_EQ(any_closed(s.contacts), share > 1);
    EXPECT_NEAR(s.solve()[2], share > 1 ? 0 : -kG, 1e-11);
  }
}

// A state carried on knows who was closed, and who slipped which way.
TEST(ContactMemories, CarryOnWhoIsClosed) {
  for (const double v : {0., 1.}) {
    model::BodySpec body = brick();
    body.v = {0, v, 0};
    Forces s(on_slope(0, 0.4, body, 0.05));
    ASSERT_TRUE(s.decide_now());
    s.solve();
    const double h = 1e-3;
    keep(s.contacts, s.touches, h, s.state);
    s.state.rows.h = h;
    double weight = 0;
    for (std::size_t i = 0; i < s.state.contacts.impulse.size(); i += 6)
      weight += s.state.contacts.impulse[i];
    EXPECT_NEAR(weight, 2 * kG * h / 2, 1e-12);
    ContactForces fresh(s.kin, {});
    set_scales(fresh, Nearness{}, h);
    load(fresh, s.state, s.now, s.u);
    ASSERT_EQ(fresh.touching.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(fresh.touching[i].status, s.status(i));
      EXPECT_NEAR((fresh.touching[i].d - s.contacts.touching[i].d).norm(), 0, 1e-12);
    }
  }
}

/// A ball over the floor, that falls with v.
model::Builder falling(double gap, double v) {
  model::BodySpec body = ball("a", 0.1, 2, Vec3::Zero());
  body.v = {0, 0, -v};
  return on_slope(0, 0.4, body, 0.1 + gap);
}

TEST(ContactClosing, IsTheDepthOfWhatWasOpen) {
  Forces s(falling(5e-4, 1));
  EXPECT_TRUE(s.contacts.touching.empty());
  for (const double gap : {4e-4, 1e-6, -1e-6, -3e-4}) {
    s.state.q[2] = 0.1 + gap;
    s.refresh();
    EXPECT_NEAR(closing(s.contacts, s.now), -gap / s.it.model->scales.length, 1e-12) << gap;
  }
}

TEST(ContactClosing, LimitsTheStepToHalfOfTheLeastExtent) {
  for (const double v : {200., 2000.}) {
    Forces s(falling(0.01, v));  // scales have a step of 1 ms
    const double most = longest_step(s.contacts);
    EXPECT_LE(most * v, 0.5 * 0.2);
    EXPECT_GE(most * v, 0.5 * 0.2 / 4);  // margins are rounded up
  }
  EXPECT_EQ(longest_step(Forces(falling(0.01, 10)).contacts), law::kInf);
}

TEST(ContactClosing, PointsThatGoAreFoundAnew) {
  Forces s(on_slope(0, 0.4, brick(), 0.05));
  ASSERT_TRUE(s.decide_now());
  EXPECT_FALSE(renew(s.contacts, s.now, s.u));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(s.status(i), TouchStatus::sticking);
  s.state.q[2] += 0.1;
  s.refresh();
  EXPECT_TRUE(renew(s.contacts, s.now, s.u));
  EXPECT_TRUE(s.contacts.touching.empty());
}

}  // namespace
}  // namespace trammel::constraint::decide_test

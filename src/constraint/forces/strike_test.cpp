// Impacts at an instant; and closed points brought back to their places.
#include "constraint/forces/test_forces.h"

namespace trammel::constraint::strike_test {
namespace {

using test::ball;
using test::block;
using test::Forces;
using test::random_vector;

/// Bodies that touch a floor, or one another, and move at random.
model::Builder crowd(unsigned seed, double friction, double restitution, bool poisson) {
  std::mt19937 random(seed);
  model::Builder b;
  b.add_obstacle(test::floor_of());
  model::ContactLawSpec law = test::law_everywhere(friction, restitution);
  law.law.poisson = poisson;
  b.add_contact_law(law);
  for (int k = 0; k < 4; ++k) {
    const std::string name = "b" + std::to_string(k);
    model::BodySpec body = k % 2 ? block(name, Vec3(0.2, 0.2, 0.2), 1 + k, {0.2 * k, 0, 0.1})
                                 : ball(name, 0.1, 2, {0.2 * k, 0, 0.1});
    body.v = random_vector(random, 2);
    body.w = random_vector(random, 4);
    b.add_body(body);
  }
  return b;
}

/// Momenta after a jump.
std::vector<double> momenta_after(const Forces& s, const ContactJump& jump) {
  std::vector<double> P = s.state.P;
  const VecX dP = s.rows.M.ldlt().solve(Eigen::Map<const VecX>(jump.du.data(), count(jump.du)));
  for (std::size_t i = 0; i < P.size(); ++i) P[i] += dP[static_cast<long>(i)];
  return P;
}

/// du . M du.
double energy_of_change(const Forces& s, const ContactJump& jump) {
  const Eigen::Map<const VecX> du(jump.du.data(), count(jump.du));
  return du.dot(s.rows.M.ldlt().solve(du));
}

TEST(ContactStrike, LeavesWithItsRestitution) {
  for (const double e : {0., 0.4, 1.}) {
    model::Builder b;
    b.add_obstacle(test::floor_of());
    b.add_contact_law(test::law_everywhere(0, e));
    model::BodySpec body = ball("a", 0.1, 2, {0, 0, 0.1});
    body.v = {1, 0, -3};
    b.add_body(body);
    Forces s(b);
    ASSERT_TRUE(strikes(s.contacts, s.touches));
    ContactJump jump;
    ASSERT_TRUE(strike(s.contacts, s.touches, 0, s.response(), jump));
    EXPECT_NEAR(jump.du[2], 3 * (1 + e), 1e-12);
    EXPECT_NEAR(jump.du[0], 0, 1e-15);
    EXPECT_NEAR((jump.outside.force - Vec3(0, 0, 2 * 3 * (1 + e))).norm(), 0, 1e-11);
  }
}

// A ball with friction: it sticks where mu is enough, and then turns with 5/7 of its speed.
TEST(ContactStrike, FrictionTurnsABall) {
  for (const double mu : {0.05, 1.}) {
    model::Builder b;
    b.add_obstacle(test::floor_of());
    b.add_contact_law(test::law_everywhere(mu));
    model::BodySpec body = ball("a", 0.1, 2, {0, 0, 0.1});
    body.v = {1, 0, -3};
    b.add_body(body);
    Forces s(b);
    ContactJump jump;
    ASSERT_TRUE(strike(s.contacts, s.touches, 0, s.response(), jump));
    const double lost = std::min(mu * 3, 2. / 7);
    EXPECT_NEAR(jump.du[0], -lost, 1e-12) << mu;
    EXPECT_NEAR(jump.du[4], lost * 2.5 / 0.1, 1e-10) << mu;  // m r / I
    // at the mean of the slips before and after
    EXPECT_NEAR(jump.friction, -2 * lost * (1 - lost * 7 / 4), 1e-11) << mu;
  }
}

TEST(ContactStrike, IsNoneOfWhatRestsOrParts) {
  for (const double v : {0., 1.}) {
    model::Builder b;
    b.add_obstacle(test::floor_of());
    model::BodySpec body = ball("a", 0.1, 2, {0, 0, 0.1});
    body.v = {1, 0, v};
    b.add_body(body);
    Forces s(b);
    EXPECT_FALSE(strikes(s.contacts, s.touches));
  }
}

// Momentum and angular momentum change by the impulses from outside; energy is never gained.
TEST(ContactStrike, BalancesMomentumAndGainsNoEnergy) {
  int struck = 0;
  for (const Impacts how : {Impacts::simultaneous, Impacts::sequential})
    for (const bool poisson : {false, true})
      for (unsigned seed = 0; seed < 20; ++seed) {
        Forces s(crowd(seed, 0.7, 0.8, poisson), how);
        if (!strikes(s.contacts, s.touches)) continue;
        ++struck;
        ContactJump jump;
        ASSERT_TRUE(strike(s.contacts, s.touches, 0, s.response(), jump));
        std::vector<double> u = s.u;
        for (std::size_t i = 0; i < u.size(); ++i) u[i] += jump.du[i];
        const std::vector<double> P = momenta_after(s, jump);
        Vec3 p0 = Vec3::Zero(), l0 = p0, p1 = p0, l1 = p0;
        s.kin.momentum(s.state.q.data(), s.state.P.data(), p0, l0);
        s.kin.momentum(s.state.q.data(), P.data(), p1, l1);
        EXPECT_NEAR((p1 - p0 - jump.outside.force).norm(), 0, 1e-10) << seed;
        EXPECT_NEAR((l1 - l0 - jump.outside.moment).norm(), 0, 1e-10) << seed;
        EXPECT_LE(s.kin.kinetic_energy(P.data(), u.data()), s.kinetic() * (1 + 1e-9)) << seed;
        for (const Touch& t : s.touches.all)
          EXPECT_GE(t.rate[0] + along(t, 0, jump.du.data()), -1e-9) << seed;  // nothing sinks in
      }
  EXPECT_GT(struck, 40);
}

// Kane's rod by Newton's law: as fast as the energy that there is allows.
TEST(ContactStrike, RestitutionIsEasedToTheEnergyThatThereIs) {
  for (const double friction : {0., 0.4}) {
    Forces s(test::oblique_rod(friction));
    ContactJump jump;
    ASSERT_TRUE(strike(s.contacts, s.touches, 0, s.response(), jump));
    const Touch& t = s.touches.all.at(0);
    const double after = t.rate[0] + along(t, 0, jump.du.data());
    if (friction == 0) {
      EXPECT_NEAR(after, 0.95, 1e-12);
      continue;
    }
    EXPECT_GT(after, 0.1);
    EXPECT_LT(after, 0.95 - 0.01);
    EXPECT_NEAR(t.rate.dot(jump.impulses[0]) + 0.5 * energy_of_change(s, jump), 0, 1e-10);
  }
}

TEST(ContactStrike, IsToldWithItsSpeed) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  model::BodySpec body = block("a", Vec3(0.2, 0.2, 0.2), 2, {0, 0, 0.1});
  body.v = {0, 0, -3};
  b.add_body(body);
  Forces s(b);
  ContactJump jump;
  ASSERT_TRUE(strike(s.contacts, s.touches, 0.25, s.response(), jump));
  take_up(jump, s.contacts);
  std::vector<Event> events;
  tell(s.contacts, events);
  ASSERT_EQ(events.size(), 1U);  // four corners, one pair
  EXPECT_EQ(events[0].t, 0.25);
  EXPECT_NEAR(events[0].value, 3, 1e-14);
  tell(s.contacts, events);
  EXPECT_EQ(events.size(), 1U);  // once
  std::vector<ContactImpulse> impulses;
  add_impulses(s.contacts, s.touches, jump.impulses, impulses);
  Vec3 sum = Vec3::Zero();
  for (const ContactImpulse& i : impulses) sum += i.on_B;
  EXPECT_NEAR((sum - Vec3(0, 0, 6)).norm(), 0, 1e-11);
}

/// A block that rests, a little off its place.
struct Displaced : Forces {
  explicit Displaced(double friction)
      : Forces(test::on_slope(0, friction, block("a", Vec3(0.4, 0.3, 0.1), 2, {}), 0.05)) {
    EXPECT_TRUE(decide_now());
  }
  void move(const Vec3& by, double turn) {
    std::vector<double> dq(6, 0);
    vec3(dq.data()) = by;
    dq[3] = turn;
    kin.retract(dq.data(), state.q.data());
    refresh();
    evaluate(contacts, now, u.data(), touches);
  }
};

TEST(ContactPlaces, AreMovedBackTo) {
  Displaced s(0.5);
  EXPECT_NEAR(misplaced(s.contacts, s.touches), 0, 1e-15);
  s.move({0.01, 0, 1e-4}, 2e-4);
  EXPECT_NEAR(misplaced(s.contacts, s.touches), 1e-4 + 0.15 * 2e-4, 1e-8);
  std::vector<double> dq(6, 0);
  ASSERT_TRUE(move_back(s.contacts, s.touches, s.response(), dq));
  EXPECT_NEAR(dq[0], 0, 1e-7);  // along the floor it stays
  s.move(vec3(dq.data()), dq[3]);
  EXPECT_LT(misplaced(s.contacts, s.touches), 1e-7);  // of second order
}

TEST(ContactPlaces, AreHeldWithoutARate) {
  for (const double friction : {0., 0.5}) {
    Displaced s(friction);
    s.u = {1e-5, 2e-5, 3e-5, 1e-5, -2e-5, 1e-5};
    s.kin.rates(s.state.q.data(), s.u.data(), s.now);
    evaluate(s.contacts, s.now, s.u.data(), s.touches);
    ContactJump held;
    ASSERT_TRUE(hold_rates(s.contacts, s.touches, s.response(), held));
    Vec3 worst = Vec3::Zero();
    for (const Touch& t : s.touches.all)
      for (int k = 0; k < 3; ++k)
        worst[k] = std::max(worst[k], std::abs(t.rate[k] + along(t, k, held.du.data())));
    EXPECT_LT(worst[0], 1e-15);
    if (friction > 0) {
      EXPECT_LT(worst.norm(), 1e-15);
    } else {
      EXPECT_NEAR(std::abs(held.du[0]) + std::abs(held.du[1]), 0, 1e-17);  // it slides on
    }
  }
}

/// A rod of 1 m and 1 kg that stands on its end at 61 degrees; the end slips with 1 m/s away from
/// where the rod leans to, while it turns with w (Painleve's).
model::Builder leaning_rod(double friction, double w) {
  constexpr double kAngle = 1.065, kRadius = 1e-4;
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_contact_law(test::law_everywhere(friction));
  model::BodySpec rod;
  rod.name = "rod";
  rod.mass = 1;
  rod.inertia = {{1. / 12, 1. / 12, 1. / 12, 0, 0, 0}};
  const Vec3 end = -0.5 * Vec3(std::cos(kAngle), 0, std::sin(kAngle));
  model::ContactSpec tip{.solid = {body::Solid::Kind::sphere, {kRadius, 0, 0}}};
  tip.X_BS.p = end;
  rod.contacts = {tip};
  rod.X_WB.p = -end + Vec3(0, 0, kRadius);
  rod.w = {0, w, 0};
  rod.v = Vec3(-1, 0, 0) - rod.w.cross(Vec3(end - Vec3(0, 0, kRadius)));
  b.add_body(rod);
  return b;
}

/// What a decision comes to, and the events that it tells.
Decision decide_anew(Forces& s, std::vector<Event>& events) {
  const std::vector<double> a0 = s.accelerations(s.gravity());
  const Decision out = decide(s.contacts, s.touches, 0, a0.data(), s.response(), false);
  tell(s.contacts, events);
  return out;
}

// 1 + 3 cos a (cos a - mu sin a) is W_nn against the slip, times m: below zero from mu = 4/3 on.
TEST(ContactJam, StopsASlipThatForcesCannotHold) {
  std::vector<Event> events;
  Forces slips(leaning_rod(1.2, 0));
  EXPECT_EQ(decide_anew(slips, events), Decision::made);
  EXPECT_EQ(slips.status(), TouchStatus::slipping);
  Forces s(leaning_rod(1.6, 0));
  ASSERT_EQ(decide_anew(s, events), Decision::jams);
  EXPECT_TRUE(events.empty());
  ContactJump jump;
  ASSERT_TRUE(strike_jam(s.contacts, s.touches, 0, s.response(), jump));
  take_up(jump, s.contacts);
  const Vec3 p = jump.impulses[0], slip = s.touches.all[0].rate;
  EXPECT_LT(p.tail<2>().norm(), 1.6 * p[0]);
  EXPECT_NEAR(jump.friction, 0.5 * p.tail<2>().dot(slip.tail<2>()), 1e-8);
  for (std::size_t i = 0; i < s.u.size(); ++i) s.u[i] += jump.du[i];
  s.kin.rates(s.state.q.data(), s.u.data(), s.now);
  evaluate(s.contacts, s.now, s.u.data(), s.touches);
  EXPECT_NEAR(s.touches.all[0].rate.norm(), 0, 2e-9);  // what it is pressed on with
  EXPECT_EQ(decide_anew(s, events), Decision::made);
  EXPECT_EQ(s.status(), TouchStatus::sticking);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, EventKind::impact);
}

// The end of a rod that turns fast is drawn up: it parts, but a jam solves the law as well.
TEST(ContactJam, IsToldWhereItIsTheOtherMotion) {
  for (const double friction : {1.2, 1.6}) {
    std::vector<Event> events;
    Forces s(leaning_rod(friction, 5));
    for (int k = 0; k < 2; ++k) EXPECT_EQ(decide_anew(s, events), Decision::made);
    EXPECT_EQ(s.status(), TouchStatus::idle);
    ASSERT_EQ(events.size(), friction > 1.4 ? 1U : 0U);
    for (const Event& event : events) EXPECT_EQ(event.kind, EventKind::undetermined);
  }
}

}  // namespace
}  // namespace trammel::constraint::strike_test

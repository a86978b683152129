// How a step begins: targets, first guesses, cohesion. And how overlaps are taken out.
#include "constraint/contact/match.h"
#include "constraint/contact/parts.h"
#include "constraint/contact/test_step.h"

namespace trammel::constraint::start_test {
namespace {

using test::ball;
using test::block;
using test::Stepper;

constexpr double kG = 9.81;

/// A ball of 2 kg so far over the floor.
model::Builder over_floor(double gap, const Vec3& v, double friction = 0, double cohesion = 0) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  model::ContactLawSpec law = test::law_everywhere(friction);
  law.law.cohesion = cohesion;
  b.add_contact_law(law);
  model::BodySpec body = ball("a", 0.1, 2, {0, 0, 0.1 + gap});
  body.v = v;
  b.add_body(body);
  return b;
}

TEST(ContactArrivalSpeed, IsExactUnderConstantAcceleration) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> of(-2, 2);
  for (int trial = 0; trial < 200; ++trial) {
    const double u0 = of(random), a = 5 * of(random), t = 1 + 0.4 * of(random);
    const double gap = -(u0 * t + a * t * t / 2), speed = -(u0 + a * t);
    if (gap < 0 || speed < 0 || (u0 > 0 && a >= 0)) continue;  // it comes from below, or parts
    EXPECT_NEAR(arrival(gap, u0, a, 2), speed, 1e-12);
  }
  EXPECT_EQ(arrival(0.1, 1, 2, 1), 0);     // never
  EXPECT_EQ(arrival(0.1, -1, 9, 1), 0);    // turns back before
  EXPECT_EQ(arrival(-0.1, -3, 9, 1), 3);   // what overlaps is there
  EXPECT_EQ(arrival(0, 2, -1e-13, 1), 0);  // comes back, long after the step
  EXPECT_EQ(arrival(0, 2, -10, 1), 2);     // comes back within it
}

// What arrives in the step is at the surface at its end; what does not falls freely.
TEST(ContactStartOfAStep, ClosingGapsCloseAtItsEnd) {
  const double h = 0.01, v = -3;
  for (const double gap : {0., 1e-6, 0.01, 0.0299, 0.04}) {
    Stepper run(over_floor(gap, {1, 0, v}));
    run.begin(h);
    const double falls = gap + h * (v - kG * h / 2);
    run.drift();
    EXPECT_NEAR(run.q[2], 0.1 + std::max(falls, 0.), 1e-14) << gap;
    EXPECT_NEAR(run.P[2], 2 * (run.q[2] - 0.1 - gap) / h, 1e-12);
  }
}

TEST(ContactStartOfAStep, TargetsAreTheGapOverTheStep) {
  const double h = 0.01, gap = 0.02;
  Stepper run(over_floor(gap, {0, 0, -3}));
  run.begin(h);
  ASSERT_EQ(run.contacts.start.points.size(), 1U);
  EXPECT_NEAR(run.contacts.start.stage.targets[0].u[0], -gap / h, 1e-12);
  EXPECT_NEAR(run.contacts.start.rates[0][0], -3, 1e-14);
  EXPECT_NEAR(run.contacts.start.kick[2], -2 * kG * h, 1e-14);  // of the whole step
}

TEST(ContactStartOfAStep, BeltsAreTargetsOfFriction) {
  model::Builder b;
  model::ContactSpec belt = test::floor_of();
  belt.surface_velocity = {0.05, 0, 0};
  b.add_obstacle(belt);
  b.add_contact_law(test::law_everywhere(10));
  b.add_body(block("a", Vec3(0.4, 0.4, 0.1), 2, {0, 0, 0.05}));
  Stepper run(b);
  for (int k = 0; k < 20; ++k) run.step(0.01);
  EXPECT_NEAR((run.velocity("a") - Vec3(0.05, 0, 0)).norm(), 0, 1e-8);  // of the solver
}

// Impulses of the last step are a guess for this one, as far as it is as long.
TEST(ContactStartOfAStep, FirstGuessesAreScaledToTheStep) {
  for (const double share : {0.25, 1., 3.}) {
    model::Builder b = over_floor(0, Vec3::Zero());
    Stepper run(b);
    run.step(0.01);
    ASSERT_EQ(run.state.contacts.impulse.size(), 6U);
    EXPECT_NEAR(run.state.contacts.impulse[0], 2 * kG * 0.01 / 2, 1e-12);  // half a step's weight
    run.contacts.settings.options.sweeps = run.contacts.settings.options.newton = 0;
    run.begin(share * 0.01);
    EXPECT_NEAR(run.contacts.start.stage.p[0][0], std::min(share, 1.) * kG * 0.01, 1e-12);
  }
}

TEST(ContactStartOfAStep, NothingIsGuessedAfterAStepOfNoLength) {
  Stepper run(over_floor(0, Vec3::Zero()));
  run.step(0.01);
  run.state.rows.h = 0;
  load(run.contacts, run.state);
  run.contacts.settings.options.sweeps = run.contacts.settings.options.newton = 0;
  run.begin(0.01);
  EXPECT_EQ(run.contacts.start.stage.p[0][0], 0);
}

// Cohesion of what is in touch: half of it in each stage; none over a gap or where it parts.
TEST(ContactStartOfAStep, CohesionHoldsWhatIsInTouch) {
  const double h = 0.01, c = 100;
  const auto pull = [&](double gap, double v) {
    Stepper run(over_floor(gap, {0, 0, v}, 0, c));
    run.begin(h);
    return run.contacts.start.stage.targets.at(0).cohesion;
  };
  EXPECT_DOUBLE_EQ(pull(0, 0), c * h / 2);
  EXPECT_EQ(pull(1e-4, -0.1), 0);
  EXPECT_EQ(pull(0, 0.1), 0);
}

/// A ball hangs at the ceiling, held by so much cohesion.
double falls(double cohesion) {
  model::Builder b;
  b.add_obstacle(test::floor_of(exp_matrix(Vec3(3.141592653589793, 0, 0))));
  model::ContactLawSpec law = test::law_everywhere(0);
  law.law.cohesion = cohesion;
  b.add_contact_law(law);
  b.add_body(ball("a", 0.1, 2, {0, 0, -0.1}));
  Stepper run(b);
  for (int k = 0; k < 10; ++k) run.step(0.01);
  return -0.1 - run.place("a").z();
}

TEST(ContactStartOfAStep, CohesionCarriesItsWeightAndNoMore) {
  EXPECT_NEAR(falls(2 * kG * 1.001), 0, 1e-9);
  EXPECT_NEAR(falls(2 * kG * 0.5), kG * 0.1 * 0.1 / 2, 0.01);
}

// Overlaps of free bodies go a fifth a step, without a speed.
TEST(ContactPushing, TakesOutAFifthOfAnOverlap) {
  model::Builder b = over_floor(-0.001, Vec3::Zero());
  Stepper run(b);
  double depth = 0.001;
  for (int k = 0; k < 5; ++k) {
    run.step(0.01);
    EXPECT_NEAR(0.1 - run.place("a").z(), 0.8 * depth, 0.01 * depth) << k;  // of kPushAccuracy
    depth = 0.1 - run.place("a").z();
    EXPECT_NEAR(run.velocity("a").norm(), 0, 1e-9);
  }
}

// Gravity's work on what is lifted so is told, and the moment of momentum that it gets.
TEST(ContactPushing, AccountsForWhatItMoves) {
  model::Builder b = over_floor(-0.001, {3, 0, 0});
  Stepper run(b);
  const double before = run.energy();
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(), after = Vec3::Zero();
  run.kin.momentum(run.state.q.data(), run.state.P.data(), linear, angular);
  run.step(0.01);
  run.kin.momentum(run.state.q.data(), run.state.P.data(), linear, after);
  EXPECT_GT(run.energy() - before, 1e-4);
  EXPECT_NEAR(run.contacts.push.work, run.energy() - before, 1e-12);
  EXPECT_NEAR(run.state.ledger[model::kCorrections], run.contacts.push.work, 1e-15);
  EXPECT_NEAR(run.contacts.push.corrected.y(), 2 * 3 * (run.place("a").z() - 0.099), 1e-10);
}

TEST(ContactPushing, DoesNotMoveWhatOnlyTouches) {
  Stepper run(over_floor(0, Vec3::Zero()));
  run.begin(0.01);
  EXPECT_TRUE(run.contacts.push.momenta.empty());
}

// Two that overlap part by the inverse of their masses: their centre of mass stays.
TEST(ContactPushing, LeavesTheCentreOfMassWhereItIs) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  b.add_body(ball("a", 0.1, 1, {0, 0, 0}));
  b.add_body(ball("b", 0.1, 3, {0.199, 0, 0}));
  Stepper run(b);
  run.step(0.01);
  const double a = run.place("a").x(), c = run.place("b").x() - 0.199;
  EXPECT_NEAR(a + 3 * c, 0, 1e-14);
  EXPECT_NEAR(c - a, 0.2 * 0.001, 2e-6);
}

}  // namespace
}  // namespace trammel::constraint::start_test

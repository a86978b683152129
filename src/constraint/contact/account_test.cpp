// What a step leaves behind: works, impulses from outside, wrenches of bodies; and energy that
// restitution never makes.
#include "constraint/contact/parts.h"
#include "constraint/contact/test_step.h"
#include "constraint/contact/wrenches.h"

namespace trammel::constraint::account_test {
namespace {

using test::ball;
using test::block;
using test::random_vector;
using test::Stepper;

enum class Law : unsigned char { newton, poisson };
enum class Bodies : unsigned char { mixed, balls, afloat };  // afloat: without a floor

/// Bodies that fly into each other and onto a floor, without gravity unless it is given.
model::Builder crowd(unsigned seed, double friction, double restitution, Law law, double gravity,
                     Bodies bodies = Bodies::mixed) {
  std::mt19937 random(seed);
  model::Builder b;
  b.gravity = Vec3(0, 0, -gravity);
  if (bodies != Bodies::afloat) b.add_obstacle(test::floor_of());
  model::ContactLawSpec spec = test::law_everywhere(friction, restitution);
  spec.law.poisson = law == Law::poisson;
  b.add_contact_law(spec);
  const auto is_block = [&](int k) { return bodies != Bodies::balls && k % 2 == 1; };
  for (int k = 0; k < 6; ++k) {
    const Vec3 p = Vec3(0.17 * (k % 3), 0.17 * (k / 3), 0.12) + random_vector(random, 0.01);
    const std::string name = "b" + std::to_string(k);
    model::BodySpec body =
        is_block(k) ? block(name, Vec3(0.15, 0.14, 0.13), 1 + k, p) : ball(name, 0.08, 2, p);
    if (is_block(k)) body.X_WB.R = exp_matrix(random_vector(random, 0.1));
    body.v = random_vector(random, 3) - Vec3(0, 0, 3);
    body.w = is_block(k) ? Vec3(Vec3::Zero()) : random_vector(random, 10);
    b.add_body(body);
  }
  return b;
}

double works(const model::State& s) {
  return s.ledger[model::kImpacts] + s.ledger[model::kContacts] + s.ledger[model::kLocks] +
         s.ledger[model::kCorrections];
}

// Of balls, whose inertia does not turn, to rounding, where forces are constant.
TEST(ContactAccount, WorksOfImpulsesAreTheChangeOfEnergy) {
  for (const double gravity : {0., 9.81})
    for (const double e : {0., 0.6})
      for (unsigned seed = 0; seed < 8; ++seed) {
        Stepper run(crowd(seed, 0.4, e, Law::newton, gravity, Bodies::balls));
        const double scale = run.kinetic();
        double most = 0;
        for (int k = 0; k < 20; ++k) {
          const double before = run.energy(), ledger = works(run.state);
          run.step(5e-3);
          const double done = works(run.state) - ledger;
          EXPECT_NEAR(run.energy() - before, done, 1e-12 * scale) << seed;  // rounding
          most = std::max(most, std::abs(done));
        }
        EXPECT_GT(most, 0.01 * scale);
      }
}

TEST(ContactAccount, LosesInImpactsAndByFriction) {
  double impacts = 0, contacts = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    Stepper run(crowd(seed, 0.4, 0.3, Law::newton, 0));
    for (int k = 0; k < 20; ++k) run.step(2e-3);
    impacts += run.state.ledger[model::kImpacts];
    contacts += run.state.ledger[model::kContacts];
  }
  EXPECT_LT(impacts, -1);
  EXPECT_LT(contacts, -0.1);
}

// Kane's paradox: Newton's law with friction would make energy; it is eased then.
TEST(ContactAccount, EnergyIsNeverGained) {
  for (const Impacts how : {Impacts::simultaneous, Impacts::sequential})
    for (const Law law : {Law::newton, Law::poisson})
      for (unsigned seed = 0; seed < 10; ++seed) {
        Stepper run(crowd(seed, 0.8, 0.9, law, 0), how);
        const double start = run.kinetic();
        for (int k = 0; k < 20; ++k) {
          const double before = run.kinetic(), push = run.state.ledger[model::kCorrections];
          run.step(1e-4);
          const double pushed = run.state.ledger[model::kCorrections] - push;
          EXPECT_LE(run.kinetic() - before - pushed, 1e-6 * start) << seed;  // truncation
        }
      }
}

TEST(ContactAccount, RestitutionIsEasedToTheEnergyThatThereIs) {
  Stepper run(test::oblique_rod(0.4));
  const double before = run.kinetic();
  run.step(1e-7);
  const Six& after = run.contacts.last.rates.at(0);
  EXPECT_NEAR(run.kinetic(), before, 1e-6);  // as much as is allowed
  EXPECT_GT(after[0], 0.1);                  // it bounces
  EXPECT_LT(after[0], 0.95 - 0.01);          // less than Newton has it
  Stepper smooth(test::oblique_rod(0));
  smooth.step(1e-7);
  EXPECT_NEAR(smooth.contacts.last.rates.at(0)[0], 0.95, 1e-6);
}

// The momentum of all changes by what comes from outside, the angular one by its moment.
TEST(ContactAccount, MomentumChangesByImpulsesFromOutside) {
  for (const bool floor : {false, true})
    for (unsigned seed = 0; seed < 6; ++seed) {
      Stepper run(crowd(seed, 0.5, 0.5, Law::newton, 0, floor ? Bodies::mixed : Bodies::afloat));
      Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
      run.kin.momentum(run.state.q.data(), run.state.P.data(), linear, angular);
      Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
      for (int k = 0; k < 10; ++k) {
        run.step(2e-3);
        force += run.contacts.told.outside.force;
        moment += run.contacts.told.outside.moment + run.contacts.push.corrected;
      }
      Vec3 p = Vec3::Zero(), l = Vec3::Zero();
      run.kin.momentum(run.state.q.data(), run.state.P.data(), p, l);
      EXPECT_NEAR((p - linear - force).norm(), 0, 1e-11) << seed;
      EXPECT_NEAR((l - angular - moment).norm(), 0, 1e-11) << seed;
      EXPECT_EQ(force.norm() > 1, floor) << seed;
    }
}

// Of each body: its momentum changes by its wrench.
TEST(ContactAccount, WrenchesAreWhatBodiesGet) {
  Stepper run(crowd(3, 0.5, 0.5, Law::newton, 0));
  for (int k = 0; k < 5; ++k) {
    const std::vector<double> before = run.state.P;
    run.begin(2e-3);
    run.follow();
    const std::vector<int> objects = touching_objects(*run.it.model);
    std::vector<double> wrench(wrench_impulses_size(*run.it.model), 0);
    account_push(run.contacts, run.now, run.P);
    run.kick(run.end, run.P_end);
    ASSERT_TRUE(arrive(run.contacts, run.end, run.end_u));
    push_end(run.contacts, run.end, run.P_end);
    add_wrenches(run.contacts, run.now, run.end, wrench.data());
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const auto& object = run.it.model->objects[at(objects[i])];
      const std::size_t v = at(run.it.model->blocks[at(object.block)].v);
      for (std::size_t d = 0; d < 6; ++d)
        EXPECT_NEAR(run.P_end[v + d] - before[v + d], wrench[kContactImpulse * i + d], 1e-11);
    }
    run.kin.velocities(run.end, run.P_end.data(), run.end_u.data());
    end_step(run.contacts, run.end, run.end_u, run.state);
    run.state.q = run.q;
    run.state.P = run.P_end;
    run.refresh();
  }
}

// Points that push, with their impulses of both stages: the weight of a block over a step.
TEST(ContactAccount, PointsHaveTheImpulsesOfBothStages) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_body(block("a", Vec3(0.4, 0.2, 0.1), 3, {0, 0, 0.05}));
  Stepper run(b);
  run.step(0.01);
  run.begin(0.01);
  run.follow();
  run.kick(run.end, run.P_end);
  ASSERT_TRUE(arrive(run.contacts, run.end, run.end_u));
  push_end(run.contacts, run.end, run.P_end);
  std::vector<PointImpulse> points;
  add_impulses_of_points(run.contacts, points);
  Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
  for (const PointImpulse& p : points) {
    sum += p.impulse;
    moment += p.point.p_B.cross(p.impulse);
  }
  EXPECT_NEAR((sum - Vec3(0, 0, 3 * 9.81 * 0.01)).norm(), 0, 1e-9);
  EXPECT_NEAR(moment.norm(), 0, 1e-9);
}

TEST(ContactAccount, BeltsDriveAndFrictionLoses) {
  model::Builder b;
  model::ContactSpec belt = test::floor_of();
  belt.surface_velocity = {2, 0, 0};
  b.add_obstacle(belt);
  b.add_contact_law(test::law_everywhere(0.3));
  b.add_body(ball("a", 0.1, 2, {0, 0, 0.1}));
  Stepper run(b);
  const double h = 0.01;
  for (int k = 0; k < 5; ++k) run.step(h);
  const double impulse = 0.3 * 2 * 9.81 * 5 * h;
  EXPECT_NEAR(run.state.ledger[model::kLocks], 2 * impulse, 1e-7);
  EXPECT_NEAR(run.state.ledger[model::kContacts], run.kinetic() - 2 * impulse, 1e-7);
  EXPECT_NEAR(run.velocity("a").x(), impulse / 2, 1e-8);
}

TEST(ContactAccount, ReportsTellHowDeepWhatOverlaps) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_body(ball("a", 0.1, 2, {0, 0, 0.09}));
  b.add_body(ball("b", 0.2, 2, {1, 0, 0.2}));
  Stepper run(b);
  run.step(0.01);
  const ContactReport& report = run.contacts.told.report;
  EXPECT_NEAR(report.depth, 0.008, 1e-4);  // a fifth has been taken out
  EXPECT_NEAR(report.sunk, report.depth / 0.2, 1e-12);
  EXPECT_EQ(report.points, 2);
  EXPECT_TRUE(report.converged);
}

}  // namespace
}  // namespace trammel::constraint::account_test

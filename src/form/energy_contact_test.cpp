#include "form/energy_contact.h"

#include <fmt/format.h>

#include <cmath>

#include "form/test_contact.h"

namespace trammel::form::energy_contact_test {
namespace {

namespace barrier = contact::barrier;
using test::ContactRun;
using test::ContactWorld;
constexpr double kSide = 0.4;
const Mat3 kUpright = Mat3::Identity();

void tell(const char* what, double h, const ContactRun& r) {
  fmt::print(
      "{}: h {} s, {} steps, {:.2f} Newton steps each, at most {}, least distance {:.3g} m, "
      "{:.3g} s a step\n",
      what, h, r.steps, double(r.iterations) / r.steps, r.most_iterations, r.least_distance,
      r.seconds / r.steps);
}

ContactWorld& add_floor(ContactWorld& world) {
  world.add_ground(barrier::box_surface({4, 4, 1}), {Vec3(0, 0, -0.5), kUpright});
  return world;
}

/// A box falls from 0.2 m and comes to rest within the barrier, whatever the step.
void expect_rest(bool affine, double h, Settings::Difference difference) {
  ContactWorld world(affine);
  add_floor(world);
  world.settings.difference = difference;
  world.add_box(Vec3::Constant(kSide), {Vec3(0, 0, 0.4), kUpright});
  world.start();
  const ContactRun r = world.run(std::max(30, static_cast<int>(1 / h)), h);
  tell(affine ? "affine box" : "rigid box", h, r);
  const double gap = world.place(0).p.z() - kSide / 2;
  EXPECT_GT(gap, 0);
  EXPECT_LT(gap, 1e-3);
  EXPECT_LT(world.velocity(0).norm(), 1e-3);
}

TEST(EnergyContact, AffineBoxComesToRestAtAnyStep) {
  for (const double h : {1e-3, 1e-2, 5e-2, 1e-1}) expect_rest(true, h, Settings::Difference::bdf1);
}

TEST(EnergyContact, RigidBoxComesToRestAtAnyStep) {
  for (const double h : {1e-3, 1e-2, 5e-2, 1e-1}) expect_rest(false, h, Settings::Difference::bdf1);
}

/// Ten boxes, one on the other, each a little off; they stand.
void expect_stack(bool affine, double h, int steps) {
  ContactWorld world(affine);
  add_floor(world);
  world.friction = 0.5;
  world.settings.difference = Settings::Difference::bdf1;
  for (int k = 0; k < 10; ++k)
    world.add_box(Vec3::Constant(kSide),
                  {Vec3(0.01 * (k % 3), 0, kSide / 2 + 0.002 + k * (kSide + 0.002)), kUpright});
  world.start();
  const ContactRun r = world.run(steps, h);
  tell(affine ? "ten affine boxes" : "ten rigid boxes", h, r);
  for (int k = 0; k < 10; ++k) {
    EXPECT_NEAR(world.place(k).p.z(), kSide * (k + 0.5), 1e-3 * (k + 1));
    EXPECT_NEAR(world.place(k).p.x(), 0.01 * (k % 3), 1e-3);
    EXPECT_LT(world.velocity(k).norm(), 1e-2);
  }
}

TEST(EnergyContact, StackOfTenStands) {
  expect_stack(true, 1e-2, 100);
  expect_stack(true, 5e-2, 30);
  expect_stack(false, 1e-2, 100);
}

/// A box slides: mu g slows it down, and it stops after v^2 / (2 mu g). Tolerance, of the model:
/// the slip over which friction is smoothed, and first order in the step.
void expect_sliding(bool affine, Settings::Difference difference) {
  ContactWorld world(affine);
  add_floor(world);
  world.friction = 0.3;
  world.settings.difference = difference;
  const double h = 2e-3, v = 1.5, g = 9.81;
  world.add_box(Vec3(kSide, kSide, 0.1), {Vec3(-1, 0, 0.05 + 1e-3), kUpright}, Vec3(v, 0, 0));
  world.start();
  const int steps = static_cast<int>(0.3 / h);
  world.run(steps, h);
  EXPECT_NEAR(world.velocity(0).x(), v - world.friction * g * 0.3, 0.02 * v);
  world.run(steps, h);
  EXPECT_NEAR(world.place(0).p.x() + 1, v * v / (2 * world.friction * g), 0.01);
  EXPECT_LT(std::abs(world.velocity(0).x()), 1e-3);
}

TEST(EnergyContact, SlidingBoxStopsWhereCoulombHasIt) {
  expect_sliding(true, Settings::Difference::bdf1);
  expect_sliding(false, Settings::Difference::bdf1);
  expect_sliding(true, Settings::Difference::bdf2);
}

/// That friction follows the pressure is found in few passes, however many may be made.
TEST(EnergyContact, FrictionIsMadeAnewUntilItStays) {
  ContactWorld world(false);
  add_floor(world);
  world.friction = 0.3;
  world.settings.difference = Settings::Difference::bdf1;
  world.settings.barrier.friction_passes = 40;
  world.add_box(Vec3(kSide, kSide, 0.1), {Vec3(-1, 0, 0.05 + 5e-4), kUpright}, Vec3(1.5, 0, 0));
  world.start();
  world.run(20, 2e-3);
  const ContactRun r = world.run(20, 2e-3);
  tell("a sliding box", 2e-3, r);
  EXPECT_LT(r.iterations, 20L * world.settings.barrier.friction_passes / 2);
}

/// On a slope below the angle of friction a box creeps, at most at the speed of smoothing; above
/// it slides with g (sin - mu cos).
TEST(EnergyContact, SlopeBelowAndAboveTheAngleOfFriction) {
  for (const double mu : {0.5, 0.2}) {
    ContactWorld world(true);
    const double slope = std::atan(0.3), g = 9.81, time = 0.4;
    const Mat3 tilt = exp_matrix(Vec3(0, slope, 0));  // down along +x
    world.add_ground(barrier::box_surface({6, 4, 1}), {tilt * Vec3(0, 0, -0.5), tilt});
    world.friction = mu;
    world.settings.difference = Settings::Difference::bdf1;
    world.settings.barrier.friction_passes = 20;
    world.add_box(Vec3(kSide, kSide, 0.1), {tilt * Vec3(-1, 0, 0.05 + 1e-3), tilt});
    world.start();
    world.run(200, time / 200);
    const double speed = world.velocity(0).norm();
    const double pull = g * (std::sin(slope) - mu * std::cos(slope));
    if (pull < 0)
      EXPECT_LT(speed, world.settings.barrier.slip_speed);
    else
      EXPECT_NEAR(speed, pull * time, 0.03 * pull * time);
  }
}

/// Two spinning boxes meet off-centre in free space: momenta are kept to what Newton leaves, and
/// with friction too.
TEST(EnergyContact, MomentaAreKeptInACollision) {
  for (const bool affine : {true, false}) {
    ContactWorld world(affine);
    world.friction = 0.4;
    world.settings.difference = Settings::Difference::bdf1;
    world.settings.barrier.tolerance = 1e-12;
    world.builder.gravity(Vec3::Zero());
    world.add_box(Vec3::Constant(kSide), {Vec3(0, 0, 0), kUpright}, Vec3(1, 0, 0),
                  Vec3(0.1, 0.2, 0.3));
    world.add_box(Vec3(0.2, 0.5, 0.3), {Vec3(0.7, 0.1, 0.05), exp_matrix(Vec3(0.3, 0.5, 0.2))},
                  Vec3(-1, 0, 0));
    world.start();
    test::Balance balance(*world.form, world.state, {1e-8, 1e-3});
    bool touched = false;
    for (int k = 0; k < 200; ++k) {
      world.run(1, 2e-3);
      balance.see(*world.form, world.state, world.report);
      touched |= world.report.distance < 1e-3;
    }
    EXPECT_TRUE(touched);
  }
}

/// What came in is what is there: the ledger closes to what Newton leaves.
TEST(EnergyContact, LedgerCloses) {
  for (const bool affine : {true, false}) {
    ContactWorld world(affine);
    add_floor(world);
    world.friction = 0.4;
    world.settings.difference = Settings::Difference::bdf2;
    world.add_box(Vec3(kSide, 0.3, 0.2), {Vec3(0, 0, 0.4), exp_matrix(Vec3(0.4, 0.3, 0))},
                  Vec3(0.5, 0, 0));
    world.start();
    const double before = world.form->total_energy(world.state);
    double in = 0, lost = 0;
    world.run(150, 1e-2);
    for (const double w : world.state.ledger) in += w;
    for (const double w : world.state.ledger) lost = std::min(lost, w);
    EXPECT_NEAR(world.form->total_energy(world.state) - before, in, 1e-6 * before);
    EXPECT_LT(lost, -1);  // something was lost
  }
}

/// Loads of the same state step to the same bits.
TEST(EnergyContact, ContinuesFromTheStateAlone) {
  ContactWorld one(true), other(true);
  for (ContactWorld* w : {&one, &other}) {
    add_floor(*w);
    w->friction = 0.4;
    w->add_box(Vec3(kSide, 0.3, 0.2), {Vec3(0, 0, 0.3), exp_matrix(Vec3(0.4, 0.3, 0))});
    w->start();
  }
  one.run(30, 1e-2);
  other.state = one.state;
  ASSERT_TRUE(other.form->load(other.state));
  one.run(30, 1e-2);
  other.run(30, 1e-2);
  EXPECT_EQ(model::hash(one.state), model::hash(other.state));
}

TEST(EnergyContact, MidpointIsRefusedWithTheReason) {
  ContactWorld world(true);
  add_floor(world).add_box(Vec3::Constant(kSide), {Vec3(0, 0, 1), kUpright});
  world.start();
  world.settings.difference = Settings::Difference::midpoint;
  const auto& kin = world.form->kinematics();
  const auto problems = Energy::unsupported(kin.model(), kin.params(), world.settings);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].text.find("barrier"), std::string::npos) << problems[0].text;
}

}  // namespace
}  // namespace trammel::form::energy_contact_test

// Points in islands with joints: impulses by formulas, with rows eliminated by dense matrices.
#include "constraint/contact/parts.h"
#include "constraint/contact/test_rows.h"
#include "constraint/contact/test_step.h"

namespace trammel::constraint::coupled_test {
namespace {

using test::block;
using test::DenseRows;
using test::Stepper;

/// A rod of 3 kg and 1 m hangs on a hinge about y at the origin, its lower end at a wall. It
/// swings at the wall with so much angular velocity.
model::Builder pendulum(double w, double restitution, double friction = 0) {
  model::Builder b;
  b.gravity = Vec3::Zero();
  b.add_obstacle(test::floor_of(exp_matrix(Vec3(0, -1.5707963267948966, 0))));  // solid: x > 0
  b.add_contact_law(test::law_everywhere(friction, restitution));
  model::BodySpec rod = block("rod", Vec3(0.1, 0.1, 1), 3, {-0.1, 0, -0.5});
  rod.solids_touch = false;
  model::ContactSpec tip{.solid = {body::Solid::Kind::sphere, {0.1, 0, 0}}};
  tip.X_BS.p = {0, 0, -0.4};
  rod.contacts = {tip};
  rod.w = {0, w, 0};
  rod.v = rod.w.cross(Vec3(0, 0, -0.5));
  b.add_body(rod);
  model::JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = "revolute";
  hinge.b = "rod";
  hinge.at = Pose{Vec3(-0.1, 0, 0), exp_matrix(Vec3(0, 0, 1.5707963267948966))};  // its x is y
  b.add_joint(hinge);
  return b;
}

/// Moment of inertia about the hinge.
constexpr double kInertia = 3 * (0.01 + 1) / 12 + 3 * 0.25;
constexpr double kArm = 0.9;
constexpr double kEnough = 1e-9;  // [m/s]

/// Rows and points in turns, until neither moves the other. Returns the rounds.
template <class Settle>
int in_turns(const DenseRows& rows, const Settle& settle, std::vector<double>& P) {
  const RowResponse respond = rows.response();
  for (int round = 1; round < 10; ++round) {
    rows.meet(P);
    if (settle(respond, round == 1, P)) return round;
  }
  return 10;
}
int settle_P(Stepper& run) {
  return in_turns(
      DenseRows(run, run.now),
      [&](const RowResponse& respond, bool first, std::vector<double>& P) {
        return settle_start(run.contacts, run.now, respond, first, kEnough, P);
      },
      run.P);
}
int settle_V(Stepper& run) {
  return in_turns(
      DenseRows(run, run.end),
      [&](const RowResponse& respond, bool first, std::vector<double>& P) {
        return settle_end(run.contacts, run.end, respond, first, kEnough, P);
      },
      run.P_end);
}

/// A whole step so short that nothing moves.
void strike(Stepper& run, double h) {
  run.begin(h);
  EXPECT_LE(settle_P(run), 3);
  run.drift();
  DenseRows(run, run.end).meet(run.P_end);
  run.kin.velocities(run.end, run.P_end.data(), run.end_u.data());
  ASSERT_TRUE(arrive(run.contacts, run.end, run.end_u));
  push_end(run.contacts, run.end, run.P_end);
  EXPECT_LE(settle_V(run), 3);
  run.kin.velocities(run.end, run.P_end.data(), run.end_u.data());
}

TEST(ContactCoupled, PendulumsLeaveAWallByTheirMomentOfInertia) {
  for (const double e : {0., 0.5, 1.}) {
    const double w = -2;  // its end goes to the wall at 1.8 m/s
    Stepper run(pendulum(w, e));
    strike(run, 1e-9);
    ASSERT_EQ(run.contacts.end.points.coupled.size(), 1U);
    EXPECT_NEAR(run.end_u[4], -e * w, 1e-7);
    const double impulse = run.contacts.start.stage.p[0][0] + run.contacts.end.stage.p[0][0];
    EXPECT_NEAR(impulse, (1 + e) * kInertia * std::abs(w) / kArm, 1e-6);
  }
}

TEST(ContactCoupled, OperatorsAreThoseOfRowsEliminated) {
  Stepper run(pendulum(-2, 0, 0.3));
  run.begin(1e-9);
  settle_P(run);
  const std::vector<MatX>& W = run.contacts.start.stage.coupled.W;
  ASSERT_EQ(W.size(), 1U);
  MatX wanted = MatX::Zero(3, 3);  // along n alone can a hinge be moved, and only by turning
  wanted(0, 0) = kArm * kArm / kInertia;
  const contact::Point& p = run.contacts.start.points.points[0];
  const Vec3 r = place_of(run.surfaces, p) - Vec3(-0.1, 0, 0);
  const Vec3 axis(0, 1, 0), n = p.n;
  VecX levers(3);
  levers << axis.dot(r.cross(n)), axis.dot(r.cross(run.contacts.start.points.t[0])),
      axis.dot(r.cross(run.contacts.start.points.s[0]));
  EXPECT_NEAR((W[0] - levers * levers.transpose() / kInertia).norm(), 0, 1e-10);
  EXPECT_NEAR(W[0](0, 0), wanted(0, 0), 1e-10);
}

// Rates that the stage keeps are those of the momenta that it leaves.
TEST(ContactCoupled, StagesKeepRatesWithoutAndWithTheirImpulses) {
  Stepper run(pendulum(-2, 0.5, 0.3));
  strike(run, 1e-9);
  const ContactStage& stage = run.contacts.end.stage;
  const Six now = slip_at(run.contacts.end.points, 0, run.end_u);
  EXPECT_NEAR((stage.after[0] - now).head<3>().norm(), 0, 1e-8);
  const VecX made = stage.coupled.W[0] * stage.p[0].head<3>();
  EXPECT_NEAR((stage.before[0].head<3>() + made - now.head<3>()).norm(), 0, 1e-8);
}

TEST(ContactCoupled, WhatRowsHoldTakesNoImpulse) {
  model::Builder b = pendulum(0, 0);
  model::JointSpec fixed;
  fixed.name = "fixed";
  fixed.type = "fixed";
  fixed.b = "rod";
  fixed.at = Pose{Vec3(-0.1, 0, -0.9), Mat3::Identity()};
  b.add_joint(fixed);
  Stepper run(b);
  run.begin(1e-3);
  settle_P(run);
  ASSERT_EQ(run.contacts.start.stage.coupled.held.size(), 1U);
  EXPECT_TRUE(run.contacts.start.stage.coupled.held[0]);
  EXPECT_EQ(run.contacts.start.stage.p[0], Six(Six::Zero()));
}

TEST(ContactCoupled, RowsThatCannotBeSolvedAreNotSettled) {
  Stepper run(pendulum(-2, 0));
  run.begin(1e-3);
  const RowResponse fails = [](const auto&, auto&, bool) { return false; };
  EXPECT_FALSE(settle_start(run.contacts, run.now, fails, true, kEnough, run.P));
}

// What is settled changes neither impulses nor momenta.
TEST(ContactCoupled, SettledPointsChangeNothing) {
  Stepper run(pendulum(-2, 0.5, 0.3));
  run.begin(1e-9);
  settle_P(run);
  const std::vector<double> P = run.P;
  const Six p = run.contacts.start.stage.p[0];
  const RowResponse respond = DenseRows(run, run.now).response();
  EXPECT_TRUE(settle_start(run.contacts, run.now, respond, false, kEnough, run.P));
  EXPECT_EQ(run.P, P);
  EXPECT_EQ(run.contacts.start.stage.p[0], p);
}

TEST(ContactCoupled, FreePointsAloneAreSettled) {
  model::Builder b;
  b.add_obstacle(test::floor_of());
  b.add_body(test::ball("a", 0.1, 1, {0, 0, 0.1}));
  Stepper run(b);
  run.begin(1e-3);
  const std::vector<double> P = run.P;
  const RowResponse fails = [](const auto&, auto&, bool) { return false; };
  EXPECT_TRUE(settle_start(run.contacts, run.now, fails, true, kEnough, run.P));
  EXPECT_EQ(run.P, P);
}

// Chains that strike with friction and restitution gain no energy, and joints hold.
TEST(ContactCoupled, ChainsNeverGainEnergy) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    model::Builder b;
    b.gravity = Vec3::Zero();
    b.add_obstacle(test::floor_of());
    b.add_contact_law(test::law_everywhere(0.6, 0.9));
    const Mat3 R = exp_matrix(Vec3(0, 0.5 + 0.04 * trial, 0));
    const Vec3 v(1.5 * std::cos(trial), 0.3, -1);
    for (int k = 0; k < 3; ++k) {
      model::BodySpec rod =
          block("r" + std::to_string(k), Vec3(0.05, 0.05, 0.5), 1 + k, R * Vec3(0, 0, 0.5 * k));
      rod.X_WB.R = R;
      rod.X_WB.p.z() += 0.25 * R(2, 2) + 0.025 * std::abs(R(2, 0));
      rod.v = v;
      b.add_body(rod);
      if (k == 0) continue;
      model::JointSpec joint;
      joint.name = "j" + std::to_string(k);
      joint.type = "spherical";
      joint.a = "r" + std::to_string(k - 1);
      joint.b = "r" + std::to_string(k);
      joint.at = Pose{rod.X_WB.p - R * Vec3(0, 0, 0.25), Mat3::Identity()};
      b.add_joint(joint);
    }
    Stepper run(b);
    const double before = run.kinetic();
    strike(run, 1e-9);
    ASSERT_GT(run.contacts.end.points.coupled.size(), 0U);
    const double after = run.kin.kinetic_energy(run.P_end.data(), run.end_u.data());
    EXPECT_LE(after, before * (1 + 1e-9)) << trial;
    EXPECT_GT(std::abs(run.P_end[2] - run.state.P[2]), 0.1) << trial;  // something has struck
    const DenseRows rows(run, run.end);
    EXPECT_NEAR((rows.J * rows.M * Eigen::Map<VecX>(run.P_end.data(), 18)).norm(), 0, 1e-8);
  }
}

// Rolling friction makes six numbers of each coupled point.
TEST(ContactCoupled, PointsHaveSixRowsWhereAnythingRolls) {
  for (const bool rolls : {false, true}) {
    model::Builder b = pendulum(-2, 0, 0.3);
    model::ContactLawSpec law = test::law_everywhere(0.3);
    law.between = {"default", "any"};
    law.law.rolling = rolls ? 0.01 : 0;
    b.add_contact_law(law);
    Stepper run(b);
    const PointSet set = run.points(0.1);
    EXPECT_EQ(rows_of(run.surfaces, set), rolls ? 6 : 3);
  }
}

}  // namespace
}  // namespace trammel::constraint::coupled_test

// What specifications of each shape become as rows of a solve, and how points of contact move.
#include "constraint/rows.h"

#include <gtest/gtest.h>

#include <utility>

#include "constraint/forces/geometry.h"
#include "math/rotation.h"

namespace trammel::constraint::rows_test {
namespace {

using law::ConstraintSpec;
using law::kInf;
using law::Level;

ConstraintSpec of(Level level, double lo = -kInf, double hi = kInf) {
  ConstraintSpec d;
  d.level = level;
  d.lo = lo;
  d.hi = hi;
  return d;
}

TEST(Rows, HoldWhatTheirDemandsSay) {
  EXPECT_EQ(hold_of(of(Level::position), false, false), Hold::nothing);
  EXPECT_EQ(hold_of(of(Level::position), true, false), Hold::position);
  EXPECT_EQ(hold_of(of(Level::position), true, true), Hold::recovery);
  EXPECT_EQ(hold_of(of(Level::unilateral), true, false), Hold::unilateral);
  EXPECT_EQ(hold_of(of(Level::velocity), true, false), Hold::rate);
  EXPECT_EQ(hold_of(of(Level::force), true, false), Hold::force);
}

TEST(Rows, AreBoundedByTheImpulseOfHalfAStep) {
  const ConstraintSpec d = of(Level::position, -4, 6);
  for (const double h : {0.1, -0.1}) {
    RowMotion at;
    at.h = h;
    const RowProblem row = end_position(Hold::position, d, d, at);
    EXPECT_DOUBLE_EQ(row.lo, -0.2);
    EXPECT_DOUBLE_EQ(row.hi, 0.3);
    EXPECT_DOUBLE_EQ(mean_rate(Hold::position, d, d, at).hi, 0.6);
  }
}

TEST(Rows, PushOffTheNearerStop) {
  ConstraintSpec d = of(Level::unilateral);
  d.from = -1;
  d.to = 2;
  d.restitution = 0.5;
  RowMotion at;
  at.h = 0.1;
  at.g = 2;
  at.rate = 3;
  const RowProblem row = end_rate(Hold::unilateral, d, at);
  EXPECT_TRUE(row.active);
  EXPECT_EQ(row.lo, -kInf);
  EXPECT_EQ(row.hi, 0);
  EXPECT_EQ(row.rate, -1.5);
  at.g = 1;
  EXPECT_FALSE(end_position(Hold::unilateral, d, d, at).active);
  EXPECT_EQ(d.rebound(-1, 3), 0);  // it leaves
  EXPECT_EQ(d.rebound(-1, -3), 1.5);
  EXPECT_EQ(displacement(Hold::unilateral, d, 2.25), 0.25);
}

/// At a bound only the way back counts; where the inverse mass is not known yet, all of it does.
TEST(Rows, ResidualsThatABoundExplainsDoNotCount) {
  RowProblem row;
  row.lo = 0;
  EXPECT_EQ(counted(3, 0, row, 2), 0);
  EXPECT_EQ(counted(-3, 0, row, 2), -3);
  EXPECT_EQ(counted(3, 0.5, row, 2), 1);  // the impulse left is 0.5 N s
  EXPECT_EQ(counted(3, 0.5, row, 0), 3);
  row = {};
  row.hi = 4;
  EXPECT_EQ(counted(-3, 4, row, 2), 0);
  EXPECT_EQ(counted(3, 4, row, 2), 3);
  EXPECT_EQ(counted(3, 4, {true, 4, 4}, 2), 0);
}

TEST(Rows, RecoverNoFasterThanTheyCanBrake) {
  ConstraintSpec d = of(Level::position, -8, 8);
  d.erp = 0.25;
  RowMotion at;
  at.h = 0.1;
  at.inverse_mass = 0.5;
  at.g = 0.01;
  EXPECT_DOUBLE_EQ(end_rate(Hold::recovery, d, at).rate, -0.025);  // a quarter of it a step
  at.g = 100;
  EXPECT_DOUBLE_EQ(end_rate(Hold::recovery, d, at).rate, -20);  // sqrt(2 (8/2 0.5) 100)
}

/// Two objects that turn and are thrown, at a time.
model::KinematicsCache thrown(double t) {
  const Vec3 v[] = {{0.3, -0.2, 0.5}, {-0.4, 0.1, -0.6}}, a[] = {{1, 2, -1}, {-2, 0.5, 1}},
             w[] = {{0.7, -1.1, 0.4}, {-0.5, 0.9, 1.3}}, p[] = {{0, 0, 0}, {0.1, 0.2, 1}};
  model::KinematicsCache out;
  for (std::size_t i = 0; i < 2; ++i) {
    const Mat3 A = exp_matrix(t * w[i]), W = skew(w[i]);
    out.T_WO.push_back({p[i] + t * v[i] + t * t / 2 * a[i], A});
    out.rate.push_back({v[i] + t * a[i], W * A});
    out.bias.push_back({a[i], W * W * A});
  }
  return out;
}

/// Edges, rods and rims, of which no two lie along each other.
TEST(ContactGeometry, GapsMoveAsTheyDoFromTimeToTime) {
  using Kind = ContactPiece::Kind;
  const ContactPiece edge{Kind::line, {0.1, 0, 0.2}, Vec3(1, 0.2, -0.1).normalized()},
      rod{Kind::line, {0, 0.1, -0.1}, Vec3(0.3, 1, 0.2).normalized(), 0.05},
      face{Kind::plane, {0.2, 0.1, 0}, Vec3(0.1, 0.2, 1).normalized()},
      ball{Kind::point, {0.1, -0.1, 0.1}, Vec3::UnitZ(), 0.2},
      rim{Kind::circle, {0, 0.1, 0}, Vec3(0.2, 0.1, 1).normalized(), 0, 0.3};
  ContactPiece egg{Kind::ellipsoid, {0.1, 0, -0.1}};
  egg.radii = {0.1, 0.25, 0.2};
  egg.axes = exp_matrix(Vec3(0.5, -0.8, 0.3));
  const model::Model none;
  for (const auto& [A, B] : {std::pair(edge, rod),
                             {rod, edge},
                             {face, ball},
                             {rim, face},
                             {rod, ball},
                             {ball, rim},
                             {face, egg},
                             {egg, face},
                             {egg, ball},
                             {ball, egg},
                             {egg, rod},
                             {edge, egg},
                             {egg, egg},
                             {ball, ball}}) {
    SCOPED_TRACE(static_cast<int>(A.kind) * 10 + static_cast<int>(B.kind));
    const auto motion = [&, a = A, b = B](double t) {
      return motion_of(none, {0, 1, a, b, 1}, Vec3::Zero(), Vec3::Zero(), thrown(t));
    };
    constexpr double kH = 1e-4;
    const ContactMotion now = motion(0), before = motion(-kH), after = motion(kH);
    EXPECT_NEAR(now.gap_rate, (after.gap - before.gap) / (2 * kH), 1e-6);
    EXPECT_NEAR(now.gap_bias, (after.gap_rate - before.gap_rate) / (2 * kH), 1e-4);
  }
}

}  // namespace
}  // namespace trammel::constraint::rows_test

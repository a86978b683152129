// What specifications of each shape become as rows of a solve.
#include "constraint/rows.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace trammel::constraint::rows_test

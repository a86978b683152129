// Rows at stops within a step, against motions of a point; what stages ask of rows.
#include "constraint/stops.h"

#include <gtest/gtest.h>

#include <cmath>

#include "constraint/instant.h"
#include "constraint/row_events.h"
#include "constraint/stage_rows.h"

namespace trammel::constraint::stops_test {
namespace {

using law::ConstraintSpec;
using law::kInf;
using law::Level;

ConstraintSpec stop_at_zero() {
  ConstraintSpec d;
  d.level = Level::unilateral;
  d.from = 0;
  return d;
}

constexpr double kWithin = 1e-9;  // steps end a part of model::kPenetrated beyond the stop

TEST(Stops, AreMetWhereAUniformMotionMeetsThem) {
  const ConstraintSpec d = stop_at_zero();
  // from 1 m at -2 m/s for 1 s
  EXPECT_NEAR(time_of_stop(Hold::unilateral, d, d, {1, -2, -1, 1}), 0.5, kWithin);
  EXPECT_GT(time_of_stop(Hold::unilateral, d, d, {1, -2, -1, 1}), 0.5) << "a little beyond";
  EXPECT_EQ(time_of_stop(Hold::position, d, d, {1, -2, -1, 1}), kInf);
  EXPECT_EQ(time_of_stop(Hold::unilateral, d, d, {1, -0.5, 0.5, 1}), kInf) << "it stays away";
  EXPECT_EQ(time_of_stop(Hold::unilateral, d, d, {0, -2, -2, 1}), kInf) << "it was there";
}

TEST(Stops, OnThePathOfAFall) {
  const ConstraintSpec d = stop_at_zero();
  // g = 1 - 3 t - t^2 / 2 is zero at sqrt(11) - 3, and -2.5 after 1 s
  EXPECT_NEAR(time_of_stop(Hold::unilateral, d, d, {1, -3, -2.5, 1}), std::sqrt(11.) - 3, kWithin);
  // from rest the speed is all of the step's own making: no impact
  EXPECT_EQ(time_of_stop(Hold::unilateral, d, d, {1, 0, -1, 1}), kInf);
}

TEST(Stops, CloseStrikeAndAreRestedOn) {
  const ConstraintSpec d = stop_at_zero();
  EXPECT_TRUE(has_closed(Hold::unilateral, d, d, 1, 0));
  EXPECT_FALSE(has_closed(Hold::unilateral, d, d, 0, 0));
  EXPECT_FALSE(has_closed(Hold::nothing, d, d, 1, 0));
  EXPECT_TRUE(strikes(Hold::unilateral, d, 0, -1));
  EXPECT_FALSE(strikes(Hold::unilateral, d, 0, 1));
  EXPECT_FALSE(strikes(Hold::unilateral, d, 0, -kImpactSpeed / 2));
  EXPECT_FALSE(strikes(Hold::nothing, d, 0, -1));
  EXPECT_EQ(depth_at_rest(Hold::unilateral, d, -0.25, 0), 0.25);
  EXPECT_EQ(depth_at_rest(Hold::unilateral, d, -0.25, 1), 0);
  EXPECT_EQ(depth_at_rest(Hold::position, d, -0.25, 0), 0);
}

TEST(StageRows, CountWhatTheyHold) {
  RowProblem within;
  within.lo = -1;
  within.hi = 1;
  EXPECT_EQ(counted(Hold::friction, 3, 0, within, 1), 0) << "its cone counts";
  EXPECT_EQ(counted(Hold::rate, 3, 0, within, 1), 3);
  EXPECT_EQ(counted(Hold::rate, 3, -1, within, 1), 0) << "at its bound";
  EXPECT_TRUE(counts_alone(Hold::unilateral, 0, kInf));
  EXPECT_FALSE(counts_alone(Hold::unilateral, 0, 0));
  EXPECT_FALSE(counts_alone(Hold::friction, -kInf, kInf));
  EXPECT_EQ(mean_residual(Hold::rate, 1, 2, 0.5), 1.5);
  EXPECT_EQ(mean_residual(Hold::position, 1, 2, 0.5), 2);
}

TEST(StageRows, YieldWithinBoundsAlone) {
  ConstraintSpec free, bounded;
  bounded.hi = 5;
  EXPECT_TRUE(may_be_displaced(Hold::position, bounded));
  EXPECT_TRUE(may_be_displaced(Hold::recovery, bounded));
  EXPECT_FALSE(may_be_displaced(Hold::rate, bounded));
  EXPECT_FALSE(may_be_displaced(Hold::position, free));
  EXPECT_TRUE(needs_inverse_mass(Hold::position, bounded));
  EXPECT_FALSE(needs_inverse_mass(Hold::position, free));
  EXPECT_TRUE(needs_inverse_mass(Hold::unilateral, free));
  EXPECT_TRUE(never_yields(Hold::unilateral, 0, kInf));
  EXPECT_TRUE(never_yields(Hold::position, -kInf, kInf));
  EXPECT_FALSE(never_yields(Hold::rate, -1, kInf));
  EXPECT_TRUE(works_in_stages(Hold::rate, bounded));
  EXPECT_TRUE(works_in_stages(Hold::friction, free));
  EXPECT_FALSE(works_in_stages(Hold::unilateral, bounded));
  EXPECT_FALSE(works_in_stages(Hold::nothing, bounded));
}

TEST(RowEvents, ForcesAtBoundsAndRatesOfImpulses) {
  ConstraintSpec motor, tangent;
  motor.level = Level::velocity;
  motor.lo = -2;
  motor.hi = 3;
  motor.target.v = 7;
  tangent.level = Level::friction;
  const RowStatus low{Status::sliding, -1, 0}, holds{Status::active, 0, 0};
  EXPECT_EQ(force_at_bound(motor, low), -2);
  EXPECT_EQ(force_at_bound(motor, holds), 0);
  EXPECT_EQ(force_at_bound(tangent, low), 0);
  EXPECT_EQ(bound_reached(motor, 1, -1), -1);
  EXPECT_EQ(bound_reached(tangent, 1, -1), 1);
  EXPECT_EQ(bound_reached(tangent, -1, -1), -1);
  EXPECT_EQ(rate_of_impulse(motor, 1, 2), 1.5);
  motor.level = Level::position;
  EXPECT_EQ(rate_of_impulse(motor, 1, 2), 7);
}

TEST(Instant, RolesFollowFromTheSpecification) {
  ConstraintSpec d;
  EXPECT_EQ(role_at_instant(d, 0, false), InstantRole::held);
  EXPECT_EQ(role_at_instant(d, 0, true), InstantRole::held) << "no force displaces it";
  d.hi = 1;
  EXPECT_EQ(role_at_instant(d, 0, false), InstantRole::held);
  EXPECT_EQ(role_at_instant(d, 0, true), InstantRole::undecided);
  EXPECT_EQ(role_at_instant(stop_at_zero(), 1, false), InstantRole::open);
  EXPECT_EQ(role_at_instant(stop_at_zero(), 0, false), InstantRole::undecided);
  d.level = Level::force;
  EXPECT_EQ(role_at_instant(d, 0, false), InstantRole::force);
}

}  // namespace
}  // namespace trammel::constraint::stops_test

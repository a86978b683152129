// What specifications of each shape hold, exclude and do at rest.
#include "law/targets.h"

#include <gtest/gtest.h>

#include "law/at_rest.h"
#include "law/conflicts.h"

namespace trammel::law::targets_test {
namespace {

ConstraintSpec of(Level level, double lo = -kInf, double hi = kInf) {
  ConstraintSpec d;
  d.level = level;
  d.lo = lo;
  d.hi = hi;
  d.target = {2, 3, 0};
  d.from = -1;
  d.to = 1;
  return d;
}

TEST(Targets, AreThoseOfTheLevel) {
  EXPECT_EQ(held_value(of(Level::position)), 2);
  EXPECT_EQ(held_value(of(Level::position, 0, 1)), 2);
  EXPECT_EQ(fixed_value(of(Level::position)), 2);
  EXPECT_FALSE(fixed_value(of(Level::position, 0, 1)));
  EXPECT_FALSE(held_value(of(Level::unilateral)));
  EXPECT_FALSE(held_value(of(Level::velocity)));
  EXPECT_EQ(fixed_rate(of(Level::position)), 3);
  EXPECT_EQ(fixed_rate(of(Level::velocity)), 3);
  EXPECT_FALSE(fixed_rate(of(Level::velocity, 0, 1)));
  EXPECT_FALSE(fixed_rate(of(Level::force)));
}

TEST(Targets, OffsetsAndPlacesOfStops) {
  const ConstraintSpec stops = of(Level::unilateral);
  EXPECT_EQ(rigid_offset(stops, 1.5), -0.5);
  EXPECT_EQ(rigid_offset(of(Level::position), 2.5), 0.5);
  EXPECT_EQ(rigid_offset(of(Level::position, 0, 1), 2.5), 0);
  EXPECT_TRUE(is_to_be_placed(stops, 1.5, 1e-9));
  EXPECT_FALSE(is_to_be_placed(stops, 0.5, 1e-9));
  EXPECT_TRUE(is_to_be_placed(of(Level::position), 2, 1e-9));
  EXPECT_FALSE(is_to_be_placed(of(Level::velocity), 2, 1e-9));
  EXPECT_EQ(between_stops(stops, 0.5, 4), 0.5);
  EXPECT_EQ(between_stops(stops, -4.5, 4), -0.5);
  EXPECT_EQ(between_stops(stops, 3.5, 4), -0.5);
  EXPECT_FALSE(between_stops(stops, 2, 4));
  EXPECT_FALSE(between_stops(of(Level::position), 0, 4));
}

TEST(AtRest, MotorsAreAbsentAndWhatIsHeldHolds) {
  EXPECT_EQ(at_rest(of(Level::position, 0, 1)), AtRest::holds);
  EXPECT_EQ(at_rest(of(Level::velocity)), AtRest::holds);
  EXPECT_EQ(at_rest(of(Level::velocity, 0, 1)), AtRest::absent);
  EXPECT_EQ(at_rest(of(Level::friction)), AtRest::absent);
  EXPECT_EQ(at_rest(of(Level::unilateral)), AtRest::stops);
  EXPECT_EQ(at_rest(of(Level::force)), AtRest::forces);
  EXPECT_EQ(bound_passed(of(Level::position, -1, 2), 3), 2);
  EXPECT_EQ(bound_passed(of(Level::position, -1, 2), -3), -1);
  EXPECT_FALSE(bound_passed(of(Level::position, -1, 2), 1));
  EXPECT_FALSE(bound_passed(of(Level::position), 1e9));
}

TEST(Conflicts, OneHoldsAndTheOtherHoldsOrStops) {
  const ConstraintSpec holds = of(Level::position), yields = of(Level::position, 0, 1),
                       stops = of(Level::unilateral), motor = of(Level::velocity, 0, 1);
  EXPECT_TRUE(exclude(holds, yields));
  EXPECT_TRUE(exclude(stops, holds));
  EXPECT_TRUE(exclude(holds, stops));
  EXPECT_FALSE(exclude(stops, stops));
  EXPECT_FALSE(exclude(motor, holds));
  EXPECT_FALSE(exclude(motor, stops));
}

TEST(Conflicts, ChangesOfLevelAndOfWhatIsHeld) {
  ConstraintSpec moved = of(Level::position);
  moved.target.x = 5;
  EXPECT_TRUE(faults_of_change(of(Level::position), of(Level::position)).empty());
  EXPECT_EQ(faults_of_change(of(Level::position), moved).size(), 1);
  EXPECT_EQ(faults_of_change(of(Level::unilateral), moved).size(), 2);
  EXPECT_EQ(faults_of_change(of(Level::position), of(Level::velocity)).size(), 1);
}

}  // namespace
}  // namespace trammel::law::targets_test

// How rows change what they are: every transition, at rates and forces on both sides of it.
#include "constraint/status.h"

#include <gtest/gtest.h>

namespace trammel::constraint::status_test {
namespace {

using law::ConstraintSpec;
using law::kInf;
using law::Level;

/// A row at g [m] with its rate [m/s] and force [N], on 2 kg.
RowState at(double g, double rate = 0, double force = 0) {
  RowState s;
  s.g = s.g_start = g;
  s.rate = rate;
  s.force = force;
  s.inverse_mass = 0.5;
  return s;
}

ConstraintSpec stop(double from, double to) {
  ConstraintSpec d;
  d.level = Level::unilateral;
  d.from = from;
  d.to = to;
  d.restitution = 0.5;
  return d;
}
ConstraintSpec friction(double force, double breakaway = 0) {
  ConstraintSpec d;
  d.level = Level::velocity;
  d.lo = -force;
  d.hi = force;
  d.breakaway = breakaway;
  return d;
}
ConstraintSpec lock(double lo, double hi) {
  ConstraintSpec d;
  d.lo = lo;
  d.hi = hi;
  return d;
}

const RowStatus kActive{Status::active, 0, 0};

TEST(RowStatus, OfAStateTakenUp) {
  const Stored off{.on = false, .yielded = false, .set = 0, .recovery = 0}, on;
  EXPECT_EQ(status_at(lock(-1, 1), off, at(0)).status, Status::off);
  EXPECT_EQ(status_at(lock(-1, 1), on, at(0)).status, Status::active);
  ConstraintSpec spring;
  spring.level = Level::force;
  EXPECT_EQ(status_at(spring, on, at(0)).status, Status::free);
  EXPECT_EQ(status_at(stop(0, 1), on, at(0.5)).status, Status::open);
  EXPECT_EQ(status_at(stop(0, 1), on, at(0)).status, Status::active);
  EXPECT_EQ(status_at(stop(0, 1), on, at(0, 1)).status, Status::open) << "it leaves";
  EXPECT_EQ(status_at(stop(0, 1), on, at(0, -1)).status, Status::active) << "it runs in";
  EXPECT_EQ(status_at(friction(2), on, at(0)).status, Status::active);
  const RowStatus slides = status_at(friction(2), on, at(0, 1));
  EXPECT_EQ(slides.status, Status::sliding);
  EXPECT_EQ(bound_force(friction(2), slides), -2);
}

TEST(RowStatus, OfAYieldedRowTakenUp) {
  Stored yielded;
  yielded.yielded = true;
  const RowStatus above = status_at(lock(-3, 4), yielded, at(0.1)),
                  below = status_at(lock(-3, 4), yielded, at(-0.1));
  EXPECT_EQ(above.status, Status::yielded);
  EXPECT_EQ(bound_force(lock(-3, 4), above), -3);
  EXPECT_EQ(bound_force(lock(-3, 4), below), 4);
  yielded.recovery = 0.7;
  const RowStatus back = status_at(lock(-3, 4), yielded, at(0.1));
  EXPECT_EQ(back.status, Status::recovering);
  EXPECT_EQ(back.recovery, 0.7);
}

TEST(RowStatus, WhatIsStoredIsTakenUpAgain) {
  for (const RowStatus s : {RowStatus{Status::sliding, -1, 0}, RowStatus{Status::sliding, 1, 0}}) {
    Stored stored;
    stored.set = stored_set(s);
    EXPECT_EQ(status_at(friction(2), stored, at(0)).side, s.side);
  }
  Stored open;
  open.set = stored_set({Status::open, 1, 0});
  EXPECT_EQ(status_at(stop(0, 1), open, at(0)).status, Status::open);
}

TEST(RowStatus, AlarmsOfForcesAreSharesOfTheirBounds) {
  for (const double size : {1e-6, 1., 1e6}) {
    RowState s = at(0, 0, 2 * size * (1 + 3e-9));
    s.near.acceleration = size;
    EXPECT_TRUE(is_alarmed(friction(2 * size), kActive, s)) << size;
    s.force = 2 * size * (1 - 3e-9);
    EXPECT_FALSE(is_alarmed(friction(2 * size), kActive, s)) << size;
    s.force = -2 * size * (1 + 3e-9);
    EXPECT_TRUE(is_alarmed(friction(2 * size), kActive, s)) << size;
  }
}

TEST(RowStatus, StaticFrictionHoldsUpToItsBreakaway) {
  EXPECT_FALSE(is_alarmed(friction(2, 3), kActive, at(0, 0, 2.9)));
  EXPECT_TRUE(is_alarmed(friction(2, 3), kActive, at(0, 0, 3.1)));
}

TEST(RowStatus, AlarmsOfRatesGoWithTheMotion) {
  const RowStatus slides{Status::sliding, -1, 0};  // forward, held back
  for (const double near : {1e-14, 1e-8, 1e-2}) {
    RowState s = at(0, 2 * near);
    s.near.rate = near;
    EXPECT_LT(alarm(friction(2), slides, s), 0) << near;
    s.rate = -2 * near;  // it has come to rest, and would be drawn back
    EXPECT_TRUE(is_alarmed(friction(2), slides, s)) << near;
    EXPECT_EQ(arrived(friction(2), slides, s).status, Status::active) << near;
    s.rate = -1000 * near;
    EXPECT_EQ(arrived(friction(2), slides, s).status, Status::sliding) << near;
  }
}

TEST(RowStatus, StopsPushOnly) {
  const ConstraintSpec d = stop(0, 1);
  const RowStatus lower{Status::active, 1, 0}, upper{Status::active, -1, 0};
  EXPECT_FALSE(is_alarmed(d, lower, at(0, 0, 5)));
  EXPECT_TRUE(is_alarmed(d, lower, at(0, 0, -5)));
  EXPECT_TRUE(is_alarmed(d, upper, at(1, 0, 5)));
  EXPECT_FALSE(is_alarmed(d, upper, at(1, 0, -5)));
  EXPECT_EQ(released(d, lower, lower, -1, at(0)).status, Status::open);
  EXPECT_EQ(place(d, lower), 0);
  EXPECT_EQ(place(d, upper), 1);
  EXPECT_EQ(clearance(d, {Status::open, 1, 0}, 0.25), 0.25);
  EXPECT_EQ(clearance(d, lower, 0.25), kInf);
}

TEST(RowStatus, StopsAreMetBeyondThemAndStruckAtASpeed) {
  const ConstraintSpec d = stop(0, 1);
  const RowStatus open{Status::open, 1, 0};
  EXPECT_LT(alarm(d, open, at(0.1, -1)), 0);
  EXPECT_TRUE(is_alarmed(d, open, at(-1e-6, -1)));
  const ImpactRow hit = impact_row(d, open, at(0, -2));
  EXPECT_TRUE(hit.strikes);
  EXPECT_EQ(hit.lo, 0);
  EXPECT_EQ(hit.hi, kInf);
  EXPECT_EQ(hit.rate, 1) << "half of it comes back";
  EXPECT_FALSE(impact_row(d, open, at(0, 2)).strikes) << "it leaves";
  EXPECT_FALSE(impact_row(d, open, at(0.1, -2)).active) << "it is not there yet";
  EXPECT_EQ(impact_row(d, open, at(1, 2)).rate, -1) << "the upper one";
}

/// Thrown off its place by 0.08 m, 4 N draw it back and 3 N brake it, half of which does 0.75 m/s^2
/// to 2 kg: from 0.08 m it may come at sqrt(2 0.75 0.08) m/s.
TEST(RowStatus, AYieldedRowComesBackOnAParabola) {
  const ConstraintSpec d = lock(-4, 3);
  const RowStatus yielded = released(d, kActive, kActive, -1, at(0));
  EXPECT_EQ(yielded.status, Status::yielded);
  EXPECT_EQ(bound_force(d, yielded), -4);
  const double fast = -std::sqrt(2 * 0.75 * 0.08);
  EXPECT_EQ(arrived(d, yielded, at(0.08, 0.5 * fast)).status, Status::yielded);
  EXPECT_TRUE(is_alarmed(d, yielded, at(0.08, 1.001 * fast)));
  const RowStatus back = arrived(d, yielded, at(0.08, fast));
  ASSERT_EQ(back.status, Status::recovering);
  EXPECT_NEAR(back.recovery, 0.75, 1e-12);
  EXPECT_TRUE(is_displaced(back));
  EXPECT_EQ(arrived(d, back, at(0.04, fast / 2)).status, Status::recovering);
  EXPECT_EQ(arrived(d, back, at(1e-9, 0)).status, Status::active);
  EXPECT_EQ(arrived(d, back, at(1e-3, 0)).status, Status::yielded) << "it has stopped short";
  EXPECT_EQ(stored_set(back), 0);
}

TEST(RowStatus, ABrakeThatIsTooMuchForItsBoundIsGentler) {
  const ConstraintSpec d = lock(-4, 3);
  RowStatus back{Status::recovering, 0, 0.75};
  const RowStatus yielded{Status::yielded, -1, 0.75};
  const RowStatus again = released(d, back, yielded, 1, at(0.08, -0.3));
  EXPECT_EQ(again.status, Status::yielded);
  EXPECT_EQ(again.recovery, 0.375);
  EXPECT_EQ(released(d, back, yielded, -1, at(0.08, -0.3)).recovery, 0);
}

TEST(RowStatus, BoundedRowsGiveWhatTheyCanInAnImpactOfOthers) {
  const ImpactRow none = impact_row(friction(2), kActive, at(0, 1));
  EXPECT_FALSE(none.active) << "no force that is bounded makes an impulse";
  ConstraintSpec half = friction(2);
  half.hi = kInf;
  const ImpactRow one_way = impact_row(half, kActive, at(0, 1));
  EXPECT_TRUE(one_way.active && one_way.strikes);
  EXPECT_EQ(one_way.lo, 0);
  EXPECT_EQ(one_way.hi, kInf);
  EXPECT_FALSE(impact_row(half, {}, at(0, 1)).active) << "let go";
}

TEST(RowStatus, AfterAnImpactRowsAreWhatTheirRatesAllow) {
  const RowStatus slides = candidate(friction(2), kActive, kActive, at(0, 1));
  EXPECT_EQ(slides.status, Status::sliding);
  EXPECT_EQ(slides.side, -1);
  EXPECT_EQ(candidate(friction(2), slides, slides, at(0, 0)).status, Status::active);
  EXPECT_EQ(candidate(lock(-4, 3), kActive, kActive, at(0, -1)).side, 1);
  EXPECT_EQ(candidate(lock(-4, 3), kActive, kActive, at(0, -1)).status, Status::yielded);
  EXPECT_EQ(candidate(stop(0, 1), kActive, kActive, at(0, 0.5)).status, Status::open);
  EXPECT_EQ(candidate(stop(0, 1), {Status::open, 1, 0}, kActive, at(0, 0)).status, Status::active);
  EXPECT_EQ(candidate(lock(-4, 3), {}, {}, at(0, 1)).status, Status::off);
}

}  // namespace
}  // namespace trammel::constraint::status_test

#include "law/load.h"

#include <gtest/gtest.h>

#include "math/rotation.h"

namespace trammel::law::load_test {
namespace {

const body::Place kPlace{Vec3(1, 2, 3), exp_matrix(Vec3(0.4, -0.3, 0.9))};
const Vec3 kPoint(0.2, 0.5, -0.7), kVelocity(1, -2, 0.5), kSpin(0.3, 0.6, -0.2);
const body::Rate kRate{kVelocity, skew(kSpin) * kPlace.A};

Load load(LoadKind kind, Axes axes) {
  Load out;
  out.kind = kind;
  out.axes = axes;
  out.point = kPoint;
  out.value = {Signal(1), Signal::spline({0, 1}, {0, 4}), Signal(-3)};
  return out;
}

TEST(Load, ActsAtItsPointAlongItsAxes) {
  const Vec3 now(1, 2, -3);  // at t = 0.5
  const Wrench world = wrench(load(LoadKind::force, Axes::world), nullptr, kPlace, kRate, 0.5);
  EXPECT_EQ(world.f, now);
  EXPECT_EQ(world.torque.norm(), 0);
  EXPECT_EQ(world.r, kPlace.A * kPoint);
  const Wrench body = wrench(load(LoadKind::force, Axes::body), nullptr, kPlace, kRate, 0.5);
  EXPECT_NEAR((body.f - kPlace.A * now).norm(), 0, 1e-15);
  const Wrench torque = wrench(load(LoadKind::torque, Axes::body), nullptr, kPlace, kRate, 0.5);
  EXPECT_NEAR((torque.torque - kPlace.A * now).norm(), 0, 1e-15);
  EXPECT_EQ(torque.f.norm(), 0);
}

TEST(Load, DragOpposesTheVelocityOfItsPoint) {
  Load drag = load(LoadKind::drag, Axes::world);
  drag.first_param = 1;
  const double params[]{99, 0.5, 2};
  const Vec3 v = kVelocity + kSpin.cross(kPlace.A * kPoint);
  const Wrench w = wrench(drag, params, kPlace, kRate, 0);
  EXPECT_NEAR((w.f + (0.5 + 2 * v.norm()) * v).norm(), 0, 1e-14);
  EXPECT_TRUE(drag.needs_rates());
  EXPECT_FALSE(load(LoadKind::force, Axes::body).needs_rates());
}

}  // namespace
}  // namespace trammel::law::load_test

#include "sim/contact_points.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "model/builder.h"

namespace trammel::sim::contact_points_test {
namespace {

/// A box of 2 kg that stands on a slab, and a ball of 1 kg upon it.
model::Built stack() {
  model::Builder b;
  model::BodySpec box;
  box.name = "box";
  box.mass = 2;
  box.solid = model::Solid{model::Solid::Kind::box, {0.4, 0.4, 0.2}};
  box.X_WB.p = {0, 0, 0.1};
  box.solids_touch = true;
  b.add_body(box);
  model::BodySpec ball = box;
  ball.name = "ball";
  ball.mass = 1;
  ball.solid = model::Solid{model::Solid::Kind::sphere, {0.1, 0, 0}};
  ball.X_WB.p = {0, 0, 0.3};
  b.add_body(ball);
  model::ContactSpec floor;
  floor.kind = model::ContactSpec::Kind::half_space;
  b.add_obstacle(floor);
  return std::get<model::Built>(b.build());
}

TEST(ContactPoints, AStackOnTheFloorByHandle) {
  const model::Built built = stack();
  Settings settings;
  settings.duration = 1;
  settings.step = 1e-3;
  Simulation run(built, settings);
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(run.advance());
  const model::BodyHandle box = model::body_named(run.model(), "box"),
                          ball = model::body_named(run.model(), "ball");
  const auto between = contact_points_between(run, box, ball);
  ASSERT_EQ(between.size(), 1U);
  EXPECT_EQ(between[0].a, box);
  EXPECT_EQ(between[0].b, ball);
  EXPECT_NEAR(between[0].force.z(), 9.81, 1e-6);  // the solver's tolerance
  EXPECT_NEAR(between[0].normal.z(), 1, 1e-12);
  EXPECT_NEAR(between[0].position.z(), 0.2, 1e-6);
  EXPECT_NEAR(contact_points_between(run, ball, box)[0].force.z(), -9.81, 1e-6);
  double up = 0;
  for (const ContactPoint& p : contact_points_of(run, box)) {
    EXPECT_EQ(p.b, box);
    up += p.force.z();
  }
  EXPECT_NEAR(up, 2 * 9.81, 1e-6);
  EXPECT_THROW(contact_points_of(run, {}), std::invalid_argument);
}

}  // namespace
}  // namespace trammel::sim::contact_points_test

// Momentum of runs in which a block carries objects in coordinates of its own: what holds these is
// the world, whose forces no row knows, so the balance is of the bodies that move freely.
#include <gtest/gtest.h>

#include <memory>
#include <variant>

#include "form/test_pools.h"
#include "model/builder.h"
#include "sim/simulation.h"
#include "sim/test_balance.h"

namespace trammel::sim::pool_balance_test {
namespace {

/// Two links about skew axes, and a body on a ball joint at the second.
model::Built links_and_ball() {
  model::Builder builder;
  builder.add_pool({std::make_shared<form::test::SkewPool>(),
                    {"one", "two", "slide", "turn"},
                    {1},
                    {0.4, -0.7},
                    {1.5, -2}});
  model::BodySpec ball;
  ball.name = "ball";
  ball.mass = 0.8;
  ball.inertia = {0.05, 0.04, 0.03, 0.005, 0, 0.002};
  ball.X_WB.p = {0.2, 0.3, -1.2};
  ball.w = {0.3, -0.4, 0.5};
  builder.add_body(ball);
  model::JointSpec joint;
  joint.name = "joint";
  joint.type = "spherical";
  joint.a = "two";
  joint.b = "ball";
  joint.at = Pose{{0.3, 0.2, -1.1}, Mat3::Identity()};
  builder.add_joint(joint);
  return std::get<model::Built>(builder.build());
}

TEST(PoolBalance, MomentumOfWhatMovesFreelyIsExplained) {
  using Formulation = form::Settings::Formulation;
  const model::Built built = links_and_ball();
  for (const Formulation f :
       {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
    Settings settings;
    settings.duration = 0.5;
    settings.step = 1e-3;
    settings.form.formulation = f;
    settings.form.joint_stiffness = law::kInf;
    Simulation run(built, settings);
    while (!run.finished() && run.advance()) continue;
    test::expect_balance(run);
    EXPECT_TRUE(run.finished()) << name_of(f);
  }
}

}  // namespace
}  // namespace trammel::sim::pool_balance_test

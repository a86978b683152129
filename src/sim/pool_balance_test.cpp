// Momentum of runs in which a block carries objects in coordinates of its own: what holds these is
// the world, whose forces no row knows, so the balance is of the bodies that move freely.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <variant>

#include "expr/build.h"
#include "form/test_pools.h"
#include "model/builder.h"
#include "model/system.h"
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

/// A spherical pendulum in longitude and colatitude, let go at 60 degrees, that passes the pole
/// 60 degrees' sine x rate / its speed below, 3.1 m/s, away from it.
model::Built past_a_pole(double rate) {
  model::SystemSpec s;
  s.name = "pendulum";
  s.of.graph = std::make_shared<expr::Graph>();
  const expr::Expression phi = s.of.graph->variable("phi"), theta = s.of.graph->variable("theta");
  const auto sin = [](expr::Expression e) { return expr::apply(expr::Op::sin, e); };
  const auto cos = [](expr::Expression e) { return expr::apply(expr::Op::cos, e); };
  s.of.coordinates = {{"phi", phi, true}, {"theta", theta, true}};
  body::SystemObject bob;
  bob.name = "bob";
  bob.mass = 1;
  bob.position = {sin(theta) * cos(phi), sin(theta) * sin(phi), -cos(theta)};
  s.of.objects = {bob};
  s.q = {0, 1.0471975511965976};
  s.u = {rate, 0};
  model::Builder builder;
  add_system(builder, std::move(s));
  return std::get<model::Built>(builder.build());
}

/// By impulses the bob that passes 12 mm from the pole (0.05 rad/s) ends 2 cm off after 10 s.
TEST(PoolCharts, ThatAreNearlySingularAreTold) {
  using Formulation = form::Settings::Formulation;
  const auto told = [](double rate, Formulation formulation) {
    const model::Built built = past_a_pole(rate);
    Settings settings;
    settings.duration = 1;
    settings.form.formulation = formulation;
    Simulation run(built, settings);
    while (!run.finished() && run.advance()) continue;
    for (const Warning& w : run.warnings())
      if (w.kind == WarningKind::bent_coordinates) return w.subject;
    return std::string();
  };
  EXPECT_EQ(told(0.05, Formulation::velocity), "pendulum.phi");
  EXPECT_EQ(told(1, Formulation::velocity), "");
  EXPECT_EQ(told(0.05, Formulation::acceleration), "");
  EXPECT_EQ(told(0.05, Formulation::energy), "");
}

/// A point at x^2 that comes to 0, where x ends, after 0.5 s.
model::Builder slide() {
  model::SystemSpec s;
  s.name = "slide";
  s.of.graph = std::make_shared<expr::Graph>();
  const expr::Expression x = s.of.graph->variable("x"), y = s.of.graph->variable("y");
  s.of.coordinates = {{"y", y, false}, {"x", x, false}};
  body::SystemObject point;
  point.name = "point";
  point.mass = 2;
  point.position = {x * x, y, {}};
  s.of.objects = {point};
  s.q = {0, 1};
  s.u = {0.3, -1};
  model::Builder builder;
  builder.gravity.setZero();
  add_system(builder, std::move(s));
  return builder;
}

TEST(PoolCharts, ThatEndAreNamed) {
  using Formulation = form::Settings::Formulation;
  const auto built = std::get<model::Built>(slide().build());
  for (const Formulation f :
       {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
    Settings settings;
    settings.duration = 1;
    settings.form.formulation = f;
    Simulation run(built, settings);
    while (!run.finished() && run.advance()) continue;
    EXPECT_NE(run.failure().find("system 'slide' are no chart here: 'x' "), std::string::npos)
        << name_of(f) << ": " << run.failure();
    EXPECT_NEAR(run.state().t, 0.5, 4e-3) << name_of(f);
    EXPECT_NEAR(run.state().q[0], 0.3 * run.state().t, 1e-6);  // what was good is kept
  }
}

/// A load that is no number is not the chart's fault.
TEST(PoolCharts, ThatAreGoodAreNotBlamed) {
  using Formulation = form::Settings::Formulation;
  model::Builder builder = slide();
  model::LoadSpec load;
  load.name = "push";
  load.body = "point";
  load.value[1] = Signal::function([](double t) { return Jet{t > 0.1 ? std::nan("") : 0, 0, 0}; });
  builder.add_load(load);
  const auto built = std::get<model::Built>(builder.build());
  for (const Formulation f :
       {Formulation::velocity, Formulation::acceleration, Formulation::energy}) {
    Settings settings;
    settings.duration = 1;
    settings.form.formulation = f;
    Simulation run(built, settings);
    while (!run.finished() && run.advance()) continue;
    EXPECT_NE(run.failure(), "") << name_of(f);
    EXPECT_EQ(run.failure().find("chart"), std::string::npos) << run.failure();
  }
}

}  // namespace
}  // namespace trammel::sim::pool_balance_test

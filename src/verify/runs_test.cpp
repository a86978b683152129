// What is taken of runs: what they cost, how large their energies are, how small differences grow,
// and when bodies meet.
#include <gtest/gtest.h>

#include <cmath>
#include <variant>
#include <vector>

#include "verify/growth.h"
#include "verify/meetings.h"
#include "verify/method.h"

namespace trammel::verify::runs_test {
namespace {

/// Bodies that fly freely, without weight.
model::Built flying(int n) {
  model::Builder b;
  b.gravity.setZero();
  for (int i = 0; i < n; ++i) {
    model::BodySpec s;
    s.name = "b" + std::to_string(i);
    s.mass = 2;
    s.inertia = {0.1, 0.1, 0.1, 0, 0, 0};
    s.X_WB.p = {0, 3. * i, 0};
    s.v = {3, 0, 0};
    s.w = {0, 0, 5};
    b.add_body(s);
  }
  auto result = b.build();
  return std::get<model::Built>(std::move(result));
}

sim::Settings settings() {
  sim::Settings out;
  out.step = 1e-2;
  out.duration = 1;
  return out;
}

TEST(Costs, OfStepsGrowWithEachBody) {
  for (const auto formulation :
       {form::Settings::Formulation::velocity, form::Settings::Formulation::energy}) {
    form::Settings form;
    form.formulation = formulation;
    const double five = costs_of(flying(5), form).step, ten = costs_of(flying(10), form).step;
    EXPECT_GT(ten, 1.5 * five);
    EXPECT_LT(ten, 2 * five);
  }
}

/// Twice the energy, that of the motion and that of the ledger: nothing is to be lifted.
TEST(Samples, EnergiesThatAreAddedUp) {
  const model::Built built = flying(3);
  const Samples run = sample(built, settings(), 10, 10);
  const double energy = 3 * (2 * 9 / 2. + 0.1 * 25 / 2);
  EXPECT_NEAR(run.energies, 2 * energy, 1e-9 * energy);
  EXPECT_EQ(run.weight, 0);
}

/// A body of one shape above a floor.
model::Built on_floor(model::BodySpec s, const model::Solid& solid, double friction,
                      double restitution) {
  model::Builder b;
  s.name = "it";
  s.mass = 1;
  s.inertia = {0.1, 0.1, 0.1, 0, 0, 0};
  model::ContactSpec shape, floor;
  shape.solid = solid;
  s.contacts.push_back(shape);
  b.add_body(s);
  floor.kind = model::ContactSpec::Kind::half_space;
  b.add_obstacle(floor);
  model::ContactLawSpec everywhere;
  everywhere.between = {"any", "any"};
  everywhere.law.friction = friction;
  everywhere.law.restitution = restitution;
  b.add_contact_law(everywhere);
  auto result = b.build();
  return std::get<model::Built>(std::move(result));
}

/// A smooth ball that spins as it bounces goes on spinning: however late it bounces, it is turned
/// by as much.
TEST(Impacts, LeaveASpinAlone) {
  model::BodySpec s;
  s.X_WB.p = {0, 0, 0.503};
  s.w = {0, 0, 5};
  const Samples run =
      sample(on_floor(s, {model::Solid::Kind::sphere, {0.1, 0, 0}}, 0, 0.9), settings(), 10, 10);
  ASSERT_EQ(run.impacts.size(), 2U);
  ASSERT_EQ(run.late.size(), 10U);
  EXPECT_LT(run.late.back().angle, 1e-12);
  EXPECT_GT(run.late.back().length, 1e-2);
}

/// A block that comes to rest within a step is off by an eighth of the jump of its acceleration
/// times the step squared, at both of its ends.
TEST(Impacts, AndWhereFrictionEndsWithinAStep) {
  model::BodySpec s;
  s.X_WB.p = {0, 0, 0.1};
  s.v = {1, 0, 0};
  const Samples run =
      sample(on_floor(s, {model::Solid::Kind::box, {1, 1, 0.2}}, 0.5, 0), settings(), 10, 10);
  const double jump = 0.5 * 9.81, h = 1e-2;
  ASSERT_EQ(run.late.size(), 10U);
  EXPECT_GT(run.late.back().length, 0.5 * h * h * jump / 8);
  EXPECT_LT(run.late.back().length, 2.5 * h * h * jump / 8);
}

/// What flies freely drifts apart as time goes: no faster, and no slower.
TEST(Growth, OfAFreeFlightIsNone) {
  const model::Built built = flying(1);
  Method method;
  method.name = "V";
  method.built = &built;
  Grid grid;
  grid.h = 1e-2;
  grid.stride = 10;
  grid.count = 10;
  const Refined finest = refined(method, settings(), grid, 2);
  const Samples run = sample(built, finest.settings, finest.every, grid.count);
  const Growth g = growth(method, settings(), grid, run, 1, {});
  ASSERT_GT(g.apart.size(), 5U);
  EXPECT_NEAR(g.factor, 1, 1e-2);
  EXPECT_LT(g.chaotic, 0);
}

/// Two bodies that meet at other times in one way of solving than in the other.
TEST(Meetings, ThatDifferAreToldWithBothTimes) {
  std::vector<Series> all(2);
  for (std::size_t i = 0; i < 2; ++i) {
    all[i].name = i == 0 ? "one" : "other";
    Samples run;
    run.apart = 0.1;
    run.impacts = {{"ball, ground", i == 0 ? 0.25 : 0.75, 2, 1e-3, 0}};
    all[i].runs = {run};
    all[i].uncertainty.assign(10, {});
  }
  const Meetings m = meetings(all, {10, 10}, 1e-3, {});
  ASSERT_EQ(m.all.size(), 1U);
  EXPECT_FALSE(m.all[0].agrees);
  ASSERT_EQ(m.findings.size(), 1U);
  EXPECT_EQ(m.findings[0],
            "'ball, ground' meet at t = 0.25 s in one and at 0.75 s in other, where 0.002 s is "
            "explained");
}

}  // namespace
}  // namespace trammel::verify::runs_test

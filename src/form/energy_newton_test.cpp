// What the second derivatives of the energy formulation are worth: Newton iterations a step.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "form/formulation.h"
#include "form/test_balance.h"
#include "model/builder.h"

namespace trammel::form::energy_newton_test {
namespace {

/// A chain of light rigid links with a heavy weight at its end, horizontal, at rest.
model::Built weighted_chain(int n, double weight) {
  model::Builder b;
  for (int i = 0; i <= n; ++i) {
    model::BodySpec link;
    link.name = "link" + std::to_string(i);
    link.mass = i < n ? 1 : weight;
    link.solid = model::Solid{model::Solid::Kind::box, {1, 0.1, 0.1}};
    link.X_WB.p = {i + 0.5, 0, 0};
    b.add_body(link);
    model::JointSpec j;
    j.name = "ball" + std::to_string(i);
    j.type = "spherical";
    if (i > 0) j.a = "link" + std::to_string(i - 1);
    j.b = link.name;
    j.at = Pose{Vec3(i, 0, 0), Mat3::Identity()};
    b.add_joint(j);
  }
  auto result = b.build();
  return std::get<model::Built>(std::move(result));
}

/// Rigid bodies turn, and what pulls on a turned one turns with it: of taut chains that is most of
/// the stiffness across. Without it (F of Energy::make_rigid) Newton iterations shrink by a factor
/// where they should be squared.
TEST(EnergyNewton, TautChainsOfRigidLinksTakeFewIncrements) {
  const model::Built built = weighted_chain(5, 1000);
  Settings settings;
  settings.formulation = Settings::Formulation::energy;
  settings.joint_stiffness = law::kInf;
  model::State state = built.state;
  Formulation f(*built.model, built.params, settings);
  f.load(state);
  test::Balance balance(f, state, test::momentum_bounds(settings));
  StepReport report;
  int all = 0, most = 0;
  for (int k = 0; k < 100; ++k) {
    f.step(state, 0.01, report);
    balance.see(f, state, report);
    ASSERT_EQ(report.status, Status::ok) << report.reason << " in step " << k;
    all += report.iterations;
    most = std::max(most, report.iterations);
  }
  RecordProperty("newton_iterations", all);
  RecordProperty("most", most);
  EXPECT_LE(all, 600);
  EXPECT_LE(most, 8);
}

}  // namespace
}  // namespace trammel::form::energy_newton_test

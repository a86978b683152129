// Joints with rows that no coordinate of their systems can move, as a hinge between two that lie in
// a plane: these rows are met from the start, redundant, and carry nothing.
#include "systems.h"

namespace trammel::acceptance::systems_immovable_test {
namespace {

using namespace systems;

/// n times a cart on a spring as one system, a rod on its pin as another, and the joint between.
std::string carts(int n, const std::string& joint) {
  std::string out = "simulation = {duration = \"1 s\", step = \"1 ms\", output_step = \"1 s\"}\n";
  for (int i = 0; i < n; ++i)
    out += fmt::format(R"toml(
[[system]]
name = "cart{0}"
potential = "20 [N/m]*s^2"
coordinate = [{{name = "s", unit = "m"}}]
object = [{{name = "block", position = ["s", 0, "{0}*1 [m]"], mass = 1, box = [0.1, 0.1, 0.1]}}]
[[system]]
name = "rod{0}"
coordinate = [{{name = "x", unit = "m"}}, {{name = "z", unit = "m", value = "{0} m"}}, {{name = "phi", unit = "rad", value = {1}}}]
object = [{{name = "bar", position = ["x", 0, "z"], turns = [{{axis = [0, 1, 0], angle = "phi"}}], com = [0, 0, -0.5], mass = 0.5, box = [0.05, 0.05, 1]}}]
[[joint]]
name = "pin{0}"
a = "cart{0}.block"
b = "rod{0}.bar"
at = [0, 0, "{0} m"]
{2}
)toml",
                       i, 0.5 + 0.01 * i, joint);
  return out;
}

struct End {
  std::vector<double> s, phi;
  double gap = 0;  // greatest of the joints [m]
};

End run_of(int n, const std::string& joint, const Overrides& how) {
  const io::LoadedScene scene = loaded(carts(n, joint), how);
  sim::Simulation sim(scene.built, scene.scene.settings);
  End out;
  run(sim, [] {});
  for (int i = 0; i < n; ++i) {
    out.s.push_back(coordinate(sim, fmt::format("cart{}.s", i)).x);
    out.phi.push_back(coordinate(sim, fmt::format("rod{}.phi", i)).x);
  }
  out.gap = sim.summary().max_gap;
  EXPECT_TRUE(sim.finished()) << joint;
  return out;
}

const std::string kHinge = "type = \"revolute\"\naxis = [0, 1, 0]";
const std::string kBall = "type = \"spherical\"";

/// Of a hinge three rows are across the plane, of a ball joint one: all three formulations go the
/// way of a ball joint and of each other.
TEST(SystemImmovable, RowsAcrossAPlaneAreMetAndCarryNothing) {
  const End exact = run_of(1, kHinge, by_forces("1e-11"));
  for (const std::string& joint : {kHinge, kBall}) {
    const End forces = run_of(1, joint, by_forces("1e-11")),
              impulses = run_of(1, joint, by_impulses()),
              energy = run_of(1, joint, {{"simulation.formulation", "energy"}});
    EXPECT_NEAR(forces.phi[0], exact.phi[0], 1e-9);
    EXPECT_NEAR(impulses.phi[0], exact.phi[0], 1e-5);  // truncation at 1 ms, order 2
    EXPECT_NEAR(energy.phi[0], exact.phi[0], 1e-3);
    EXPECT_NEAR(impulses.s[0], exact.s[0], 1e-5);
    for (const End& end : {forces, impulses, energy}) EXPECT_LT(end.gap, 1e-8);  // tolerance
  }
  EXPECT_GT(std::abs(exact.phi[0] - 0.5), 0.1);
}

/// Many of them are solved in lanes: the same as each alone, to what a step is solved to.
TEST(SystemImmovable, ManyAreTheSameAsEachAlone) {
  const End many = run_of(9, kHinge, by_impulses());
  for (int n = 1; n < 9; n += 3) {
    const End few = run_of(n, kHinge, by_impulses());
    for (std::size_t i = 0; i < few.s.size(); ++i) {
      EXPECT_NEAR(few.s[i], many.s[i], 1e-11) << n << ' ' << i;
      EXPECT_NEAR(few.phi[i], many.phi[i], 1e-11) << n << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace trammel::acceptance::systems_immovable_test

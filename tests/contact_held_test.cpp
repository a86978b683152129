// Contact of what joints hold: no impulse changes it, and none is asked for.
#include "scene_support.h"

namespace trammel::acceptance::contact_held_test {
namespace {

std::string run_settings(const std::string& formulation) {
  return "format = 1\n[simulation]\nduration = 0.2\nstep = \"1 ms\"\ngravity = [0, 0, 0]\n"
         "formulation = \"" +
         formulation + "\"\n[[contact]]\nfriction = 0.5\n";
}

constexpr const char* kPlate = R"(
[[body]]
name = "plate"
mass = 20
box = [2, 0.8, 0.15]
position = [0, 0, 0.075]
[[load]]
name = "push"
type = "force"
body = "plate"
force = [400, 0, 0]
[[body]]
name = "b0"
mass = 10
box = [0.4, 0.4, 0.3]
contact = "solids"
position = [0, 0, 0.3]
[[joint]]
name = "w0"
type = "fixed"
a = "plate"
b = "b0"
at = [0, 0, 0.15]
[[body]]
name = "b1"
mass = 10
box = [0.4, 0.4, 0.3]
contact = "solids"
position = [0.4, 0, 0.3]
[[joint]]
name = "w1"
type = "fixed"
a = "plate"
b = "b1"
at = [0.4, 0, 0.15]
)";

TEST(ContactHeld, WhatTouchesAndIsWeldedMovesAsOne) {
  for (const char* formulation : {"velocity", "acceleration"}) {
    Simulation sim = simulation(run_settings(formulation) + kPlate);
    while (!sim.finished() && sim.advance()) continue;
    EXPECT_EQ(sim.failure(), "") << formulation;
    // 400 N on 40 kg below its centre: it goes along, and turns
    EXPECT_NEAR(sim.state().P[0] + sim.state().P[6] + sim.state().P[12], 80, 1e-9) << formulation;
    EXPECT_LT(sim.summary().max_gap, 1e-9) << formulation;
    EXPECT_TRUE(sim.warnings().empty()) << formulation;
  }
}

/// A slide that is driven into a body that is welded to the ground.
TEST(ContactHeld, WhatIsPressedTogetherIsTold) {
  Simulation sim = simulation(run_settings("velocity") + R"(
[[body]]
name = "wall"
mass = 1
box = [0.2, 0.2, 0.2]
contact = "solids"
position = [0.5, 0, 0]
[[joint]]
name = "weld"
type = "fixed"
b = "wall"
at = [0.5, 0, 0]
[[body]]
name = "ram"
mass = 1
box = [0.2, 0.2, 0.2]
contact = "solids"
[[joint]]
name = "slide"
type = "prismatic"
b = "ram"
at = [0, 0, 0]
axis = [1, 0, 0]
[[law]]
name = "drive"
type = "driven"
joint = "slide"
velocity = 3
)");
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_NE(sim.failure().find("no impulse of contact can part them"), std::string::npos)
      << sim.failure();
  EXPECT_NE(sim.failure().find("ram"), std::string::npos) << sim.failure();
}

}  // namespace
}  // namespace trammel::acceptance::contact_held_test

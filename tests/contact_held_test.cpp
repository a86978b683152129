// Contact of what joints hold: no impulse changes it, and none is asked for.
#include "order_support.h"

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

/// A door that something holds at rest, up to 0.2 N m, and an arm that is driven against it.
std::string pushed_door(const std::string& held, const char* step, const char* formulation) {
  return simulation_of(1, step, formulation) + R"(
gravity = 0
[[body]]
name = "door"
mass = 2
box = [1, 0.05, 0.5]
position = [0.5, 0, 0]
contact = "solids"
[[body]]
name = "arm"
mass = 1
box = [0.6, 0.05, 0.2]
position = [1.1, -0.2, 0]
velocity = [0, 0.3, 0]
angular_velocity = [0, 0, -1]
contact = "solids"
[[joint]]
name = "hinge"
type = "revolute"
b = "door"
at = [0, 0, 0]
axis = [0, 0, 1]
[[law]]
name = "holds"
joint = "hinge"
)" + held +
         R"(
[[joint]]
name = "shoulder"
type = "revolute"
b = "arm"
at = [1.4, -0.2, 0]
axis = [0, 0, -1]
[[law]]
name = "drive"
type = "driven"
joint = "shoulder"
velocity = 1
)";
}

TEST(ContactHeld, WhatIsDrivenPushesWhatMayYield) {
  const char* bounds = "force_min = -0.2\nforce_max = 0.2";
  for (const std::string& held : {std::string("type = \"friction\"\nforce = 0.2"),
                                  std::string("type = \"motor\"\nvelocity = 0\n") + bounds,
                                  std::string("type = \"locked\"\n") + bounds}) {
    SCOPED_TRACE(held);
    const Vec3 wanted = run_of(pushed_door(held, "\"1 ms\"", "acceleration"), "door").p;
    EXPECT_GT(wanted.y(), 0.2);
    for (const char* step : {"\"2 ms\"", "\"0.5 ms\""})
      EXPECT_LT((run_of(pushed_door(held, step, "velocity"), "door").p - wanted).norm(), 1e-6);
  }
}

/// Jaws that bounded motors close on a load, which a carriage then lifts by 0.24 m.
constexpr const char* kGripper = R"(
[[contact]]
friction = 0.4
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "carriage"
mass = 3
box = [0.3, 0.1, 0.04]
position = [0, 0, 0.3]
[[joint]]
name = "lift"
type = "prismatic"
b = "carriage"
at = [0, 0, 0.3]
axis = [0, 0, 1]
[[law]]
name = "hoist"
type = "driven"
joint = "lift"
velocity = {time = [0, 0.4, 0.6, 1], value = [0, 0, 0.4, 0]}
[[body]]
name = "load"
mass = 0.5
box = [0.08, 0.05, 0.08]
position = [0, 0, 0.04]
contact = "solids"
[[repeat]]
over = {name = ["left", "right"], side = [-1, 1]}
[[repeat.body]]
name = "{name}"
mass = 0.4
box = [0.02, 0.06, 0.12]
position = ["0.06*side", 0, 0.07]
contact = "solids"
[[repeat.joint]]
name = "{name}_slide"
type = "prismatic"
a = "carriage"
b = "{name}"
at = ["0.06*side", 0, 0.07]
axis = ["-side", 0, 0]
[[repeat.law]]
name = "{name}_motor"
type = "motor"
joint = "{name}_slide"
velocity = 0.05
force_min = -20
force_max = 20
)";

/// What the motors hold as the jaws close, they press together.
TEST(ContactHeld, JawsOfBoundedMotorsCloseAndLift) {
  for (const char* step : {"\"2 ms\"", "\"1 ms\"", "\"0.25 ms\""}) {
    const Ends ends = run_of(simulation_of(1, step, "velocity") + kGripper, "load");
    EXPECT_NEAR(ends.p.z(), 0.04 + 0.5 * 0.6 * 0.4, 1e-7) << step;
    EXPECT_LT(ends.residual, 1e-4) << step;
  }
}

}  // namespace
}  // namespace trammel::acceptance::contact_held_test

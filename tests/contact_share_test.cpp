// How points share a load that rows let them share in many ways: evenly, whatever was before.
#include "order_support.h"

namespace trammel::acceptance::contact_share_test {
namespace {

/// Jaws close on a block that stands on a table narrower than it, which then drops: the block slips
/// down between them. Nothing says where on a jaw it is pressed.
constexpr const char* kJaws = R"(
[[contact]]
friction = 0.6
[[body]]
name = "block"
mass = 1
box = [0.1, 0.1, 0.1]
position = [0, 0, 0.5]
contact = "solids"
[[body]]
name = "table"
kind = "prescribed"
displacement = [0, 0, {displacement = {time = [0, 0.35, 0.36, 0.6], value = [0, 0, -0.0001, -0.2]}}]
[[body.contact]]
box = [0.06, 0.06, 0.1]
position = [0, 0, 0.4]
[[repeat]]
over = {name = ["left", "right"], side = [-1, 1]}
[[repeat.body]]
name = "{name}"
mass = 0.5
box = [0.1, 0.1, 0.1]
position = ["0.15*side", 0, 0.5]
contact = "solids"
[[repeat.joint]]
name = "{name}_slide"
type = "prismatic"
b = "{name}"
at = ["0.15*side", 0, 0.5]
axis = ["-side", 0, 0]
[[repeat.law]]
name = "{name}_motor"
type = "motor"
joint = "{name}_slide"
velocity = 0.3
force_min = -6
force_max = 6
)";

TEST(ContactShare, WhatSlipsThroughJawsIsNotSpun) {
  const auto block = [](const char* step, const char* formulation) {
    Simulation sim = simulation(simulation_of(0.6, step, formulation) + kJaws);
    while (!sim.finished() && sim.advance()) continue;
    EXPECT_EQ(sim.failure(), "") << step;
    return pose(sim, "block");
  };
  const Pose wanted = block("\"1 ms\"", "acceleration");
  for (const char* step : {"\"4 ms\"", "\"1 ms\"", "\"0.5 ms\"", "\"0.2 ms\""}) {
    const Pose now = block(step, "velocity");
    // it lands on the table once more, as the step has it; shares by the step made 4e-2 of it
    EXPECT_LT((now.p - wanted.p).norm(), 1e-5) << step;
    EXPECT_LT((now.R - wanted.R).norm(), 1e-5) << step;
  }
}

/// An arm that slides down, held by dry friction, onto the outer end of which a box waits.
constexpr const char* kArm = R"(
[[contact]]
friction = 0.4
[[obstacle]]
name = "anvil"
box = [0.2, 0.4, 0.1]
position = [0.45, 0, -0.12]
[[body]]
name = "arm"
mass = 2
box = [0.5, 0.05, 0.05]
com = [0.25, 0, 0]
[[body.contact]]
box = [0.5, 0.05, 0.05]
position = [0.25, 0, 0]
[[joint]]
name = "slide"
type = "prismatic"
b = "arm"
at = [0, 0, 0]
axis = [0, 0, 1]
rate = -0.5
)";
constexpr const char* kDryFriction = R"(
[[law]]
name = "friction"
joint = "slide"
type = "friction"
force = 5
)";

TEST(ContactShare, WhatRestsBesideItsJointKeepsItsMomentum) {
  for (const std::string& law : {std::string(), std::string(kDryFriction)})
    for (const char* step : {"\"1 ms\"", "\"0.2 ms\"", "\"50 us\""}) {
      Simulation sim = simulation(simulation_of(0.25, step, "velocity") + kArm + law);
      while (!sim.finished() && sim.advance()) continue;
      EXPECT_EQ(sim.failure(), "") << step << law;
      EXPECT_NEAR(pose(sim, "arm").p.z(), -0.045, 1e-9) << step << law;
      EXPECT_LT(sim.summary().momentum_residual_rel, 1e-12) << step << law;
    }
}

/// Hinged boxes that fall: what presses one corner of two more and another less moves nothing.
constexpr const char* kChain = R"(
[[contact]]
friction = 0.2
restitution = 0.5
[[obstacle]]
name = "floor"
half_space = [0, 0, 1]
[[repeat]]
over = {name = ["a", "b", "c"], along = [0, 0.3759, 0.7518], up = [0.8, 0.66319, 0.52638]}
[[repeat.body]]
name = "{name}"
mass = 1
box = [0.3, 0.1, 0.06]
contact = "solids"
position = ["along", 0, "up"]
orientation = {axis = [0, 1, 0], angle = "20 deg"}
[[repeat]]
over = {name = ["a", "b"], next = ["b", "c"], along = [0.18795, 0.56385], up = [0.731595, 0.594785]}
[[repeat.joint]]
name = "{name}{next}"
type = "revolute"
a = "{name}"
b = "{next}"
at = ["along", 0, "up"]
axis = [0, 1, 0]
)";

TEST(ContactShare, ChainsThatSlideComeToRest) {
  for (const char* step : {"\"4 ms\"", "\"1 ms\"", "\"0.5 ms\""}) {
    Simulation sim = simulation(simulation_of(1.2, step, "velocity") + kChain);
    while (!sim.finished() && sim.advance()) continue;
    EXPECT_EQ(sim.failure(), "") << step;
    EXPECT_LT(sim.summary().momentum_residual_rel, 1e-12) << step;
    EXPECT_NEAR(pose(sim, "b").p.y(), 0, 1e-6) << step;  // they fall in a plane
  }
}

}  // namespace
}  // namespace trammel::acceptance::contact_share_test

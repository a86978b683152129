// Stops of joints are met where they are, not at the end of a step: what they throw back is of
// second order, and does not depend on where in a step it strikes.
#include <fmt/format.h>

#include "order_support.h"

namespace trammel::acceptance::stop_order_test {
namespace {

/// A bob on an arm that swings against a stop.
constexpr const char* kPendulum = R"(
[[body]]
name = "bob"
mass = 1
inertia = [0.01, 0.02, 0.02]
position = [0.6, 0, 0]
[[joint]]
name = "p"
type = "revolute"
a = "ground"
b = "bob"
at = [0, 0, 0]
axis = [0, 1, 0]
[[law]]
name = "stop"
type = "limit"
joint = "p"
to = 1.1
restitution = 0.7
)";

/// A block between two stops on a slide, pulled to and fro by a spring, that carries a pendulum.
constexpr const char* kRattler = R"(
[[body]]
name = "block"
mass = 1
inertia = [0.01, 0.01, 0.01]
velocity = [3, 0, 0]
[[body]]
name = "bob"
mass = 0.4
inertia = [0.001, 0.001, 0.001]
position = [0.1, 0, -0.3]
velocity = [3, 0, 0]
[[joint]]
name = "slide"
type = "prismatic"
a = "ground"
b = "block"
at = [0, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "p"
type = "revolute"
a = "block"
b = "bob"
at = [0, 0, 0]
axis = [0, 1, 0]
[[law]]
name = "spring"
type = "spring"
joint = "slide"
stiffness = 30
[[law]]
name = "stops"
type = "limit"
joint = "slide"
from = -0.11
to = 0.17
restitution = 0.9
)";

/// A double pendulum whose elbow opens no farther than a stop of the knee's kind.
constexpr const char* kKnee = R"(
[[body]]
name = "thigh"
mass = 2
inertia = [0.02, 0.02, 0.02]
position = [0.2, 0, 0]
[[body]]
name = "shank"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0.6, 0, 0]
[[joint]]
name = "hip"
type = "revolute"
a = "ground"
b = "thigh"
at = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "knee"
type = "revolute"
a = "thigh"
b = "shank"
at = [0.4, 0, 0]
axis = [0, 1, 0]
[[law]]
name = "stop"
type = "limit"
joint = "knee"
from = -0.2
to = 0.9
restitution = 0.5
)";

TEST(StopOrder, WhatStopsThrowBackIsOfOrderTwo) {
  expect_order(kPendulum, 2, "bob", 1e-4, 3.2, 1e-3);
  expect_order(kRattler, 1, "bob", 1e-3, 3.2, 1e-3);
  expect_order(kKnee, 1, "shank", 1e-3, 3.2, 1e-3);
}

/// Free fall upon a stop is the same in steps of any length, ten times, and at rest in the end.
TEST(StopOrder, ABlockBouncesInTime) {
  constexpr double kRestitution = 0.8, kHeight = 0.2003, kG = 9.81, kTime = 1.4;
  double t = std::sqrt(2 * kHeight / kG), v = kG * t * kRestitution;
  int impacts = 1;
  for (; t + 2 * v / kG < kTime; v *= kRestitution, ++impacts) t += 2 * v / kG;
  const double wanted = v * (kTime - t) - kG * (kTime - t) * (kTime - t) / 2 - kHeight;
  for (const char* step : {"\"10 ms\"", "\"3.7 ms\"", "\"1 ms\""}) {
    Simulation sim = simulation(simulation_of(kTime, step, "velocity") + R"(
[[body]]
name = "block"
mass = 2
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "slide"
type = "prismatic"
a = "ground"
b = "block"
at = [0, 0, 0]
axis = [0, 0, 1]
[[law]]
name = "stop"
type = "limit"
joint = "slide"
from = -0.2003
restitution = 0.8
)");
    while (!sim.finished() && sim.advance()) continue;
    EXPECT_NEAR(pose(sim, "block").p.z(), wanted, 1e-8) << step;  // 2.5e-10 m an impact
    EXPECT_TRUE(sim.warnings().empty()) << step;
    int told = 0;
    for (const auto& e : sim.take_events()) told += e.kind == constraint::EventKind::impact;
    EXPECT_EQ(told, impacts) << step;
  }
}

/// A block that meets one stop and then the other, within a step.
TEST(StopOrder, BothEndsWithinAStep) {
  const auto at_end = [](const char* step) {
    return run_of(simulation_of(0.01, step, "velocity") + R"(
gravity = 0
[[body]]
name = "block"
mass = 1
inertia = [0.1, 0.1, 0.1]
velocity = [1, 0, 0]
[[joint]]
name = "slide"
type = "prismatic"
b = "block"
at = [0, 0, 0]
axis = [1, 0, 0]
[[law]]
name = "stops"
type = "limit"
joint = "slide"
from = -5e-4
to = 5e-4
restitution = 0.9
)",
                  "block")
        .p.x();
  };
  EXPECT_NEAR(at_end("\"2 ms\""), at_end("\"0.1 ms\""), 1e-8);
}

/// Beside many others a block is thrown back at the ends of steps, which is told.
TEST(StopOrder, OfManyMechanismsIsTold) {
  for (const int n : {32, 33}) {
    Simulation sim = simulation(simulation_of(0.5, "\"2 ms\"", "velocity") + fmt::format(R"(
[[repeat]]
count = {}
[[repeat.body]]
name = "block{{i}}"
mass = 2
inertia = [0.1, 0.1, 0.1]
position = ["i", 0, 0]
[[repeat.joint]]
name = "slide{{i}}"
type = "prismatic"
a = "ground"
b = "block{{i}}"
at = ["i", 0, 0]
axis = [0, 0, 1]
[[repeat.law]]
name = "stop{{i}}"
type = "limit"
joint = "slide{{i}}"
from = "-0.1 - 0.001*i"
restitution = 0.9
)",
                                                                                         n));
    while (!sim.finished() && sim.advance()) continue;
    const auto warnings = sim.warnings();
    ASSERT_EQ(warnings.size(), n > 32 ? 1U : 0U);
    if (n > 32) {
      EXPECT_EQ(warnings[0].kind, sim::WarningKind::late_impacts);
    }
  }
}

}  // namespace
}  // namespace trammel::acceptance::stop_order_test

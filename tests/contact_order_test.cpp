// What stays in touch is of second order in the step: rolling, rocking, and rolling on what is
// moved.
#include <fmt/format.h>

#include <cmath>

#include "order_support.h"

namespace trammel::acceptance::contact_order_test {
namespace {

/// A ball with its mass off the middle that rocks, another that rolls, and one that spins as well.
constexpr const char* kLoaded = R"(
[[contact]]
friction = 1
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "rock"
mass = 1
inertia = [2e-3, 2e-3, 2e-3]
com = [0.05, 0, 0]
contact = [{sphere = 0.1}]
position = [0, 0, 0.1]
[[body]]
name = "roll"
mass = 1
inertia = [2e-3, 2e-3, 2e-3]
com = [0.05, 0, 0]
contact = [{sphere = 0.1}]
position = [0, 2, 0.1]
velocity = [0.8, 0, -0.4]
angular_velocity = [0, 8, 0]
[[body]]
name = "skew"
mass = 1
inertia = [2e-3, 3e-3, 4e-3]
com = [0.03, 0, 0]
contact = [{sphere = 0.1}]
position = [0, 4, 0.1]
velocity = [1, 0, -0.3]
angular_velocity = [0, 10, 8]
)";

constexpr const char* kTurntable = R"(
[[contact]]
friction = 1
[[body]]
name = "table"
kind = "prescribed"
position = [0, 0, -0.1]
turns = [{axis = [0, 0, 1], angle = {velocity = 3}}]
contact = [{box = [20, 20, 0.2]}]
[[body]]
name = "ball"
mass = 1
sphere = 0.1
position = [0.5, 0, 0.1]
velocity = [0, 1.2, 0]
contact = "solids"
)";

TEST(ContactOrder, WhatRollsAndRocksIsOfOrderTwo) {
  expect_order(kLoaded, 5, "rock", 1e-3);
  expect_order(kLoaded, 5, "roll", 1e-3);
  expect_order(kLoaded, 5, "skew", 4e-3);  // it slides in part, while its slip turns
}

/// Forty stacks of two balls, which are a heap together.
std::string stacks() {
  std::string out;
  for (int i = 0; i < 40; ++i)
    for (const double z : {0.1, 0.3})
      out += fmt::format(
          "[[body]]\nname = \"b{}_{}\"\nmass = 1\nsphere = 0.1\nposition = [{}, 50, {}]\n"
          "contact = \"solids\"\n",
          i, z > 0.2 ? "high" : "low", i, z);
  return out;
}

TEST(ContactOrder, WhatTouchesElsewhereDecidesNothing) {
  const std::string scene = simulation_of(1, "\"2 ms\"", "velocity") + kLoaded;
  for (const char* body : {"roll", "rock"})
    EXPECT_LT((run_of(scene, body).p - run_of(scene + stacks(), body).p).norm(), 1e-9) << body;
}

/// A coin that leans, goes around in a circle and wobbles: its edge rolls.
constexpr const char* kCoin = R"toml(
[parameters]
m = "8 gram"
r = "12 mm"
lean = "20 deg"
turn = "6 rad/s"
w = "0.9*(9.81 m/s^2/r*tan(lean)/turn*1[rad^2] - turn/4*sin(lean))/1.5"
[[contact]]
friction = 0.8
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "coin"
mass = "m"
inertia = ["m*r^2/4", "m*r^2/2", "m*r^2/4"]
position = [0, 0, "r*cos(lean) + 1[mm]*sin(lean)"]
orientation = {axis = [-1, 0, 0], angle = "lean"}
velocity = ["r*w/1[rad]", 0, 0]
angular_velocity = [0, "(w + turn*sin(lean))*cos(lean)", "turn - (w + turn*sin(lean))*sin(lean)"]
contact = [{cylinder = {radius = "r", length = "2 mm", axis = [0, 1, 0]}}]
)toml";

/// A ball that slides off a dome without turning, and an egg that rolls off a cylinder.
std::string slides_off(const char* dome) {
  return fmt::format(R"toml(
[[body]]
name = "it"
mass = 1
sphere = 0.1
contact = "solids"
position = ["60 cm*sin(20[deg])", 0, "60 cm*cos(20[deg])"]
[[obstacle]]
{}
)toml",
                     dome);
}
constexpr const char* kRollsOff = R"toml(
[[contact]]
friction = 0.5
[[body]]
name = "it"
mass = 2
contact = "solids"
ellipsoid = [0.3, 0.25, 0.1]
orientation = {axis = [0.2, 1, 0.1], angle = "12 deg"}
position = [0, 0, 0.128]
[[obstacle]]
cylinder = {radius = 0.1, length = 2, axis = [0, 1, 0]}
position = [0, 0, -0.1]
)toml";

/// Whatever part of a step it leaves in.
TEST(ContactOrder, WhatLeavesRoundThingsIsOfOrderTwo) {
  std::vector<std::string> scenes{kRollsOff};
  for (const char* dome : {"sphere = 0.5", "ellipsoid = [0.5, 0.5, 0.5]",
                           "cylinder = {radius = 0.5, length = 1, axis = [0, 1, 0]}",
                           "capsule = {radius = 0.5, length = 1, axis = [0, 1, 0]}"})
    scenes.push_back(slides_off(dome));
  for (const std::string& scene : scenes) {
    const Vec3 wanted = run_of(simulation_of(0.6, "\"1 ms\"", "acceleration") + scene, "it").p;
    for (const double ms : {3., 2., 1.3, 1., 0.7, 0.5, 0.3}) {
      const std::string step = fmt::format("\"{} ms\"", ms);
      const Vec3 got = run_of(simulation_of(0.6, step, "velocity") + scene, "it").p;
      EXPECT_LT((got - wanted).norm(), 1.5e-6 * ms * ms) << scene << step;
    }
  }
}

/// A roller that slides on a box and turns over its edge: its line goes from the face to the edge.
std::string turns_over_an_edge(const char* friction) {
  return fmt::format(R"toml(
[[contact]]
friction = {}
[[obstacle]]
box = [1, 1, 0.5]
position = [-0.5, 0, -0.25]
[[body]]
name = "it"
mass = 1
cylinder = {{radius = 0.05, length = 0.2, axis = [0, 1, 0]}}
contact = "solids"
position = [-0.03, 0, 0.05]
velocity = [0.1, 0, 0]
angular_velocity = [0, 2, 0]
)toml",
                     friction);
}

TEST(ContactOrder, ARollerThatTurnsOverAnEdgeIsOfOrderTwo) {
  for (const char* friction : {"0", "0.5"}) {
    const std::string scene = turns_over_an_edge(friction);
    const Vec3 wanted = run_of(simulation_of(0.6, "\"0.1 ms\"", "velocity") + scene, "it").p;
    for (const double ms : {3., 2., 1.3, 1., 0.7, 0.5, 0.3}) {
      const std::string step = fmt::format("\"{} ms\"", ms);
      const Vec3 got = run_of(simulation_of(0.6, step, "velocity") + scene, "it").p;
      EXPECT_LT((got - wanted).norm(), 5e-6 * ms * ms) << friction << " " << step;
    }
  }
}

TEST(ContactOrder, ACoinThatRollsIsOfOrderTwo) { expect_order(kCoin, 0.5, "coin", 1e-4); }

/// A stone that turns its spin round (Kane and Levinson 1982): an ellipsoid whose axes of inertia
/// are askew in it, rolls, rocks about both axes and spins.
constexpr const char* kRattleback = R"(
[[contact]]
friction = 1
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "stone"
mass = 1
inertia = [2e-4, 1.6e-3, 1.7e-3, -2e-5, 0, 0]
com = [0, 0, -0.01]
position = [0, 0, 0.02]
velocity = [0, -0.01, 0]
angular_velocity = [1, 0, -5]
contact = [{ellipsoid = [0.2, 0.03, 0.02]}]
)";

TEST(ContactOrder, ARattlebackIsOfOrderTwo) { expect_order(kRattleback, 1, "stone", 1e-3); }

/// A brick that slides and turns on its face, and a ball that slides with its mass off the middle.
constexpr const char* kSliding = R"(
[[contact]]
friction = 0.3
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "brick"
mass = 1
box = [0.3, 0.2, 0.04]
contact = "solids"
position = [0, 2, 0.02]
velocity = [2, 0, 0]
angular_velocity = [0, 0, 7]
[[body]]
name = "ball"
mass = 1
inertia = [3e-3, 3e-3, 3e-3]
com = [0.02, 0, 0]
contact = [{sphere = 0.1}]
position = [0, 0, 0.1]
velocity = [3, 0, 0]
angular_velocity = [8, 0, 5]
)";

/// Of the brick's four points no one way to share the load is the law's: some micrometres.
TEST(ContactOrder, WhatSlidesIsOfOrderTwo) {
  expect_order(kSliding, 0.5, "ball", 1e-4);
  const auto brick = [](const char* step, const char* by) {
    return run_of(simulation_of(1, step, by) + kSliding, "brick").p;
  };
  EXPECT_LT((brick("\"2 ms\"", "velocity") - brick("\"1 ms\"", "acceleration")).norm(), 1e-5);
}

/// A table that shakes to and fro along a slope of 30 degrees, twelve and a half times a second,
/// and carries a box along: it slides both ways, and hops at 5 mm.
constexpr const char* kFeeder = R"toml(
[parameters]
amplitude = "{} mm"
[[contact]]
friction = 0.4
[[body]]
name = "table"
kind = "prescribed"
displacement = [{{formula = "amplitude*cos(30[deg])*sin(tau*12.5[Hz]*t)"}}, 0,
                {{formula = "amplitude*sin(30[deg])*sin(tau*12.5[Hz]*t)"}}]
position = [0, 0, -0.01]
contact = [{{box = [20, 1, 0.02]}}]
[[body]]
name = "box"
mass = 0.2
box = [0.06, 0.04, 0.02]
position = [-0.3, 0, 0.01]
contact = "solids"
)toml";

/// A lid on the box, by a hinge with a spring: its points are solved for with rows.
constexpr const char* kLid = R"(
[[body]]
name = "lid"
mass = 0.1
box = [0.06, 0.04, 0.02]
position = [-0.3, 0, 0.031]
[[joint]]
name = "pin"
type = "revolute"
a = "box"
b = "lid"
at = [-0.33, 0, 0.0205]
axis = [0, 1, 0]
[[law]]
name = "hold"
type = "spring"
joint = "pin"
coordinate = "angle"
stiffness = 20
damping = 0.02
)";

/// How fast the box is carried, on the mean of ten cycles.
double carried(const std::string& scene, double ms, const char* by) {
  Simulation sim = simulation(simulation_of(1.6, fmt::format("\"{} ms\"", ms), by) + scene);
  double out = 0;
  for (const double sign : {-1., 1.}) {
    while (sim.state().t < (sign < 0 ? 0.8 : 1.6) - 1e-9 && sim.advance()) continue;
    out += sign * pose(sim, "box").p.x() / 0.8;
  }
  EXPECT_EQ(sim.failure(), "");
  return out;
}

// At 80 steps a cycle to 0.5 %, and of order two: friction turns round within a step.
TEST(ContactOrder, WhatAFeederCarriesIsOfOrderTwo) {
  const auto check = [](const std::string& scene) {
    const double wanted = carried(scene, 1, "acceleration");
    for (const double ms : {1., 0.5, 0.25})
      EXPECT_NEAR(carried(scene, ms, "velocity") / wanted, 1, 0.005 * ms * ms) << ms << scene;
  };
  for (const double amplitude : {1.4, 2., 3., 5.}) check(fmt::format(kFeeder, amplitude));
  for (const double amplitude : {1.4, 2., 3.}) check(fmt::format(kFeeder, amplitude) + kLid);
}

/// A top with its mass below the middle of its ball: friction turns it over within a second, and it
/// stands on what was above (Cohen 1977).
constexpr const char* kTippeTop = R"(
[[contact]]
friction = 0.3
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "top"
mass = "6 gram"
inertia = ["8e-7 kg*m^2", "8e-7 kg*m^2", "7e-7 kg*m^2"]
com = [0, 0, "-3 mm"]
contact = [{sphere = "15 mm"}]
orientation = {axis = [0, 1, 0], angle = "0.1 rad"}
position = [0, 0, "15 mm"]
angular_velocity = [0, 0, 155]
)";

TEST(ContactOrder, ATopThatTurnsOverIsOfOrderTwo) {
  expect_order(kTippeTop, 2, "top", 2e-4);
  Simulation sim = simulation(simulation_of(10, "\"1 ms\"", "velocity") + kTippeTop);
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_LT(pose(sim, "top").R(2, 2), std::cos(2.2));  // 126 degrees
  EXPECT_LT(sim.summary().energy_residual_rel(), 1e-4);
}

/// A plate that slides and is pulled aside: it does not turn, its slip does.
constexpr const char* kVeers = R"(
[[contact]]
friction = 0.3
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "plate"
mass = 1
box = [0.1, 0.1, 0.002]
position = [0, 0, 0.001]
velocity = [1, 0, 0]
contact = "solids"
[[load]]
name = "pull"
type = "force"
body = "plate"
force = [0, 4, 0]
)";

TEST(ContactOrder, WhatIsPulledAsideAsItSlidesIsOfOrderTwo) {
  expect_order(kVeers, 0.4, "plate", 1e-5);
}

/// A ball that rolls against a wall, which lifts it by friction.
constexpr const char* kLifted = R"(
[[contact]]
friction = 0.2
[[obstacle]]
half_space = [0, 0, 1]
[[obstacle]]
half_space = [-1, 0, 0]
position = [0.2005, 0, 0]
[[body]]
name = "it"
mass = 1
sphere = 0.1
position = [0, 0, 0.1]
velocity = [1, 0, 0]
angular_velocity = [0, 10, 0]
contact = "solids"
)";

/// A puck without friction that strikes a block, which the floor brakes.
constexpr const char* kBraked = R"(
[[material]]
name = "ice"
[[contact]]
friction = 0.3
[[contact]]
between = ["ice", "any"]
restitution = 0.4
[[contact]]
between = ["ice", "ice"]
restitution = 0.4
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "puck"
mass = 1
box = [0.1, 0.1, 0.1]
position = [0, 0, 0.05]
velocity = [1, 0, 0]
material = "ice"
contact = "solids"
[[body]]
name = "it"
mass = 1
box = [0.1, 0.1, 0.1]
position = [0.2003, 0, 0.05]
contact = "solids"
)";

/// A ball that touches the floor as it begins to come.
constexpr const char* kComes = R"(
[[contact]]
restitution = 0.5
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "it"
mass = 0.1
sphere = 0.1
position = [0, 0, 0.1]
velocity = [0, 0, -0.24]
contact = "solids"
)";

/// A cart on a rail that runs into a block which slides on a floor: the faces meet.
constexpr const char* kRammed = R"(
[[contact]]
friction = 0.3
restitution = 0.4
[[obstacle]]
half_space = [0, 0, 1]
[[no_contact]]
between = ["ground", "cart"]
[[body]]
name = "cart"
mass = 2
box = [0.4, 0.2, 0.2]
position = [0, 0, 0.1]
velocity = [1, 0, 0]
contact = "solids"
[[joint]]
name = "rail"
type = "prismatic"
b = "cart"
at = [0, 0, 0.1]
axis = [1, 0, 0]
[[body]]
name = "it"
mass = 1.5
box = [0.2, 0.2, 0.2]
position = [0.4503, 0, 0.1]
velocity = [0.3, 0, 0]
contact = "solids"
)";

/// A block on a cart whose rail ends in stops.
constexpr const char* kStopped = R"(
[[contact]]
friction = 0.25
restitution = 0.3
[[body]]
name = "cart"
mass = 2
box = [1, 0.4, 0.1]
velocity = [1, 0, 0]
contact = "solids"
[[joint]]
name = "rail"
type = "prismatic"
b = "cart"
at = [0, 0, 0]
axis = [1, 0, 0]
[[law]]
name = "stops"
type = "limit"
joint = "rail"
from = -0.1003
to = 0.1003
restitution = 0.6
[[body]]
name = "it"
mass = 1
box = [0.1, 0.1, 0.05]
position = [-0.2, 0, 0.075]
velocity = [1, 0, 0]
contact = "solids"
)";

// A finite force has no part in an impact, wherever in a step that falls.
TEST(ContactOrder, LoadsThatRestHaveNoPartInImpacts) {
  struct Case {
    const char* scene;
    double duration, allowed;  // beside joints the part of an impact is longer
  };
  for (const auto& [scene, duration, allowed] :
       {Case{kLifted, 0.13, 2e-7}, Case{kBraked, 0.12, 2e-7}, Case{kComes, 0.02, 2e-7},
        Case{kRammed, 0.3, 5e-7}, Case{kStopped, 0.3, 5e-7}}) {
    const Vec3 wanted = run_of(simulation_of(duration, "\"1 ms\"", "acceleration") + scene, "it").p;
    for (const double ms : {4., 3.1, 2., 1., 0.7, 0.5}) {
      const std::string step = fmt::format("\"{} ms\"", ms);
      const Vec3 got = run_of(simulation_of(duration, step, "velocity") + scene, "it").p;
      EXPECT_LT((got - wanted).norm(), allowed) << ms << scene;
    }
  }
}

/// A stone that rocks, and stands 20 um too low at the start: it is pushed out while it rocks.
constexpr const char* kTooLow = R"toml(
[[contact]]
friction = 0.5
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "it"
mass = 1
contact = "solids"
ellipsoid = [0.1, 0.08, 0.04]
orientation = {axis = [0, 1, 0], angle = "20 deg"}
position = [0, 0, "sqrt((0.1*sin(20[deg]))^2 + (0.04*cos(20[deg]))^2)*1[m] - 20[um]"]
)toml";

TEST(ContactOrder, WhatOverlapsAtTheStartRocksAsOthersDo) {
  const Vec3 wanted = run_of(simulation_of(1, "\"1 ms\"", "acceleration") + kTooLow, "it").p;
  for (const char* step : {"\"2 ms\"", "\"1 ms\"", "\"0.5 ms\""})
    EXPECT_LT((run_of(simulation_of(1, step, "velocity") + kTooLow, "it").p - wanted).norm(), 1e-4)
        << step;
}

/// The same at rest on a table that speeds up, and between these to and fro.
constexpr const char* kSpeedsUp = R"(
[[contact]]
friction = 0.5
[[body]]
name = "table"
kind = "prescribed"
turns = [{{axis = [0, 0, 1], angle = {}}}]
contact = [{{box = [8, 8, 0.1]}}]
[[body]]
name = "ball"
mass = 1
sphere = 0.05
contact = "solids"
position = [0.3, 0, 0.1]
)";

TEST(ContactOrder, ABallOnATableThatSpeedsUpIsOfOrderTwo) {
  constexpr double kForces = 5e-8;  // how well the run by forces knows the place
  for (const char* angle : {"{acceleration = \"3 rad/s^2\"}", "{formula = \"0.5*sin(6*t)\"}"}) {
    const std::string scene = fmt::format(kSpeedsUp, angle);
    const Vec3 wanted = run_of(simulation_of(0.6, "\"1 ms\"", "acceleration") + scene, "ball").p;
    for (const double ms : {4., 2., 1., 0.5}) {
      const std::string step = fmt::format("\"{} ms\"", ms);
      const Vec3 got = run_of(simulation_of(0.6, step, "velocity") + scene, "ball").p;
      EXPECT_LT((got - wanted).norm(), 6e-7 * ms * ms + kForces) << scene << step;
    }
  }
}

TEST(ContactOrder, ABallOnATurntableIsOfOrderTwo) { expect_order(kTurntable, 4, "ball", 1e-4); }

}  // namespace
}  // namespace trammel::acceptance::contact_order_test

// What stays in touch is of second order in the step: rolling, rocking, and rolling on what is
// moved.
#include <fmt/format.h>

#include "scene_support.h"

namespace trammel::acceptance::contact_order_test {
namespace {

std::string simulation_of(double duration, const std::string& step, const char* formulation) {
  return fmt::format(
      "format = 1\n[simulation]\nduration = {}\nstep = {}\nformulation = \"{}\"\n[[contact]]\n"
      "friction = 1\n",
      duration, step, formulation);
}

/// A ball with its mass off the middle that rocks, another that rolls, and one that spins as well.
constexpr const char* kLoaded = R"(
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

/// Where a body is at the end, and the energy that its run cannot explain.
struct Ends {
  Vec3 p;
  double residual;
};
Ends run_of(const std::string& scene, const char* body) {
  Simulation sim = simulation(scene);
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_EQ(sim.failure(), "");
  EXPECT_TRUE(sim.warnings().empty()) << sim.warnings()[0].text;
  return {pose(sim, body).p, sim.summary().energy_residual};
}

/// Errors beside the run by forces fall by `ratio` at least as steps are halved: 4 is order 2.
void expect_order(const char* scene, double duration, const char* body, double error_at_2_ms,
                  double ratio = 3.2) {
  SCOPED_TRACE(body);
  const Vec3 wanted = run_of(simulation_of(duration, "\"1 ms\"", "acceleration") + scene, body).p;
  double last = 0;
  for (const char* step : {"\"2 ms\"", "\"1 ms\"", "\"0.5 ms\""}) {
    const Ends ends = run_of(simulation_of(duration, step, "velocity") + scene, body);
    const double error = (ends.p - wanted).norm();
    EXPECT_LT(error, last > 0 ? last / ratio : error_at_2_ms) << step;
    EXPECT_LT(ends.residual, 1e-4) << step;
    last = error;
  }
}

TEST(ContactOrder, WhatRollsAndRocksIsOfOrderTwo) {
  expect_order(kLoaded, 5, "rock", 1e-3);
  expect_order(kLoaded, 5, "roll", 1e-3);
  expect_order(kLoaded, 5, "skew", 4e-3, 2.2);  // it spins about the normal as well
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

TEST(ContactOrder, ABallOnATurntableIsOfOrderTwo) { expect_order(kTurntable, 4, "ball", 1e-4); }

}  // namespace
}  // namespace trammel::acceptance::contact_order_test

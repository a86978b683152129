// Thin stones whose place of contact goes far over them in a step: it is divided there.
#include "order_support.h"

namespace trammel::acceptance::thin_stones_test {
namespace {

/// Rocks without friction, from end to end of it in some milliseconds.
constexpr const char* kRocks = R"(
[[contact]]
friction = 0
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "stone"
mass = 1
contact = "solids"
orientation = {axis = [0, 1, 0], angle = "10 deg"}
ellipsoid = [0.5, 0.2, 0.01]
position = [0, 0, "sqrt((0.5*sin(10[deg]))^2 + (0.01*cos(10[deg]))^2)*1[m]"]
)";

/// Lands flat, and wobbles.
constexpr const char* kLands = R"(
[[contact]]
friction = 0.5
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "lens"
mass = 2
contact = "solids"
ellipsoid = [0.3, 0.3, 0.01]
position = [0, 0, 0.6]
angular_velocity = [2, 3, 8]
velocity = [1, 0, 0]
)";

/// A disc that all but lies, in steady precession at 106 rad/s without friction: its place of
/// contact runs round its rim. It begins in touch.
constexpr const char* kDisc = R"toml(
[[contact]]
friction = 0
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "disc"
mass = 0.4
cylinder = {radius = 0.04, length = 0.002, axis = [0, 0, 1]}
contact = "solids"
orientation = {axis = [1, 0, 0], angle = "5 deg"}
position = [0, 0, "40[mm]*sin(5[deg]) + 1[mm]*cos(5[deg])"]
angular_velocity = [0, 9.197512462821841, 0.8046780731353127]
)toml";

/// The kinetic energy and that of gravity at the end [J].
double energy_after(const std::string& scene) {
  Simulation sim = simulation(scene);
  while (!sim.finished() && sim.advance()) continue;
  EXPECT_EQ(sim.failure(), "");
  EXPECT_TRUE(sim.warnings().empty()) << sim.warnings()[0].text;
  return sim.energy();
}

TEST(ThinStones, RockWithoutLoss) {
  const double start = energy_after(simulation_of(1e-6, "\"1 us\"", "velocity") + kRocks);
  for (const char* step : {"\"2 ms\"", "\"1 ms\"", "\"0.5 ms\"", "\"0.25 ms\""})
    EXPECT_NEAR(energy_after(simulation_of(1, step, "velocity") + kRocks), start, 2e-3 * start)
        << step;  // truncation; undivided 83 % are lost at 2 ms, 31 % at 1 ms
}

TEST(ThinStones, DiscsThatAllButLieKeepTheirEnergy) {
  constexpr double kKinetic = 0.0068;  // [J] of 0.0244
  const double start = energy_after(simulation_of(1e-6, "\"1 us\"", "velocity") + kDisc);
  for (const char* step : {"\"2 ms\"", "\"1 ms\"", "\"0.5 ms\"", "\"0.25 ms\""})
    EXPECT_NEAR(energy_after(simulation_of(1, step, "velocity") + kDisc), start, 3e-3 * kKinetic)
        << step;  // truncation; 1 to 10 % where the point of the start alone is met
}

TEST(ThinStones, LandFlatAsByForces) {
  const double wanted = energy_after(simulation_of(1, "\"1 ms\"", "acceleration") + kLands);
  for (const char* step : {"\"1 ms\"", "\"0.5 ms\"", "\"0.25 ms\""})
    EXPECT_NEAR(energy_after(simulation_of(1, step, "velocity") + kLands), wanted, 5e-3 * wanted)
        << step;
}

}  // namespace
}  // namespace trammel::acceptance::thin_stones_test

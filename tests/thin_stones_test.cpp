// Thin stones whose place of contact goes far over them in a step: it is divided there.
#include <array>

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

/// A disc that all but lies, in steady precession without friction: its place of contact runs round
/// its rim, past the corners of the polygon that it touches by. It begins in touch.
struct Disc {
  const char *lean, *spin;
  double kinetic;  // [J]
};
constexpr std::array kDiscs = {
    Disc{"5 deg", "[0, 9.197512462821841, 0.8046780731353127]", 0.0068},
    Disc{"1 deg", "[0, 4.134474839629474, 0.07216752676981447]", 0.00137}};
std::string scene_of(const Disc& disc) {
  return fmt::format(R"toml(
[parameters]
lean = "{}"
[[contact]]
friction = 0
[[obstacle]]
half_space = [0, 0, 1]
[[body]]
name = "disc"
mass = 0.4
cylinder = {{radius = 0.04, length = 0.002, axis = [0, 0, 1]}}
contact = "solids"
orientation = {{axis = [1, 0, 0], angle = "lean"}}
position = [0, 0, "40[mm]*sin(lean) + 1[mm]*cos(lean)"]
angular_velocity = {}
)toml",
                     disc.lean, disc.spin);
}

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
  for (const Disc& disc : kDiscs) {
    const std::string scene = scene_of(disc);
    const double start = energy_after(simulation_of(1e-6, "\"1 us\"", "velocity") + scene);
    for (const char* step : {"\"2 ms\"", "\"1 ms\"", "\"0.5 ms\"", "\"0.25 ms\""})
      EXPECT_NEAR(energy_after(simulation_of(1, step, "velocity") + scene), start,
                  5e-6 * disc.kinetic)
          << disc.lean << " " << step;  // 1e-3 to 4e-3 where corners beside the place count
  }
}

TEST(ThinStones, LandFlatAsByForces) {
  const double wanted = energy_after(simulation_of(1, "\"1 ms\"", "acceleration") + kLands);
  for (const char* step : {"\"1 ms\"", "\"0.5 ms\"", "\"0.25 ms\""})
    EXPECT_NEAR(energy_after(simulation_of(1, step, "velocity") + kLands), wanted, 5e-3 * wanted)
        << step;
}

}  // namespace
}  // namespace trammel::acceptance::thin_stones_test

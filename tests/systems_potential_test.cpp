// The potential of a system is no kinetic energy: a constant in it changes no verdict, and a motion
// whose energy is below zero is as good as any other.
#include <algorithm>

#include "systems.h"

namespace trammel::acceptance::systems_potential_test {
namespace {

using namespace systems;

struct Outcome {
  std::vector<std::string> warnings;
  double moved = 0, kinetic = 0, imbalance = 0;
};

Outcome run_of(const std::string& scene, const Overrides& overrides = {}) {
  const io::LoadedScene loaded = systems::loaded(scene, overrides);
  sim::Simulation sim(loaded.built, loaded.scene.settings);
  Outcome out;
  run(sim, [&] {
    const auto& kin = sim.formulation().kinematics();
    const auto& u = sim.formulation().velocities();
    out.kinetic = std::max(out.kinetic, kin.kinetic_energy(sim.state().P.data(), u.data()));
    out.imbalance = std::max(out.imbalance, std::abs(sim.imbalance()));
  });
  for (const auto& w : sim.warnings()) out.warnings.emplace_back(name_of(w.kind));
  out.moved = sim.summary().energy_scale;
  return out;
}

/// A mass on x in a potential, for some periods.
std::string anharmonic(const char* constant) {
  return fmt::format(R"toml(
[simulation]
duration = "2 s"
step = "10 ms"
gravity = [0, 0, 0]
[[system]]
name = "mass"
potential = "{} + 100 [N/m^3]*x^4"
coordinate = [{{name = "x", unit = "m", value = 1}}]
object = [{{name = "ball", position = ["x", 0, 0], mass = 2, sphere = 0.1}}]
)toml",
                     constant);
}

/// An orbit of eccentricity 0.5 about a centre of attraction: T + V < 0.
constexpr const char* kOrbit = R"toml(
[simulation]
duration = "20 s"
step = "2 ms"
gravity = [0, 0, 0]
[[system]]
name = "orbit"
potential = "-4 [N*m^2]/r"
[[system.coordinate]]
name = "r"
unit = "m"
value = 1
[[system.coordinate]]
name = "phi"
unit = "rad"
rate = 2.4494897427831779
[[system.object]]
name = "planet"
position = ["r*cos(phi)", "r*sin(phi)", 0]
mass = 1
)toml";

TEST(SystemPotential, AConstantInItChangesNoVerdict) {
  const std::vector<Overrides> ways{
      {{"simulation.formulation", "energy"}}, by_impulses(), by_forces("1e-9")};
  for (const Overrides& way : ways) {
    const Outcome none = run_of(anharmonic("0 [J]"), way),
                  much = run_of(anharmonic("1e5 [J]"), way);
    EXPECT_EQ(none.warnings, much.warnings);
    EXPECT_NEAR(none.moved, much.moved, 1e-7);      // rounding of 1e5 J that turn into momenta
    EXPECT_NEAR(none.kinetic, much.kinetic, 1e-7);  // likewise
    EXPECT_LT(none.kinetic, 101);                   // all that was stored, and what a step adds
    EXPECT_GT(none.kinetic, 50);
  }
  // implicit Euler, 10 ms: what it takes of the motion is told
  EXPECT_FALSE(run_of(anharmonic("1e5 [J]"), ways[0]).warnings.empty());
}

TEST(SystemPotential, EnergiesBelowZeroAreNoAlarm) {
  for (const Overrides& way : {by_impulses(), by_forces("1e-9")}) {
    const Outcome orbit = run_of(kOrbit, way);
    EXPECT_EQ(orbit.warnings, std::vector<std::string>{});
    EXPECT_NEAR(orbit.moved, 3, 1e-2);  // 1/2 r^2 phi'^2 at the start, where it is fastest
    EXPECT_LT(orbit.imbalance, 1e-2 * orbit.moved);
  }
}

/// A mass on a spring that turns fast for the step, beside one a million times as heavy.
std::string beside(const char* heavy) {
  return anharmonic("0 [J]") + fmt::format(R"toml(
[[system]]
name = "other"
coordinate = [{{name = "y", unit = "m", rate = 10}}]
object = [{{name = "ball", position = [0, "y", 0], mass = "{}", sphere = 0.1}}]
)toml",
                                           heavy);
}

TEST(SystemPotential, ALittleSystemIsJudgedByItsOwnEnergy) {
  Overrides coarse = by_impulses();
  coarse.push_back({"simulation.step", "50 ms"});  // a seventh of the period
  const Outcome alone = run_of(anharmonic("0 [J]"), coarse),
                with = run_of(beside("1e6 kg"), coarse);
  EXPECT_GT(alone.imbalance, 0.01 * alone.moved);
  EXPECT_LT(with.imbalance, 1e-3 * with.moved);
  const auto& told = with.warnings;
  EXPECT_EQ(std::count(told.begin(), told.end(), "energy residual"), 1);
}

}  // namespace
}  // namespace trammel::acceptance::systems_potential_test

// Systems on tracks whose curvature jumps, in all formulations: kinetic energy goes on, places are
// the integral of what moves them.
#include <cmath>

#include "systems.h"

namespace trammel::acceptance::systems_tracks_test {
namespace {

using namespace systems;

constexpr double kMass = 1000, kMoment = 500, kSpeed = 10, kRadius = 10;  // kg, kg m^2, m/s, m

/// A car 2 m before a circle without transition, or on it 2 m behind where it begins and going
/// back, its centre of mass beside the track.
std::string into_arc(bool back, const Vec3& com) {
  return fmt::format(R"toml(
[simulation]
gravity = [0, 0, 0]
[[track]]
name = "main"
plan = [{{line = "10 m"}}, {{arc = "10 m", radius = "{} m"}}]
[[system]]
name = "car"
[[system.coordinate]]
name = "s"
unit = "m"
value = {}
rate = {}
[[system.object]]
name = "box"
on_track = {{track = "main", s = "s"}}
com = [{}, {}, {}]
mass = {}
inertia = [300, 400, {}]
)toml",
                     kRadius, back ? 12 : 8, back ? -kSpeed : kSpeed, com.x(), com.y(), com.z(),
                     kMass, kMoment);
}

/// The mass along the track on the circle beside that on the line: no height counts on a level
/// one.
double gain(const Vec3& com) {
  const Vec3 arm = Vec3(1, 0, 0) + Vec3(0, 0, 1 / kRadius).cross(com);
  return arm.squaredNorm() + kMoment / (kMass * kRadius * kRadius);
}

Overrides by_energy(const std::string& scheme) {
  return {{"simulation.formulation", "energy"}, {"simulation.difference", scheme}};
}

/// What truncation leaves of a speed of 10 m/s: a metre is 10 of the longer steps.
double error(const Overrides& how, double step) {
  if (how[0].value == "acceleration") return 5e-8;
  return how.back().value == "bdf1" ? 3 * step : 20 * step * step;
}

TEST(SystemTracks, EnergyGoesOnWhereCurvatureJumps) {
  for (const bool back : {false, true})
    for (const Vec3& com : {Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0.5, 1, 1)})
      for (const double step : {2e-3, 10e-3})
        for (const Overrides& how : {by_energy("midpoint"), by_energy("bdf2"), by_energy("bdf1"),
                                     by_impulses(), by_forces("1e-10")}) {
          SCOPED_TRACE(fmt::format("back {}, com {} {} {}, {} s, {} {}", back, com.x(), com.y(),
                                   com.z(), step, how[0].value, how[1 % how.size()].value));
          const io::LoadedScene s = loaded(into_arc(back, com), over(how, 0.4, step));
          Simulation sim(s.built, s.scene.settings);
          run(sim);
          const double m = back ? 1 / gain(com) : gain(com);
          const double rate = coordinate(sim, "car.s").rate;
          EXPECT_NEAR(std::abs(rate), kSpeed / std::sqrt(m), error(how, step));
        }
}

/// A force that ends at 50 ms.
TEST(SystemTracks, AStepThatIsNotFoundSaysWhere) {
  const std::string force =
      "[[system.force]]\ncoordinate = \"s\"\nforce = \"1 N*sqrt(0.05 - t/1 [s])\"\n";
  const io::LoadedScene s =
      loaded(into_arc(false, {0, 1, 0}) + force, over(by_energy("bdf2"), 0.1, 1e-2));
  sim::Simulation sim(s.built, s.scene.settings);
  while (sim.advance()) ASSERT_FALSE(sim.finished());
  for (const char* part :
       {"the force of law 'car.s.force' is no number where its coordinate is 8.5 m",
        "; system 'car' is at s = 8.5 m of track 'main', 1.5 m from a jump of its "
        "curvature"})
    EXPECT_NE(sim.failure().find(part), std::string::npos) << sim.failure();
}

}  // namespace
}  // namespace trammel::acceptance::systems_tracks_test

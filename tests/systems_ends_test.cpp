// Where coordinates of systems end, or steps no longer follow them: what is told, of what, and
// when.
#include <fmt/core.h>

#include <functional>

#include "systems.h"

namespace trammel::acceptance::systems_ends_test {
namespace {

using namespace systems;

constexpr double kTolerance = 1e-6;  // accuracy of adaptive steps [m, s]

const std::vector<Overrides> kWays{
    {{"simulation.formulation", "velocity"}},
    {{"simulation.formulation", "energy"}},
    {{"simulation.formulation", "acceleration"}, {"simulation.method", "rk4"}},
    {{"simulation.formulation", "acceleration"}, {"simulation.method", "dp5"}},
    {{"simulation.formulation", "acceleration"}, {"simulation.method", "dp8"}},
};

void to_its_end(const std::string& scene, const Overrides& how,
                const std::function<void(const sim::Simulation&)>& look) {
  const io::LoadedScene loaded = systems::loaded(scene, how);
  sim::Simulation sim(loaded.built, loaded.scene.settings);
  while (!sim.finished() && sim.advance()) continue;
  SCOPED_TRACE(how.front().value + " " + how.back().value + ": " + sim.failure());
  look(sim);
}

/// The time that a failure begins with [s].
double time_of(const std::string& failure) { return std::stod(failure.substr(4)); }

/// A cart of 2 kg on a track, that carries a pendulum and is pushed, beside a body of its own.
const std::string kCart = R"toml(
simulation = {duration = "5 s", step = "7 ms"}
[[track]]
name = "line"
plan = [{line = 10}, {clothoid = 10}, {arc = 10, radius = 100}]
[[body]]
name = "other"
sphere = 0.1
mass = 1
[[system]]
name = "cart"
[[system.coordinate]]
name = "phi"
unit = "rad"
value = 0.3
[[system.coordinate]]
name = "s"
unit = "m"
value = 5
rate = 10
[[system.object]]
name = "box"
on_track = {track = "line", s = "s"}
mass = 2
[[system.object]]
name = "bob"
on = "box"
position = [0, "1 [m]*sin(phi)", "-1 [m]*cos(phi)"]
mass = 0.5
[[system.force]]
coordinate = "s"
force = "FORCE N"
)toml";

std::string cart(const std::string& force) {
  std::string out = kCart;
  out.replace(out.find("FORCE"), 5, force);
  return out;
}

}  // namespace

TEST(SystemEnds, OfTracksAreToldByEveryMethod) {
  for (const Overrides& how : kWays)
    for (const auto& [force, place] : {std::pair("30", "the end of track 'line', at s = 30 m"),
                                       {"-40", "the start of track 'line', at s = 0 m"}})
      to_its_end(cart(force), how, [&, place = place](const sim::Simulation& sim) {
        EXPECT_NE(sim.failure().find(std::string("system 'cart' comes to ") + place),
                  std::string::npos);
        EXPECT_EQ(sim.failed(), "cart.s");
        const Coordinate s = coordinate(sim, "cart.s");
        const double left = std::string(place).find("end") < 6 ? 30 - s.x : s.x;
        EXPECT_GE(left, 0);
        EXPECT_LE(left, std::abs(s.rate) * 0.008);  // it is kept up to the step that goes beyond
      });
}

/// Adaptive steps say when it came there: 5 + 10 t + 6 t^2 = 30 m, but for the pendulum's swing.
TEST(SystemEnds, OfTracksAreToldToTheAccuracyByAdaptiveSteps) {
  std::vector<double> times;
  for (std::size_t i : {3u, 4u})
    to_its_end(cart("30"), kWays[i],
               [&](const sim::Simulation& sim) { times.push_back(time_of(sim.failure())); });
  EXPECT_NEAR(times[0], times[1], 1e-4);  // as many digits are told
  EXPECT_NEAR(times[0], (-10 + std::sqrt(100 + 24 * 25.)) / 12, 2e-2);
}

/// A point at x^2 comes to x = 0 at 0.4995 s, which is no time of the grid.
TEST(SystemEnds, OfChartsAreFoundWithinAdaptiveSteps) {
  const std::string slide = R"toml(
simulation = {duration = "1 s", step = "9 ms", gravity = 0}
[[system]]
name = "slide"
[[system.coordinate]]
name = "x"
unit = "m"
value = 1
rate = -1.001
[[system.object]]
name = "point"
position = ["1 [1/m]*x^2", 0, 0]
mass = 2
)toml";
  for (std::size_t i : {3u, 4u})
    to_its_end(slide, kWays[i], [](const sim::Simulation& sim) {
      EXPECT_NE(
          sim.failure().find("the coordinates of system 'slide' are no chart here: 'x' moves"),
          std::string::npos);
      EXPECT_EQ(sim.failed(), "slide.x");
      EXPECT_NEAR(time_of(sim.failure()), 1 / 2.002, 2 * kTolerance);
    });
}

/// (1 - x)^2.5 is no number beyond 1 m, where the chart is good.
TEST(SystemEnds, OfFormulasAreToldWithTheObject) {
  const std::string slide = R"toml(
simulation = {duration = "2 s", step = "7 ms", gravity = 0}
[[system]]
name = "slide"
[[system.coordinate]]
name = "x"
unit = "m"
rate = 1
[[system.object]]
name = "point"
position = ["x", "1 [m]*(1 - x/1 [m])^2.5", 0]
mass = 2
)toml";
  for (const Overrides& how : kWays)
    to_its_end(slide, how, [](const sim::Simulation& sim) {
      EXPECT_NE(sim.failure().find("system 'slide' comes to where the place of its object 'point' "
                                   "is no number"),
                std::string::npos);
      EXPECT_EQ(sim.failed(), "slide.x");
      EXPECT_NEAR(coordinate(sim, "slide.x").x, 1, 0.03);
    });
}

namespace {

/// A spherical pendulum in longitude and colatitude, let go at 60 degrees.
std::string pendulum(const std::string& rate) {
  return R"toml(
simulation = {duration = "4 s", step = "1 ms"}
[[system]]
name = "p"
[[system.coordinate]]
name = "lon"
unit = "rad"
rate = )toml" +
         rate + R"toml(
[[system.coordinate]]
name = "th"
unit = "rad"
value = "60 deg"
[[system.object]]
name = "bob"
euler = ["lon", "th", 0]
com = [0, 0, -1]
mass = 1
)toml";
}

struct Told {
  const sim::Warning* of(sim::WarningKind kind) const {
    const auto it = std::ranges::find(all, kind, &sim::Warning::kind);
    return it == all.end() ? nullptr : &*it;
  }
  std::vector<sim::Warning> all;
  Vec3 bob = Vec3::Zero();  // from above
};

Told told(const std::string& scene, const Overrides& how) {
  Told out;
  to_its_end(scene, how, [&](const sim::Simulation& sim) {
    EXPECT_TRUE(sim.finished());
    out.all = sim.warnings();
    const auto& q = sim.state().q;
    out.bob = std::sin(q.back()) * Vec3(std::sin(q.front()), -std::cos(q.front()), 0);
  });
  return out;
}

}  // namespace

/// By impulses the bob that passes 0.2 um from the pole ends 8 mm off: the steps turn it by what
/// they happen to fall on. One that is turned as little as rounding is where it should be.
TEST(SystemCharts, PassedNearerThanAStepAreToldAsUnresolved) {
  for (const auto& [rate, off] : {std::pair("1e-6", 8e-3), {"1e-5", 4e-2}}) {
    const Told impulses = told(pendulum(rate), kWays[0]), forces = told(pendulum(rate), kWays[4]);
    const sim::Warning* w = impulses.of(sim::WarningKind::unresolved_chart);
    ASSERT_TRUE(w) << rate;
    EXPECT_TRUE(w->grave);
    EXPECT_EQ(w->subject, "p.lon");
    EXPECT_FALSE(forces.of(sim::WarningKind::unresolved_chart));
    EXPECT_GT((impulses.bob - forces.bob).norm(), off / 2) << rate;  // so it is wrong
  }
  for (const char* rate : {"0", "1e-12"}) {
    const Told impulses = told(pendulum(rate), kWays[0]);
    EXPECT_TRUE(impulses.all.empty()) << rate << " " << impulses.all.front().text;
  }
}

/// A top whose turns pass their pole within some 1e-4 rad: its mass matrix is rounding there, which
/// no accuracy helps. Energy tells of it; one that keeps away from the pole is told nothing.
TEST(SystemCharts, PassedCloselyByForcesAreToldByTheirEnergy) {
  const auto top = [](const char* rates) {
    return fmt::format(R"toml(
simulation = {{duration = "2 s", step = "50 ms"}}
[[system]]
name = "top"
{}
[[system.object]]
name = "disc"
turns = [{{axis = [0, 0, 1], angle = "a"}}, {{axis = [1, 0, 0], angle = "b"}}, {{axis = [0, 1, 0], angle = "c"}}]
com = [0, 0, 0.5]
mass = 2
inertia = [0.05, 0.08, 0.03]
)toml",
                       rates);
  };
  const Told near = told(top(R"toml(
coordinate = [{name = "a", unit = "rad", value = 0.3, rate = 158.43460332009232},
              {name = "b", unit = "rad", value = 0.2, rate = 8.878460422672285},
              {name = "c", unit = "rad", value = 0.1, rate = 6.687074778238684}])toml"),
                         kWays[4]);
  ASSERT_EQ(near.all.size(), 1u);
  EXPECT_EQ(near.all.front().kind, sim::WarningKind::energy_residual);
  const Told apart = told(top(R"toml(
coordinate = [{name = "a", unit = "rad", value = 0.3, rate = 110.40294},
              {name = "b", unit = "rad", value = 0.2, rate = 14.749072},
              {name = "c", unit = "rad", value = 0.1, rate = 15.639939}])toml"),
                          kWays[4]);
  EXPECT_TRUE(apart.all.empty()) << apart.all.front().text;
}

/// A chart that is good and bends is not told as singular.
TEST(SystemCharts, ThatBendAreToldFromSingularOnes) {
  const std::string curve = R"toml(
simulation = {duration = "3 s", step = "50 ms", gravity = 0}
[[system]]
name = "p"
let = {r = "1 [m]*(1 + 0.1*sin(6*phi))"}
[[system.coordinate]]
name = "phi"
unit = "rad"
rate = 2
[[system.object]]
name = "bead"
position = ["r*cos(phi)", "r*sin(phi)", 0]
mass = 1
)toml";
  for (const auto& [scene, says] :
       {std::pair(curve, "the chart is good there and bends, more than the steps follow"),
        {pendulum("0.05"), "the chart is nearly singular there"}}) {
    const Told run = told(scene, kWays[0]);
    const sim::Warning* w = run.of(sim::WarningKind::bent_coordinates);
    ASSERT_TRUE(w);
    EXPECT_NE(w->text.find(says), std::string::npos) << w->text;
    EXPECT_FALSE(run.of(sim::WarningKind::unresolved_chart));
  }
}

}  // namespace trammel::acceptance::systems_ends_test

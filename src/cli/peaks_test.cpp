// Peaks of scenes with known answers: what forces are compared with, which elements are listed,
// and impulses of impacts, which are no forces.

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/peaks_report.h"
#include "cli/test_warnings.h"
#include "sim/checkpoint.h"

namespace trammel::cli::peaks_test {
namespace {

using namespace test;

constexpr double kG = 9.81;

sim::PeakList peaks(const std::string& scene) {
  const Prepared p = prepared(scene);
  while (!p.simulation->finished() && p.simulation->advance()) continue;
  EXPECT_EQ(p.simulation->failure(), "");
  return p.simulation->peaks();
}

sim::Extreme extreme(const sim::PeakList& of, const std::string& name) {
  for (const sim::Extreme& x : of.extremes)
    if (x.name == name) return x;
  return {};
}

sim::ImpulsePeak impulse(const sim::PeakList& of, const std::string& element) {
  for (const sim::ImpulsePeak& x : of.impulses)
    if (x.element == element) return x;
  return {};
}

std::string formulation(const char* name) { return fmt::format("formulation = \"{}\"", name); }

/// A block on a slide along x that runs into a stop at 2 m/s and comes back at 1 m/s.
TEST(Peaks, HaveImpulsesOfStopsAndNoForcesOfThem) {
  for (const char* how : {"velocity", "acceleration"}) {
    const sim::PeakList all = peaks(
        simulation("0.2 s", "1 ms", formulation(how)) +
        slider("type = \"limit\"\nto = \"0.1003 m\"\nrestitution = 0.5", "velocity = [2, 0, 0]"));
    const sim::ImpulsePeak it = impulse(all, "it"), slide = impulse(all, "slide");
    EXPECT_NEAR(it.value, -3, 1e-9) << how;
    EXPECT_EQ(it.unit, "N s");
    EXPECT_EQ(it.count, 1);
    EXPECT_NEAR(it.t, 0.05015, 1e-3);
    EXPECT_NEAR(slide.value, 3, 1e-9) << how;
    EXPECT_EQ(extreme(all, "it.force").value, 0) << how;  // it only struck
    const sim::Extreme z = extreme(all, "slide.reaction.fz");
    EXPECT_NEAR(std::max(std::abs(z.value), std::abs(extreme(all, "slide.reaction.fy").value)), kG,
                1e-9)
        << how;
    EXPECT_NEAR(extreme(all, "slide.reaction.fx").value, 0, 1e-9) << how;
  }
}

/// Force and impulse of a joint along a track whose direction jumps by 10 degrees: m v sin 10°.
TEST(Peaks, HaveImpulsesAtKinks) {
  for (const char* how : {"velocity", "acceleration"}) {
    const sim::PeakList all = peaks(simulation("0.8 s", "1 ms", formulation(how)) + R"(
[[track]]
name = "line"
max_kink = "11 deg"
chain = [{line = 10, axis = [1, 0, 0]},
  {line = 30, position = [10, 0, 0], axis = [0.984807753012208, 0.17364817766693, 0]}]
[[body]]
name = "car"
mass = 500
box = [2, 1, 1]
on_track = {track = "line", s = 2, speed = 15}
[[joint]]
name = "wheels"
type = "point-on-track"
b = "car"
track = "line"
)");
    const sim::ImpulsePeak wheels = impulse(all, "wheels");
    EXPECT_NEAR(wheels.value, 500 * 15 * 0.17364817766693, 1e-6) << how;
    EXPECT_EQ(wheels.count, 1);
    EXPECT_NEAR(wheels.t, 8. / 15, 1e-9);
    const sim::Extreme up = extreme(all, "wheels.reaction.fz");
    EXPECT_NEAR(up.value, 500 * kG, 1e-6) << how;
    EXPECT_NEAR(up.ratio, 1, 1e-9);
    EXPECT_EQ(up.compared_with, "weight");
    EXPECT_LT(std::abs(extreme(all, "wheels.reaction.fy").value), 1e-6) << how;
    EXPECT_NEAR(extreme(all, "wheels.speed").value, 15, 1e-9);
  }
}

/// A rod on a hinge falls onto the floor and stays there: the hinge gets a blow.
std::string falling_rod(const char* how) {
  return simulation("1 s", "1 ms", formulation(how)) + R"(
[[contact]]
restitution = 0
[[obstacle]]
name = "floor"
half_space = [0, 0, 1]
[[body]]
name = "ball"
mass = 2
sphere = 0.1
contact = "solids"
position = [1, 0, 0.5]
[[body]]
name = "rod"
mass = 0.5
sphere = 0.1
position = [0.5, 0, 0.3]
[[joint]]
name = "hinge"
type = "revolute"
b = "rod"
at = [0, 0, 0.1]
axis = [0, 1, 0]
[[joint]]
name = "weld"
type = "fixed"
a = "rod"
b = "ball"
at = [1, 0, 0.5]
)";
}

TEST(Peaks, HaveImpulsesOfContactsAndNoForcesOfThem) {
  for (const char* how : {"velocity", "acceleration"}) {
    const sim::PeakList all = peaks(falling_rod(how));
    // it falls by 0.4 m, the rod half of that; the floor pushes at 1.077 m from it: P r = I w
    const double r = std::sqrt(1.16), I = 2 * (1.16 + 0.004) + 0.5 * (0.29 + 0.004),
                 w = std::sqrt(2 * kG * (2 * 0.4 + 0.5 * 0.2) / I), P = I * w / r;
    const sim::ImpulsePeak floor = impulse(all, "contact.ball.ground");
    EXPECT_NEAR(floor.value, P, 0.02 * P) << how;  // it lands within a step
    EXPECT_EQ(floor.unit, "N s");
    EXPECT_LT(std::abs(extreme(all, "contact.ball.ground.force.z").value), 3 * 2 * kG) << how;
    for (const char* of : {"hinge.reaction.fy", "hinge.reaction.fz", "weld.reaction.fx",
                           "weld.reaction.fy", "weld.reaction.fz"})
      EXPECT_LT(std::abs(extreme(all, of).value), 5 * 2 * kG) << how << " " << of;
    EXPECT_GT(impulse(all, "weld").value, 0) << how;
    EXPECT_GT(impulse(all, "hinge").value, 0) << how;
    EXPECT_LT(impulse(all, "hinge").value, 0.3 * P) << how;  // it is near the middle of the blow
  }
}

/// A coupling rod that breaks at 30 N as a mass swings: what it carried at last is in its peak.
TEST(Peaks, AreComparedWithStrengths) {
  const sim::PeakList all = peaks(simulation("1 s", "1 ms") + R"(
[[body]]
name = "bob"
mass = 1
sphere = 0.1
position = [1, 0, 0]
[[joint]]
name = "pivot"
type = "revolute"
b = "bob"
at = [0, 0, 0]
axis = [0, 1, 0]
strength = "25 N"
)");
  double greatest = 0;
  for (const char* axis : {"x", "y", "z"}) {
    const sim::Extreme e = extreme(all, fmt::format("pivot.reaction.f{}", axis));
    EXPECT_TRUE(e.value == 0 || e.compared_with == "strength");
    EXPECT_NEAR(e.ratio, std::abs(e.value) / 25, 1e-12);
    greatest = std::max(greatest, e.ratio);
  }
  EXPECT_GT(greatest, 0.7);
  EXPECT_LT(greatest, 1.1);
}

/// Forces between frames are found, too.
TEST(Peaks, OfReactionsAreThoseOfAllSteps) {
  const auto swing = [](const char* output) {
    return peaks(simulation("2 s", "1 ms", fmt::format("output_step = \"{}\"", output)) + R"(
[[body]]
name = "bob"
mass = 1
sphere = 0.1
position = [1, 0, 0]
[[joint]]
name = "pivot"
type = "spherical"
b = "bob"
at = [0, 0, 0]
)");
  };
  const sim::PeakList each = swing("1 ms"), some = swing("1 s");
  for (const char* column : {"fx", "fz"}) {
    const std::string name = fmt::format("pivot.reaction.{}", column);
    EXPECT_GT(std::abs(extreme(each, name).value), 10);
    EXPECT_EQ(extreme(each, name).value, extreme(some, name).value);
    EXPECT_EQ(extreme(each, name).t, extreme(some, name).t);
  }
}

/// n pendulums with lengths that grow.
std::string pendulums(int n) {
  std::string out = simulation("0.05 s", "1 ms");
  for (int i = 0; i < n; ++i)
    out += fmt::format(
        "[[body]]\nname = \"b{0}\"\nmass = {1}\nsphere = 0.1\nposition = [1, {0}, 0]\n[[joint]]\n"
        "name = \"j{0}\"\ntype = \"revolute\"\nb = \"b{0}\"\nat = [0, {0}, 0]\naxis = [0, 1, 0]\n",
        i, 1 + 0.01 * i);
  return out;
}

TEST(Peaks, OfManyElementsAreThoseOfTheLargest) {
  const sim::PeakList all = peaks(pendulums(130));
  EXPECT_EQ(all.left_out, 30);
  std::set<std::string> joints;
  for (const sim::Extreme& e : all.extremes) joints.insert(e.element);
  EXPECT_EQ(joints.size(), 100u);
  EXPECT_TRUE(joints.contains("j129"));
  EXPECT_FALSE(joints.contains("j0"));
  const std::string text = greatest_values(all).text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  EXPECT_TRUE(has(text, "j129.reaction.f")) << text;
  EXPECT_TRUE(has(text, "x weight")) << text;
}

/// Runs that go on from a checkpoint have the same peaks.
TEST(Peaks, GoOnFromCheckpoints) {
  const std::string scene = falling_rod("velocity");
  const Prepared whole = prepared(scene), second = prepared(scene);
  std::string bytes;
  while (!whole.simulation->finished() && whole.simulation->advance())
    if (whole.simulation->steps_made() == 600) bytes = sim::to_bytes(*whole.simulation);
  sim::from_bytes(bytes, *second.simulation);
  while (!second.simulation->finished() && second.simulation->advance()) continue;
  const auto text = [](const Prepared& p) {
    io::Json json;
    json.begin('{');
    json_peaks(p.simulation->peaks(), json);
    return json.end().text();
  };
  EXPECT_EQ(text(whole), text(second));
  EXPECT_TRUE(has(text(whole), "hinge.reaction.fz"));
}

/// Loads are channels, too, and without gravity the greatest force is what others are compared
/// with.
TEST(Peaks, HaveLoads) {
  const sim::PeakList all = peaks(simulation("0.1 s", "1 ms", "gravity = 0") +
                                  slider("type = \"actuator\"\nforce = \"3 N\"") +
                                  "[[load]]\nname = \"push\"\ntype = \"force\"\nbody = \"block\"\n"
                                  "force = [\"12 N\", 0, \"-4 N\"]\n");
  const sim::Extreme push = extreme(all, "push.force.x");
  EXPECT_EQ(push.value, 12);
  EXPECT_EQ(push.kind, "load");
  EXPECT_EQ(push.ratio, 1);
  EXPECT_EQ(push.compared_with, "greatest force");
  EXPECT_EQ(extreme(all, "push.force.z").value, -4);
  EXPECT_NEAR(extreme(all, "it.force").ratio, 0.25, 1e-12);
}

}  // namespace
}  // namespace trammel::cli::peaks_test

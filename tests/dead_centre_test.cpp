// Friction of a joint at its dead centre, where the joint's rate is zero for a moment and no force
// in it changes the motion: it slides back at once, and does not hold until something else happens.
#include <fmt/core.h>

#include <cmath>

#include "scene_support.h"
#include "support.h"

namespace trammel::acceptance::dead_centre_test {
namespace {

/// A slider and crank, driven by a motor that is strong enough. Dead centres fall anywhere in
/// steps.
std::string engine(double step, const std::string& friction) {
  return fmt::format(R"(
format = 1
[simulation]
duration = 2
step = {}
formulation = "acceleration"
gravity = [0, 0, 0]
[defaults.joint.revolute]
axis = [0, 0, 1]
[[body]]
name = "crank"
mass = 2
box = [0.2, 0.05, 0.05]
position = [0.1, 0, 0]
angular_velocity = [0, 0, 7]
velocity = [0, 0.7, 0]
[[body]]
name = "rod"
mass = 0.5
box = [0.5, 0.02, 0.02]
position = [0.45, 0, 0]
angular_velocity = [0, 0, -2.8]
velocity = [0, 0.7, 0]
[[body]]
name = "slider"
mass = 1
box = [0.1, 0.1, 0.1]
position = [0.7, 0, 0]
[[joint]]
name = "shaft"
type = "revolute"
b = "crank"
at = [0, 0, 0]
[[joint]]
name = "pin"
type = "revolute"
a = "crank"
b = "rod"
at = [0.2, 0, 0]
[[joint]]
name = "head"
type = "revolute"
a = "rod"
b = "slider"
at = [0.7, 0, 0]
[[joint]]
name = "guide"
type = "prismatic"
b = "slider"
at = [0.7, 0, 0]
[[law]]
name = "drive"
type = "motor"
joint = "shaft"
velocity = 7
force_min = -50
force_max = 50
{}
)",
                     step, friction);
}

struct Friction {
  const char *name, *laws;
};
void PrintTo(const Friction& f, std::ostream* out) { *out << f.name; }

/// On the guide; and on the rod's pin as well, which rubs all the time.
const Friction kFrictions[] = {
    {"One", "[[law]]\nname = \"rub\"\ntype = \"friction\"\njoint = \"guide\"\nforce = 20\n"},
    {"Two",
     "[[law]]\nname = \"rub\"\ntype = \"friction\"\njoint = \"guide\"\nforce = 20\n"
     "[[law]]\nname = \"pin\"\ntype = \"friction\"\njoint = \"pin\"\nforce = 0.5\n"}};

class DeadCentreOnTheGrid : public testing::TestWithParam<Friction> {};

TEST_P(DeadCentreOnTheGrid, SlidesBackAtOnceWhateverTheGrid) {
  std::vector<double> angle;
  for (const double step : {0.05, 1e-3}) {
    Simulation sim = simulation(engine(step, GetParam().laws));
    int holds = 0;
    run(sim, [&] {
      for (const form::Event& e : sim.take_events()) holds += e.kind == form::EventKind::hold;
    });
    EXPECT_EQ(sim.failure(), "");
    EXPECT_LT(sim.summary().max_row_speed, 1e-7) << step;  // [m/s]: of the time of an event
    EXPECT_EQ(holds, 0) << step;
    angle.push_back(coordinate(sim, "shaft", "angle"));
  }
  EXPECT_NEAR(angle[0], angle[1], 1e-8);  // [rad]: the accuracy of the method
}

INSTANTIATE_TEST_SUITE_P(Frictions, DeadCentreOnTheGrid, testing::ValuesIn(kFrictions),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// A crank moves two levers with friction through a coupler and a link between them: both come to
/// their dead centres at once, where either could hold what the motor drives.
const char* const kLevers = R"(
format = 1
[simulation]
duration = 1.2
step = 0.001
formulation = "acceleration"
assemble = true
[defaults.joint.revolute]
axis = [0, 0, 1]
[[body]]
name = "crank"
mass = 0.2
box = [0.04, 0.02, 0.005]
position = [0.02, 0, 0]
[[body]]
name = "coupler"
mass = 0.3
box = [0.25, 0.01, 0.005]
position = [0.16, 0.035, 0]
orientation = {axis = [0, 0, 1], angle = "15 deg"}
[[body]]
name = "lever1"
mass = 0.8
box = [0.02, 0.4, 0.01]
position = [0.25, 0.2, 0]
[[body]]
name = "lever2"
mass = 0.8
box = [0.02, 0.4, 0.01]
position = [0.75, 0.2, 0]
[[body]]
name = "link"
mass = 0.4
box = [0.5, 0.01, 0.005]
position = [0.5, 0.07, 0]
[[joint]]
name = "shaft"
type = "revolute"
b = "crank"
at = [0, 0, 0]
[[joint]]
name = "A"
type = "revolute"
a = "crank"
b = "coupler"
frame_a = {position = [0.02, 0, 0], axis = [0, 0, 1]}
frame_b = {position = [-0.125, 0, 0], axis = [0, 0, 1]}
[[joint]]
name = "B"
type = "revolute"
a = "coupler"
b = "lever1"
frame_a = {position = [0.125, 0, 0], axis = [0, 0, 1]}
frame_b = {position = [0, -0.13, 0], axis = [0, 0, 1]}
[[joint]]
name = "P1"
type = "revolute"
b = "lever1"
at = [0.25, 0, 0]
[[joint]]
name = "P2"
type = "revolute"
b = "lever2"
at = [0.75, 0, 0]
[[joint]]
name = "C"
type = "revolute"
a = "lever1"
b = "link"
frame_a = {position = [0, -0.13, 0], axis = [0, 0, 1]}
frame_b = {position = [-0.25, 0, 0], axis = [0, 0, 1]}
[[joint]]
name = "D"
type = "revolute"
a = "link"
b = "lever2"
frame_a = {position = [0.25, 0, 0], axis = [0, 0, 1]}
frame_b = {position = [0, -0.13, 0], axis = [0, 0, 1]}
[[law]]
name = "drive"
type = "motor"
joint = "shaft"
velocity = "60 rpm"
force_min = -20
force_max = 20
[[law]]
name = "rub1"
type = "friction"
joint = "P1"
force = 5
[[law]]
name = "rub2"
type = "friction"
joint = "P2"
force = 5
)";

TEST(DeadCentre, LeversThatComeToThemAtOnceSlideOn) {
  Simulation sim = simulation(kLevers);
  int holds = 0;
  run(sim, [&] {
    for (const form::Event& e : sim.take_events()) holds += e.kind == form::EventKind::hold;
  });
  EXPECT_EQ(sim.failure(), "");
  EXPECT_LT(sim.summary().max_row_speed, 1e-10);  // [rad/s]: rounding; 4e-4 while they held
  EXPECT_LE(holds, 1);                            // the motor's, as it comes to its speed
}

/// A crank that stands in line with the ground link, so that the last pin has no rate for a moment:
/// its friction, which follows its load, cannot hold what the drive moves. At the start and later,
/// with hinges whose rows are redundant.
std::string wiper(const char* formulation, double crank) {
  const Vec3 A = 0.04 * Vec3(std::cos(crank), std::sin(crank), 0), D(0.2, 0, 0);
  const double d = (D - A).norm(), along = (d * d + 0.2 * 0.2 - 0.1 * 0.1) / (2 * d);
  const Vec3 e = (D - A) / d, up(-e.y(), e.x(), 0);
  const Vec3 B = A + along * e + std::sqrt(0.2 * 0.2 - along * along) * up;
  const auto body = [](const char* name, double mass, const Vec3& p) {
    return fmt::format(
        "[[body]]\nname = \"{}\"\nmass = {}\nbox = [0.1, 0.02, 0.01]\n"
        "position = [{:.17g}, {:.17g}, 0]\n",
        name, mass, p.x(), p.y());
  };
  const auto pin = [](const char* name, const char* a, const char* b, const Vec3& p) {
    return fmt::format(
        "[[joint]]\nname = \"{}\"\ntype = \"revolute\"\na = \"{}\"\nb = \"{}\"\n"
        "at = [{:.17g}, {:.17g}, 0]\naxis = [0, 0, 1]\n",
        name, a, b, p.x(), p.y());
  };
  const auto rub = [](const char* name, const char* joint) {
    return fmt::format(
        "[[law]]\nname = \"{}\"\ntype = \"load-friction\"\njoint = \"{}\"\nmu = 0.15\n"
        "radius = 0.005\n",
        name, joint);
  };
  return fmt::format(
             "format = 1\n[simulation]\nduration = 1.3\nstep = 0.001\ngravity = 0\n"
             "formulation = \"{}\"\n",
             formulation) +
         body("crank", 0.2, A / 2) + body("coupler", 0.3, (A + B) / 2) +
         body("rocker", 0.6, (B + D) / 2) + pin("shaft", "ground", "crank", Vec3::Zero()) +
         pin("crankpin", "crank", "coupler", A) + pin("end", "coupler", "rocker", B) +
         pin("pivot", "ground", "rocker", D) + rub("rub_crank", "crankpin") +
         rub("rub_end", "end") +
         "[[law]]\nname = \"drive\"\ntype = \"driven\"\njoint = \"shaft\"\nvelocity = 6\n";
}

TEST(DeadCentre, FrictionByTheLoadOfHingesSlidesOnAtOnce) {
  for (const double crank : {0., 0.4}) {
    Simulation forces = simulation(wiper("acceleration", crank)),
               impulses = simulation(wiper("velocity", crank));
    for (Simulation* sim : {&forces, &impulses}) {
      while (!sim->finished() && sim->advance()) continue;
      EXPECT_EQ(sim->failure(), "") << crank;
    }
    EXPECT_LT(forces.summary().energy_residual, 1e-12 * forces.summary().energy_scale) << crank;
    EXPECT_LT(forces.summary().max_row_speed, 1e-12) << crank;
    EXPECT_NEAR(coordinate(forces, "pivot", "angle"), coordinate(impulses, "pivot", "angle"),
                1e-10);  // rows are met to 1e-12 m, at an arm of 4 cm
    const auto work = [](const Simulation& sim, std::size_t law) {
      return sim.state().ledger[at(sim.model().laws[law].ledger)];
    };
    for (std::size_t law = 0; law < forces.model().laws.size(); ++law) {
      if (forces.model().laws[law].ledger < 0) continue;
      EXPECT_NEAR(work(forces, law), work(impulses, law), 1e-4 * forces.summary().energy_scale);
    }
  }
}

}  // namespace
}  // namespace trammel::acceptance::dead_centre_test

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

}  // namespace
}  // namespace trammel::acceptance::dead_centre_test

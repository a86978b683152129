// What is held by friction between jaws that joints guide stays held: of many ways to share the
// load, all of them right, none leads away from the even one.
#include "contact_support.h"
#include "scene_support.h"

namespace trammel::acceptance::contact_grip_test {
namespace {

/// A jaw that slides along x and is pushed to the part by `force`.
std::string jaw(const std::string& name, double x, double force) {
  const std::string at = "[" + std::to_string(x) + ", 0, 0]";
  return "[[body]]\nname = \"" + name +
         "\"\nmass = 0.5\nbox = [0.02, 0.1, 0.2]\ncontact = \"solids\"\nposition = " + at +
         "\n[[joint]]\nname = \"guide_" + name + "\"\ntype = \"prismatic\"\nb = \"" + name +
         "\"\naxis = [1, 0, 0]\nat = " + at + "\n[[law]]\nname = \"push_" + name +
         "\"\ntype = \"actuator\"\njoint = \"guide_" + name +
         "\"\nforce = " + std::to_string(force) + "\n";
}

std::string part_between(const std::string& left, const std::string& right, double step) {
  return "format = 1\n[simulation]\nduration = 3\nstep = " + std::to_string(step) +
         "\n[[contact]]\nfriction = 0.4\n" + left + right +
         "[[body]]\nname = \"part\"\nmass = 1\nbox = [0.1, 0.1, 0.1]\ncontact = \"solids\"\n";
}

/// The friction that 15 N on both sides can give is 12 N, of which the weight takes 9.81.
void expect_held(const std::string& text) {
  auto result = io::load_scene_text(text, "grip.toml");
  const auto* it = std::get_if<io::LoadedScene>(&result);
  ASSERT_TRUE(it) << to_text(std::get<io::SceneProblems>(result).front());
  Simulation sim(it->built, it->scene.settings);
  while (!sim.finished() && sim.advance()) continue;
  ASSERT_TRUE(sim.failure().empty()) << sim.failure();
  EXPECT_TRUE(sim.warnings().empty());
  EXPECT_LT(pose(sim, "part").p.norm(), 1e-8);  // the solver's tolerance, all the time
  EXPECT_EQ(sim.formulation().contact_forces().size(), 8u);
  for (const constraint::ContactForce& c : sim.formulation().contact_forces())
    EXPECT_NEAR(std::abs(c.force.x()), 15. / 4, 2e-2);  // not determined: how far it drifts
}

TEST(ContactGrip, AJawHoldsAPartAtAWall) {
  const std::string wall = "[[obstacle]]\nbox = [0.02, 0.1, 0.2]\nposition = [0.06, 0, 0]\n";
  for (const double step : {5e-3, 1e-3})
    expect_held(part_between(jaw("left", -0.06, 15), wall, step));
}

TEST(ContactGrip, TwoJawsHoldAPart) {
  for (const double step : {5e-3, 1e-3})
    expect_held(part_between(jaw("left", -0.06, 15), jaw("right", 0.06, -15), step));
}

/// A carriage whose jaws press on a block with `force` each, and which goes up from 0.1 s on.
std::string lift(const char* formulation, const char* step, double force) {
  std::string out = std::string("format = 1\n[simulation]\nduration = 0.3\nstep = ") + step +
                    "\nformulation = \"" + formulation + "\"\n" + R"(
[[contact]]
friction = 0.5
[[obstacle]]
half_space = [0, 0, 1]
position = [0, 0, -0.05]
[[body]]
name = "block"
mass = 2
box = [0.06, 0.06, 0.1]
contact = "solids"
[[body]]
name = "carriage"
mass = 5
box = [0.4, 0.1, 0.05]
position = [0, 0, 0.3]
[[joint]]
name = "mast"
type = "prismatic"
b = "carriage"
at = [0, 0, 0.3]
axis = [0, 0, 1]
[[law]]
name = "lift"
type = "driven"
joint = "mast"
acceleration = {time = [0, 0.1, 0.1], value = [0, 0, 2]}
)";
  for (const double x : {-0.05, 0.05}) {
    const std::string name = x < 0 ? "left" : "right", at = std::to_string(x) + ", 0, 0.03]\n";
    out += "[[body]]\nname = \"" + name +
           "\"\nmass = 0.4\nbox = [0.02, 0.06, 0.12]\ncontact = \"solids\"\nposition = [" + at +
           "[[joint]]\nname = \"of_" + name + "\"\ntype = \"prismatic\"\na = \"carriage\"\nb = \"" +
           name + "\"\naxis = [" + (x < 0 ? "1" : "-1") + ", 0, 0]\nat = [" + at +
           "[[law]]\nname = \"by_" + name + "\"\ntype = \"actuator\"\njoint = \"of_" + name +
           "\"\nforce = " + std::to_string(force) + "\n";
  }
  return out;
}

// Friction of both jaws lifts the block at mu 2 F/m - g where it slips, and as the carriage else,
// from the moment on at which the drive does.
TEST(ContactGrip, ABlockIsLiftedAsSoonAsItsCarriageIs) {
  for (const double force : {30., 23.5})
    for (const char* formulation : {"velocity", "acceleration"})
      for (const char* step : {"5e-3", "1e-3", "7e-4"}) {
        Simulation sim = simulation(lift(formulation, step, force));
        while (!sim.finished() && sim.advance()) continue;
        ASSERT_EQ(sim.failure(), "") << formulation;
        EXPECT_TRUE(sim.warnings().empty()) << formulation << step;
        const double a = std::min(2., 0.5 * 2 * force / 2 - kGravity), t = sim.state().t - 0.1;
        EXPECT_NEAR(pose(sim, "block").p.z(), a * t * t / 2, 1e-8) << formulation << step << force;
      }
}

}  // namespace
}  // namespace trammel::acceptance::contact_grip_test

// The work of forces in steps that end in an impact: force times way, whatever the step is.
#include "order_support.h"

namespace trammel::acceptance::impact_work_test {
namespace {

/// A ram on a slider that is thrown back by a stop, again and again; `drives`: what drives it.
std::string ram(double step, const std::string& drives, const char* stops) {
  return fmt::format(R"(
format = 1
[simulation]
duration = 0.6
step = {}
gravity = [0, 0, 0]
[[contact]]
restitution = 0.5
[[body]]
name = "ram"
mass = 2
box = [0.2, 0.1, 0.1]
contact = "solids"
[[joint]]
name = "j"
type = "prismatic"
b = "ram"
at = [0, 0, 0]
axis = [1, 0, 0]
rate = 0.3
)",
                     step) +
         drives + stops;
}

constexpr const char* kStop = R"(
[[law]]
name = "stop"
joint = "j"
type = "limit"
to = 0.0503
restitution = 0.5
)";
constexpr const char* kWall = R"(
[[obstacle]]
name = "wall"
half_space = [-1, 0, 0]
position = [0.1503, 0, 0]
)";

/// The energy that the run cannot explain, as a share of all that there was.
double unexplained(const std::string& scene) {
  Simulation sim = simulation(scene);
  run(sim);
  for (const auto& w : sim.warnings()) ADD_FAILURE() << w.text;
  return sim.summary().energy_residual_rel();
}

TEST(ImpactWork, OfForcesIsForceTimesWay) {
  const std::string drives[] = {
      "[[law]]\nname = \"f\"\njoint = \"j\"\ntype = \"actuator\"\nforce = 2\n",
      "[[load]]\nname = \"f\"\ntype = \"force\"\nbody = \"ram\"\nforce = [2, 0, 0]\npoint = [0, "
      "0.03, 0]\n"};
  for (const std::string& drive : drives)
    for (const char* stops : {kStop, kWall})
      for (const double step : {0.004, 0.001, 0.00037})
        EXPECT_LT(unexplained(ram(step, drive, stops)), 1e-10) << drive << stops << step;
}

/// A wheel that a torque turns against a stop.
TEST(ImpactWork, OfTorquesIsTorqueTimesTurn) {
  for (const double step : {0.004, 0.001, 0.00037}) {
    const std::string scene = fmt::format(R"(
format = 1
[simulation]
duration = 0.6
step = {}
gravity = [0, 0, 0]
[[body]]
name = "wheel"
mass = 2
cylinder = {{radius = 0.1, length = 0.05}}
[[joint]]
name = "j"
type = "revolute"
b = "wheel"
at = [0, 0, 0]
axis = [0, 0, 1]
[[load]]
name = "f"
type = "torque"
body = "wheel"
torque = [0, 0, 0.3]
[[law]]
name = "stop"
joint = "j"
type = "limit"
to = 0.4
restitution = 0.5
)",
                                          step);
    EXPECT_LT(unexplained(scene), 2e-4) << step;  // corrections of places are no way of a load
  }
}

}  // namespace
}  // namespace trammel::acceptance::impact_work_test

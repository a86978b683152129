// Why a run ends: a formulation that does not know the cause leaves the body that turns too far to
// be named, whatever its own sentence looks like.
#include "scene_support.h"
#include "support.h"

namespace trammel::acceptance::failure_reasons_test {
namespace {

TEST(FailureReasons, NameTheBodyThatTurnsTooFar) {
  const auto scene = [](const char* settings) {
    return std::string("format = 1\n[simulation]\nduration = 1\nstep = 0.1\n") + settings + R"(
[[body]]
name = "bob"
mass = 2
sphere = 0.05
position = [1, 0, 0]
angular_velocity = [1e150, 1e150, 0]
velocity = [0, 0, 1e150]
[[body]]
name = "tip"
mass = 1e-9
box = [0.01, 0.01, 0.01]
position = [2, 0, 0]
[[joint]]
name = "pivot"
type = "spherical"
b = "bob"
at = [0, 0, 0]
[[joint]]
name = "knee"
type = "revolute"
a = "bob"
b = "tip"
at = [1.5, 0, 0]
)";
  };
  for (const char* settings :
       {"formulation = \"energy\"\njoint_stiffness = \"inf\"\n", "formulation = \"energy\"\n"}) {
    Simulation sim = simulation(scene(settings));
    while (!sim.finished() && sim.advance()) {
    }
    EXPECT_NE(sim.failure().find("body 'bob' turns by"), std::string::npos) << sim.failure();
  }
}

}  // namespace
}  // namespace trammel::acceptance::failure_reasons_test

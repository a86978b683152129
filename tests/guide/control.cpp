#include <fmt/core.h>
#include <trammel/sim/dynamics.h>
#include <trammel/sim/trial.h>
using namespace trammel;

int main() {
  double torque = 0;  // what the program gives; it holds over the steps until it is given anew
  model::Builder builder;
  const model::Solid rod{model::Solid::Kind::box, {1, 0.05, 0.05}};
  builder.add_body({.name = "arm", .mass = 3, .solid = rod, .X_WB = {{0.5, 0, 0}}});
  Mat3 about_y;
  about_y << 0, 0, 1, 1, 0, 0, 0, 1, 0;  // the joint's x is the world's y
  builder.add_joint({.name = "hip", .type = "revolute", .b = "arm", .at = Pose{.R = about_y}});
  builder.add_law({.name = "motor",
                   .type = "actuator",
                   .joint = "hip",
                   .coordinate = "angle",
                   .force = Signal::function([&](double) {
                     return Jet{torque, 0, 0};
                   })});
  const auto built = std::get<model::Built>(builder.build());
  sim::Trial trial(built, {.duration = 1, .step = 1e-3});
  sim::Dynamics dynamics(built);
  const auto hip = model::coordinate_named(trial.model(), "hip.angle");
  const double goal = -0.7;
  do {
    const double y = trial.now().coordinate(hip), v = trial.now().rate(hip);
    dynamics.at(trial.state());
    const VecX wanted = VecX::Constant(1, 100 * (goal - y) - 20 * v);
    torque = dynamics.inverse(wanted).tau[0];  // computed torque: gravity is in it
  } while (trial.advance());
  fmt::print("the hip is at {:.3f} rad, held by {:.2f} N m\n", trial.now().coordinate(hip), torque);
  return 0;
}

#include <fmt/core.h>
#include <trammel/sim/dynamics.h>
using namespace trammel;

int main() {
  Mat3 about_y;
  about_y << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  const model::Solid rod{model::Solid::Kind::box, {0.04, 0.04, 1}};
  model::Builder builder;  // a parallelogram: four hinges, one degree of freedom
  builder.add_body({.name = "left", .mass = 1, .solid = rod, .X_WB = {{0, 0, 0.5}}});
  builder.add_body({.name = "right", .mass = 1, .solid = rod, .X_WB = {{1, 0, 0.5}}});
  const model::Solid bar{model::Solid::Kind::box, {1, 0.04, 0.04}};
  builder.add_body({.name = "top", .mass = 2, .solid = bar, .X_WB = {{0.5, 0, 1}}});
  const auto hinge = [&](const char* name, const char* a, const char* b, const Vec3& at) {
    builder.add_joint({.name = name, .type = "revolute", .a = a, .b = b, .at = Pose{at, about_y}});
  };
  hinge("a", "ground", "left", {0, 0, 0});
  hinge("b", "left", "top", {0, 0, 1});
  hinge("c", "top", "right", {1, 0, 1});
  hinge("d", "ground", "right", {1, 0, 0});
  const auto built = std::get<model::Built>(builder.build());
  sim::Dynamics dynamics(built, {model::coordinate_named(*built.model, "a.angle")});
  dynamics.at(dynamics.moved(VecX::Constant(1, 0.5), VecX::Constant(1, 2)));
  const auto motion = dynamics.inverse(VecX::Constant(1, 0));
  fmt::print("{} degree of freedom, mass {:.4f} kg m^2\n", dynamics.degrees_of_freedom(),
             dynamics.mass()(0, 0));
  fmt::print("to turn on at 2 rad/s takes {:.3f} N m\n", motion.tau[0]);
  fmt::print("left alone it speeds up by {:.3f} rad/s^2\n",
             dynamics.forward(VecX::Zero(1)).y_ddot[0]);
  const auto corner = dynamics.coordinate_jacobian(model::body_named(*built.model, "top"));
  fmt::print("the bar moves by {:.4f} m and sinks by {:.4f} m a rad, and does not turn ({:.0f})\n",
             corner(0, 0), -corner(2, 0), corner.bottomRows(3).norm());
  return 0;
}

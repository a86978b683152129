#include <fmt/core.h>
#include <trammel/sim/linearise.h>
using namespace trammel;

int main() {
  model::Builder builder;  // two carts on a line between springs
  const model::Solid box{model::Solid::Kind::box, {0.1, 0.1, 0.1}};
  for (const char* name : {"first", "second"}) {
    builder.add_body({.name = name, .mass = 1, .solid = box});
    const std::string rail = std::string("rail_") + name;
    builder.add_joint({.name = rail, .type = "prismatic", .b = name, .at = Pose{}});
    builder.add_law({.name = std::string("spring_") + name,
                     .type = "spring",
                     .joint = rail,
                     .coordinate = "travel",
                     .numbers = {{"stiffness", 100}, {"damping", 0.2}}});
  }
  builder.add_joint(
      {.name = "gap", .type = "prismatic", .a = "first", .b = "second", .at = Pose{}});
  builder.add_law({.name = "link",
                   .type = "spring",
                   .joint = "gap",
                   .coordinate = "travel",
                   .numbers = {{"stiffness", 150}}});
  sim::Dynamics dynamics(std::get<model::Built>(builder.build()));
  const sim::Linearised motion = sim::linearise(dynamics);
  for (const sim::Mode& mode : sim::modes(motion))
    fmt::print("{:.4f} Hz, damped by {:.4f}: {:+.0f} {:+.0f}\n", mode.frequency, mode.damping,
               mode.shape[0].real(), mode.shape[1].real());
  const sim::Discrete step = sim::discretise(motion, 1e-3);
  fmt::print("a step of 1 ms: {} x {} and {} x {}\n", step.A.rows(), step.A.cols(), step.B.rows(),
             step.B.cols());
  return 0;
}

#include <fmt/core.h>
#include <trammel/sim/trial.h>

#include <stdexcept>
using namespace trammel;

int main() {
  model::Builder builder;
  const model::Solid ball{model::Solid::Kind::sphere, {0.05, 0, 0}};
  builder.add_body({.name = "load", .mass = 1, .solid = ball, .X_WB = {{0.1, 0, 0}}});
  builder.add_joint(
      {.name = "slide", .type = "prismatic", .b = "load", .frame_a = Pose{}, .frame_b = Pose{}});
  builder.add_law({.name = "spring",
                   .type = "spring",
                   .joint = "slide",
                   .coordinate = "travel",
                   .numbers = {{"stiffness", 40}}});
  sim::Trial trial(std::get<model::Built>(builder.build()), {.duration = 0.5, .step = 1e-3});
  const model::ParamHandle mass = model::param_named(trial.model(), "body.load.mass");
  for (const double m : {1., 2., 4.}) {
    trial.set(mass, m);
    trial.reset();
    while (trial.advance()) continue;
    fmt::print("{} kg: {:.4f} m\n", m, trial.now().coordinate("slide.travel"));
  }
  try {
    trial.set("body.load.mass", -1);
  } catch (const std::invalid_argument& e) {
    fmt::print("{}\n", e.what());
  }
  return 0;
}

#include <fmt/core.h>
#include <trammel/sim/trial.h>

#include <cmath>
using namespace trammel;

int main() {
  // a force of the program's own with its slopes: f = -50 x - 400 x^3 - 2 v
  const auto stiffening = [](double x, double v, double) {
    return law::Force{-50 * x - 400 * x * x * x - 2 * v, -50 - 1200 * x * x, -2};
  };
  model::Builder builder;
  const model::Solid ball{model::Solid::Kind::sphere, {0.05, 0, 0}};
  builder.add_body({.name = "ball", .mass = 2, .solid = ball, .X_WB = {{0.3, 0, 0}}});
  builder.add_joint(
      {.name = "slide", .type = "prismatic", .b = "ball", .frame_a = Pose{}, .frame_b = Pose{}});
  builder.add_law({.name = "spring",
                   .type = "spring",
                   .joint = "slide",
                   .coordinate = "travel",
                   .function = std::make_shared<law::ForceFunction>(stiffening)});
  // a load on a body, its components functions of time
  model::LoadSpec push{.name = "push", .body = "ball"};
  push.value[0] = Signal::function([](double t) {
    return Jet{std::sin(t), std::cos(t), -std::sin(t)};
  });
  builder.add_load(push);
  sim::Trial trial(std::get<model::Built>(builder.build()), {.duration = 10, .step = 1e-3});
  while (trial.advance()) continue;
  fmt::print("x = {:.3f} m, spring {:.2f} N\n", trial.now().coordinate("slide.travel"),
             trial.now().force("spring"));
  return 0;
}

#include <fmt/core.h>
#include <trammel/sim/present.h>
#include <trammel/version.h>
using namespace trammel;

int main() {
  model::Builder builder;
  const model::Solid ball{model::Solid::Kind::sphere, {0.05, 0, 0}};
  builder.add_body({.name = "bob", .mass = 2, .solid = ball, .X_WB = {{1, 0, 0}}});
  builder.add_joint({.name = "pivot", .type = "spherical", .b = "bob", .at = Pose{}});
  const auto built = std::get<model::Built>(builder.build());  // or all that is wrong with it
  sim::Simulation run(built, {.duration = 2, .step = 1e-3});
  while (!run.finished() && run.advance()) continue;
  fmt::print("trammel {}: z = {:.6f} m after {} s, gap {:.0e} m, energy within {:.0e} J\n",
             kVersion, sim::Present(run).pose("bob").p.z(), run.state().t, run.summary().max_gap,
             run.summary().energy_residual);
}

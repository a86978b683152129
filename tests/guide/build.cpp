#include <fmt/core.h>
#include <trammel/sim/trial.h>
using namespace trammel;

int main() {
  model::Builder builder;
  const model::Solid ball{model::Solid::Kind::sphere, {0.05, 0, 0}};
  builder.add_body({.name = "bob", .mass = 2, .solid = ball, .X_WB = {{0, 1, 0}}});
  builder.add_joint({.name = "pivot", .type = "revolute", .b = "bob", .at = Pose{}});
  auto made = builder.build();
  if (const auto* problems = std::get_if<std::vector<Problem>>(&made)) {
    for (const Problem& p : *problems) fmt::print("{}: {}\n", p.path, p.text);
    return 2;
  }
  sim::Trial trial(std::get<model::Built>(made), {.duration = 2, .step = 1e-3});
  const model::BodyHandle bob = model::body_named(trial.model(), "bob");
  const model::JointHandle pivot = model::joint_named(trial.model(), "pivot");
  while (trial.advance(500)) {
    const Vec3 p = trial.now().pose(bob).p;
    fmt::print("{:.1f} s: y {:6.3f} m, z {:6.3f} m, the pivot holds {:5.1f} N\n", trial.t(), p.y(),
               p.z(), trial.now().reaction(pivot).force.norm());
  }
  for (const sim::Warning& w : trial.simulation().warnings())
    fmt::print("{}: {}\n", name_of(w.kind), w.text);
  return 0;
}

#include <fmt/core.h>
#include <trammel/sim/trial.h>
using namespace trammel;

int main() {
  model::Builder builder;
  const model::Solid ball{model::Solid::Kind::sphere, {0.05, 0, 0}};
  builder.add_body({.name = "bob", .mass = 2, .solid = ball, .X_WB = {{1, 0, 0}}});
  builder.add_joint({.name = "pivot", .type = "spherical", .b = "bob", .at = Pose{}});
  sim::Trial trial(std::get<model::Built>(builder.build()), {.duration = 2, .step = 1e-3});
  const auto height = [](sim::Trial& t) { return t.now().pose("bob").p.z(); };
  trial.advance(500);
  const std::string saved = trial.bytes();   // all that goes on from here, bit for bit
  const model::State state = trial.state();  // plain numbers, to look at or to change
  sim::Trial other = trial.copy();
  trial.advance(500);
  other.advance(500);
  fmt::print("{:.4f} m after 1 s, {:.4f} m the copy\n", height(trial), height(other));
  trial.take(saved);
  fmt::print("back at {:.1f} s: {:.4f} m\n", trial.t(), height(trial));
  model::State still = state;
  for (double& x : still.P) x = 0;  // the same place, at rest
  trial.set_state(still);
  fmt::print("at rest: {:.1f} m/s\n", trial.now().velocity("bob").norm());
  trial.reset();
  fmt::print("at the start again: {:.1f} s\n", trial.t());
  return 0;
}

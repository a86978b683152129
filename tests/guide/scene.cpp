#include <fmt/core.h>
#include <trammel/io/scene.h>
#include <trammel/sim/trial.h>
using namespace trammel;

constexpr const char* kScene = R"(
format = 1
[parameters]
L = "1 m"
[simulation]
duration = "1 s"
step = "1 ms"
[[body]]
name = "bob"
mass = "2 kg"
sphere = "5 cm"
position = ["L", 0, 0]
[[joint]]
name = "pivot"
type = "revolute"
b = "bob"
at = [0, 0, 0]
axis = [0, 1, 0]
)";

int main() {
  auto loaded = io::load_scene_text(kScene, "pendulum.toml");  // or load_scene("pendulum.toml")
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    for (const io::SceneProblem& p : *problems) fmt::print("{}\n", to_text(p));
    return 2;
  }
  const auto& whole = std::get<io::LoadedScene>(loaded);
  for (const char* length : {"1 m", "80 cm"}) {
    const io::Override shorter{"parameters.L", length};
    const auto variant = std::get<io::LoadedScene>(io::variant_of(whole, {&shorter, 1}));
    sim::Trial trial(variant.built, variant.scene.settings);
    while (trial.advance()) continue;
    fmt::print("{}: {:.3f} rad after 1 s\n", length, trial.now().coordinate("pivot.angle"));
  }
  return 0;
}

#pragma once

#include <fmt/format.h>

#include <string>
#include <variant>
#include <vector>

#include "io/scene.h"
#include "model/system.h"
#include "support.h"

/// Systems in generalised coordinates, from scenes, and looks at their coordinates.
namespace trammel::acceptance::systems {

using Overrides = std::vector<io::Override>;

/// A file of scenes/systems, or a text.
inline io::LoadedScene loaded(const std::string& scene, const Overrides& overrides = {}) {
  const bool text = scene.find('\n') != std::string::npos;
  auto out =
      text ? io::load_scene_text("format = 1\n" + scene, "x.toml", overrides)
           : io::load_scene(TRAMMEL_SOURCE_DIR "/scenes/systems/" + scene + ".toml", overrides);
  if (const auto* problems = std::get_if<io::SceneProblems>(&out))
    throw std::runtime_error(io::to_text(problems->front()));
  return std::get<io::LoadedScene>(std::move(out));
}

/// By forces, in steps that the accuracy asks for.
inline Overrides by_forces(const std::string& accuracy) {
  return {{"simulation.formulation", "acceleration"}, {"simulation.accuracy", accuracy}};
}
inline Overrides by_impulses() { return {{"simulation.formulation", "velocity"}}; }

inline std::string seconds(double t) { return fmt::format("{:.17g} s", t); }

inline Overrides over(Overrides list, double duration, double step) {
  list.push_back({"simulation.duration", seconds(duration)});
  list.push_back({"simulation.step", seconds(step)});
  list.push_back({"simulation.output_step", seconds(duration)});
  return list;
}

/// n times: an arm of two links as a system, a rigid bar on a ball joint at its end, a cart on a
/// spring as another system, which a rod holds to the arm, and a ball on the floor that rolls into
/// the cart in the first `touching` of them. By energy things begin some way above the floor [m],
/// and nothing is thrown back.
inline std::string many(int n, int touching, double above = 0) {
  std::string out;
  if (touching > 0)
    out += "[[contact]]\nfriction = 0.4\n" + std::string(above > 0 ? "" : "restitution = 0.5\n") +
           "[[obstacle]]\nname = \"floor\"\nhalf_space = [0, 0, 1]\n";
  for (int i = 0; i < n; ++i) {
    const char* touches = i < touching ? "contact = \"solids\"\n" : "";
    out += fmt::format(R"toml(
[[system]]
name = "arm{0}"
potential = "2 [N*m]*b^2"
dissipation = "0.01 [N*m*s]*a.rate^2"
[[system.coordinate]]
name = "a"
unit = "rad"
rate = {1}
[[system.coordinate]]
name = "b"
unit = "rad"
rate = -0.5
[[system.object]]
name = "upper"
position = [{2}, 0, 2]
turns = [{{axis = [0, 1, 0], angle = "a"}}]
com = [0, 0, -0.3]
mass = 1
box = [0.1, 0.1, 0.6]
[[system.object]]
name = "lower"
on = "upper"
position = [0, 0, -0.6]
turns = [{{axis = [1, 0.2, 0], angle = "b"}}]
com = [0, 0, -0.3]
mass = 0.7
box = [0.05, 0.05, 0.6]
[[system]]
name = "cart{0}"
potential = "50 [N/m]*x^2"
[[system.coordinate]]
name = "x"
unit = "m"
[[system.object]]
name = "box"
position = ["x + {2}*1 [m] + 1 [m]", 0, 0.25]
mass = 2
box = [0.4, 0.4, 0.4]
{3}[[body]]
name = "bar{0}"
position = [{2}, 0, 0.5]
mass = 1.5
box = [0.05, 0.05, 0.6]
[[body]]
name = "ball{0}"
position = [{4}, 0, {5}]
velocity = [0.5, 0, 0]
mass = 0.8
sphere = 0.1
{3}[[joint]]
name = "hook{0}"
type = "spherical"
a = "arm{0}.lower"
b = "bar{0}"
at = [{2}, 0, 0.8]
[[joint]]
name = "tie{0}"
type = "distance"
a = "arm{0}.lower"
b = "cart{0}.box"
frame_a = {{position = [0, 0, -0.6]}}
frame_b = {{position = [0, 0, 0]}}
)toml",
                       i, 1 + 0.01 * i, 3 * i, touches, 3 * i + 0.68, 0.1 + above);
  }
  return out;
}

/// A coordinate of a system, its rate and its momentum dL/dx'.
struct Coordinate {
  double x = 0, rate = 0, momentum = 0;
};

inline Coordinate coordinate(const sim::Simulation& sim, const std::string& name) {
  for (const model::PoolSlot& slot : sim.model().pools) {
    const auto* pool = model::system_of(slot);
    const std::size_t n = pool ? pool->spec().coordinates.size() : 0;
    for (std::size_t i = 0; pool && i < n * static_cast<std::size_t>(pool->n_blocks); ++i) {
      const std::string system = model::system_name(sim.model(), slot, static_cast<int>(i / n));
      if (model::dial_of(system, pool->spec().coordinates[i % n].name) != name) continue;
      const std::size_t v = static_cast<std::size_t>(slot.v) + i;
      return {sim.state().q[static_cast<std::size_t>(slot.q) + i],
              sim.formulation().velocities()[v], sim.state().P[v]};
    }
  }
  throw std::runtime_error("no coordinate " + name);
}

}  // namespace trammel::acceptance::systems

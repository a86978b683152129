#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "io/scene.h"
#include "support.h"

namespace trammel::acceptance {

/// The run of a scene given as text; throws its mistakes.
inline Simulation simulation(const std::string& text) {
  auto loaded = io::load_scene_text(text, "test.toml");
  if (const auto* problems = std::get_if<io::SceneProblems>(&loaded)) {
    std::string all;
    for (const io::SceneProblem& p : *problems) all += to_text(p) + "\n";
    throw std::runtime_error(all);
  }
  auto& [scene, built] = std::get<io::LoadedScene>(loaded);
  return {std::move(built), scene.settings};
}

}  // namespace trammel::acceptance

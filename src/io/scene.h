#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/builder.h"
#include "sim/settings.h"
#include "units/problem.h"

/// Scenes: a mechanism and its run as text (docs/scene-format.md). The reader owns shape, types,
/// units, unknown keys and places; the builder owns what a mechanism may be.
namespace trammel::io {

struct Place {
  int line = 0, column = 0;  // from 1; 0: nowhere in the text
  int file = 0;              // of Origins::files; 0: the scene's own
};

/// Where what was read comes from.
struct Origins {
  std::vector<std::string> files;                 // the scene's own, then those of its parts
  std::map<std::string, Place> places;            // of every path
  std::map<std::string, Place> parts;             // full name of a part from a file -> its head
  std::map<std::string, std::string> overridden;  // path -> the override, for problems with it
};

struct SceneProblem {
  std::string file;
  int line = 0, column = 0;
  std::string path, text;
  int order = 0;  // of its file
};
/// file:line:column: path: text
std::string to_text(const SceneProblem& problem);

/// One number changed from outside: `--set body.car.mass="40 t"`. Elements are addressed by name.
/// The value is read as TOML if it is that, else as a string.
struct Override {
  std::string path, value;
};

/// How hands move an input while one drives a run (docs/live.md). No run depends on it.
struct InputControl {
  std::string input;
  std::vector<std::string> keys = {};  // one that raises it, or two: lowers, raises
  int axis = -1;                       // of a gamepad; -1: none
  double rate = 1;                     // how fast keys move it [of its unit in SI, 1/s]
  bool returns = true;                 // to its rest when keys are let go
};

struct Scene {
  std::string text;  // with the files of its parts in a table [files], so that it is whole
  std::string file;
  std::string title;
  model::Builder builder;
  sim::Settings settings;
  std::vector<InputControl> controls;  // one an input, in their order
  Origins origins;
  std::vector<Override> overrides;  // that it was read with
};

using SceneProblems = std::vector<SceneProblem>;
using SceneOrProblems = std::variant<Scene, SceneProblems>;

SceneOrProblems read_scene(const std::string& file, std::span<const Override> overrides = {});
SceneOrProblems parse_scene(std::string text, std::string file,
                            std::span<const Override> overrides = {});

/// Where the builder's problems are: at the longest prefix of their path that has a place.
SceneProblems locate(const Scene& scene, const std::vector<Problem>& problems);

struct LoadedScene {
  Scene scene;
  model::Built built;
};
/// Read and built: the problems of both at once, in the order of the text.
std::variant<LoadedScene, SceneProblems> load_scene(const std::string& file,
                                                    std::span<const Override> overrides = {});
std::variant<LoadedScene, SceneProblems> load_scene_text(std::string text, std::string file,
                                                         std::span<const Override> overrides = {});

/// A variant of a scene: read and built again with further overrides (`parameters.L` = "80 cm"),
/// which come after those that the scene was read with. Where only numbers differ it shares the
/// topology of the mechanism and its symbolic factors.
std::variant<LoadedScene, SceneProblems> variant_of(const LoadedScene& scene,
                                                    std::span<const Override> overrides);

/// The format as JSON Schema (draft 2020-12), for editors.
std::string json_schema();
/// The tables of keys in docs/scene-format.md.
std::string key_reference();

}  // namespace trammel::io

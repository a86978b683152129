#pragma once

#include <map>

#include "io/scene_files.h"
#include "io/scene_walk.h"
#include "model/system.h"

/// Systems in generalised coordinates.
namespace trammel::io {

/// Tracks by their names as formulas take them.
using Paths = std::map<std::string, std::shared_ptr<const body::Path>, std::less<>>;

/// From what was read; formulas are parsed here, where the coordinates are known. Nothing:
/// complained, here or about a track.
std::optional<model::SystemSpec> system_spec(const Value& v, const Element& at, const Names& names,
                                             const Paths& tracks, SceneFiles& files,
                                             Findings& findings);

/// The names of what a system has, as far as they can be seen in its table: "system.object" of its
/// bodies, "system.coordinate" of its joints.
struct SystemNames {
  std::vector<std::string> bodies, joints;
};
SystemNames names_of_system(const Element& system);

}  // namespace trammel::io

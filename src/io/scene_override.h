#pragma once

#include <toml++/toml.h>

#include <span>
#include <vector>

#include "io/scene_files.h"
#include "io/scene_walk.h"

/// Values set from outside, before anything is read.
namespace trammel::io {

class Overrides {
 public:
  Overrides(std::span<const Override> list, Findings& findings);

  bool any() const { return !list_.empty(); }
  /// Those of the whole file: simulation.step, parameters.L.
  void write(toml::table& root);
  /// An element as it is with those that belong to it; `alias`: the name of its place.
  const toml::table& changed(const Element& element, const std::string& alias, SceneFiles& files);
  /// Complains of those that belonged to nothing.
  void complain_unused(const std::vector<std::string>& paths);

 private:
  struct One {
    const Override* set;
    bool of_element = false, used = false;
  };
  std::vector<One> list_;
  Findings& findings_;
};

}  // namespace trammel::io

#pragma once

#include <toml++/toml.h>

#include <map>
#include <span>
#include <string>
#include <utility>
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
  /// What is set of the parameters of one part is that of another one too, but for its own:
  /// problems there are problems of what was set.
  void reach(const std::string& from, const std::string& to, const toml::table* own);
  /// Complains of those that belonged to nothing.
  void complain_unused(const std::vector<std::string>& paths);

 private:
  struct One {
    const Override* set;
    bool of_element = false, used = false;
  };
  std::vector<One> list_;
  std::map<std::pair<const toml::table*, std::string>, const toml::table*> changed_;
  Findings& findings_;
};

}  // namespace trammel::io
